// SPDX-License-Identifier: Apache-2.0
// Builds an ONNX graph layer by layer. The functions of layer types are in export_layer.cpp. One thread.
#pragma once

#include "compute/base/npy.h"
#include "compute/base/result.h"
#include "compute/model/network.h"

#include <cstdint>
#include <initializer_list>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscope::compute {

/// An output in the graph.
struct GraphOutput {
    std::string value;
    Shape4 shape;
    bool row = false; ///< two dimensions, [batch, features]; else four
};

/// A node that is being written.
class NodeWriter {
  public:
    explicit NodeWriter(onnx::NodeProto& node) : m_node(node) {}
    NodeWriter& input(const std::string& value);
    NodeWriter& whole(const char* key, std::int64_t value);
    NodeWriter& number(const char* key, double value);
    NodeWriter& wholes(const char* key, std::initializer_list<std::int64_t> values);
    NodeWriter& extent(const char* key, const Extent2d& extent) { return wholes(key, {extent.h, extent.w}); }
    NodeWriter& padding(const Padding2d& p) { return wholes("pads", {p.top, p.left, p.bottom, p.right}); }

  private:
    onnx::AttributeProto& add(const char* key, onnx::AttributeProto::AttributeType type);
    onnx::NodeProto& m_node;
};

class GraphWriter {
  public:
    GraphWriter(onnx::GraphProto& graph, const NamedArrays& weights) : m_graph(graph), m_weights(weights) {}

    NodeWriter node(std::string_view type, const std::string& name, const std::string& output);
    /// "<layer>.<name>" of the weights. Errors: it is missing or has another shape.
    Status weights(NodeWriter& node, const std::string& name, const std::vector<std::int64_t>& dims);
    std::string scalar(const std::string& name, float value);
    std::string list(const std::string& name, const std::vector<std::int64_t>& values);

    /// The same numbers with two or four dimensions; a node where the output has the others. `name` is free.
    GraphOutput asRow(const GraphOutput& output, const std::string& name);
    GraphOutput asImage(const GraphOutput& output, const std::string& name);

  private:
    onnx::TensorProto& addTensor(const std::string& name, const std::vector<std::int64_t>& dims, int type);

    onnx::GraphProto& m_graph;
    const NamedArrays& m_weights;
};

/// A layer on its way into the graph.
struct LayerToExport {
    const NetworkLayer& layer;
    std::vector<GraphOutput> inputs;
    std::string value; ///< what its output is called
    GraphWriter& graph;
};

/// Errors: BadInput with the layer that ONNX cannot express.
Result<GraphOutput> exportLayer(LayerToExport layer);

} // namespace heteroscope::compute
