// SPDX-License-Identifier: Apache-2.0
// Reads a graph node by node into layers. The functions of operators are in import_*.cpp. One thread.
#pragma once

#include "compute/model/layer_lowering.h"
#include "compute/onnx/graph_values.h"
#include "compute/onnx/node_view.h"
#include "compute/onnx/onnx_model.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::compute {

using NamedTensors = std::vector<std::pair<std::string, NpyArray>>;

/// A layer as an operator asks for it.
struct LayerRequested {
    const char* type;
    Json values = Json::object(); ///< parameters of the type; the others keep their defaults
    std::vector<Activation> inputs;
    NamedTensors tensors = {}; ///< "weight" ...
    std::string nameHint = {}; ///< of the weights in the file
};

class Importer {
  public:
    Importer(const onnx::GraphProto& graph, std::int64_t opset, std::string file,
             const OnnxReadOptions& options)
        : m_graph(graph), m_opset(opset), m_file(std::move(file)), m_options(options) {}

    Result<OnnxModel> run();

    // For the operators.
    const std::string& file() const { return m_file; }
    std::int64_t fileBatch() const { return m_model.batch; } ///< 0: any
    /// What an input stands for; an error when no earlier node computes it.
    Result<GraphValue> value(const NodeView& node, std::size_t input) const;
    Result<Activation> activation(const NodeView& node, std::size_t input) const;
    /// The same with its channels in any place, and with a padding.
    Result<Activation> laidOutActivation(const NodeView& node, std::size_t input) const;
    /// The same for layers that have a padding.
    Result<Activation> paddedActivation(const NodeView& node, std::size_t input) const;
    /// Numbers that the file fixes.
    Result<NpyArray> floats(const NodeView& node, std::size_t input) const;
    Result<std::vector<std::int64_t>> wholes(const NodeView& node, std::size_t input) const;
    bool isActivation(const NodeView& node, std::size_t input) const;

    /// The node's first output is this layer's.
    Status addLayer(const NodeView& node, LayerRequested layer);
    /// The same before the output is known: for nodes that become several layers.
    Result<Activation> makeLayer(const NodeView& node, LayerRequested layer);
    /// The node's first output is something that is already there.
    Status setOutput(const NodeView& node, GraphValue value);
    /// Adds a constant to a layer that has no bias yet and whose output nothing else reads.
    Status addBias(const NodeView& node, std::size_t layerInput, NpyArray bias);
    bool isRead(const std::string& value) const { return m_readers.contains(value); }

  private:
    Status takeInitializers();
    Status takeInput();
    Status takeNodes();
    Status takeOutput();
    Status checkDeclaredShape(const std::string& place, const Activation& output) const;
    /// "test.onnx, node 'pad' (Pad)": what computes a value; the file and the name of the value where nothing
    /// does.
    std::string placeOfValue(const std::string& value) const;
    void countReaders();
    std::string freeName(const std::string& wanted, const char* type);
    static Status checkTensors(const NodeView& node, const LayerLowering& lowering,
                               const NamedTensors& tensors);
    void dropUnread(const std::string& output);

    const onnx::GraphProto& m_graph;
    std::int64_t m_opset;
    std::string m_file;
    const OnnxReadOptions& m_options;
    OnnxModel m_model;
    std::map<std::string, GraphValue> m_values;
    std::map<std::string, int> m_readers;            ///< how often a value is read
    std::map<std::string, std::size_t> m_layers;     ///< by name
    std::map<std::string, std::string> m_ownOutputs; ///< layer -> the value that it computes
    std::set<std::string> m_rows;                    ///< layers whose output has two dimensions
};

/// Reads one node. Errors: the operator is not known here, or asks for what no layer can do.
Status importNode(Importer& importer, NodeView& node);

using NodeImport = Status (*)(Importer&, NodeView&);
Status importConv(Importer& importer, NodeView& node);
Status importMaxPool(Importer& importer, NodeView& node);
Status importAveragePool(Importer& importer, NodeView& node);
Status importPad(Importer& importer, NodeView& node);
Status importGlobalAveragePool(Importer& importer, NodeView& node);
Status importReduceMean(Importer& importer, NodeView& node);
Status importGemm(Importer& importer, NodeView& node);
Status importMatMul(Importer& importer, NodeView& node);
Status importBatchNormalization(Importer& importer, NodeView& node);
Status importLayerNormalization(Importer& importer, NodeView& node);
Status importClip(Importer& importer, NodeView& node);
Status importLeakyRelu(Importer& importer, NodeView& node);
Status importGelu(Importer& importer, NodeView& node);
Status importHardSigmoid(Importer& importer, NodeView& node);
Status importSoftmax(Importer& importer, NodeView& node);
Status importPlainActivation(Importer& importer, NodeView& node); ///< Relu, Sigmoid, Tanh
Status importDropout(Importer& importer, NodeView& node);
Status importAdd(Importer& importer, NodeView& node); ///< and Sum
Status importMul(Importer& importer, NodeView& node);
Status importConcat(Importer& importer, NodeView& node);
Status importFlatten(Importer& importer, NodeView& node);
Status importReshape(Importer& importer, NodeView& node);
Status importSqueeze(Importer& importer, NodeView& node); ///< and Unsqueeze
Status importIdentity(Importer& importer, NodeView& node);
Status importConstant(Importer& importer, NodeView& node);
Status importTranspose(Importer& importer, NodeView& node);
Status importShape(Importer& importer, NodeView& node);
Status importGather(Importer& importer, NodeView& node);
Status importCast(Importer& importer, NodeView& node);

/// "16x5x5"
std::string imageText(const Shape4& shape);

} // namespace heteroscope::compute
