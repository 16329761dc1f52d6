// SPDX-License-Identifier: Apache-2.0
// One node of an ONNX graph: its attributes with their defaults, and its refusals in words. One thread.
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <onnx/onnx_pb.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// Attributes are asked for first; finish() then gives the first one of the wrong type, or one that nobody
/// asked for: nothing is ignored.
class NodeView {
  public:
    NodeView(const onnx::NodeProto& node, std::size_t index, const std::string& file, std::int64_t opset)
        : m_node(node), m_index(index), m_file(file), m_opset(opset) {}

    const std::string& type() const { return m_node.op_type(); }
    const std::string& name() const { return m_node.name(); }
    /// Of the standard's own set of operators.
    bool isStandard() const { return m_node.domain().empty() || m_node.domain() == "ai.onnx"; }
    std::int64_t opset() const { return m_opset; }
    std::size_t inputs() const { return static_cast<std::size_t>(m_node.input_size()); }
    /// Optional inputs are left out by an empty name.
    bool hasInput(std::size_t i) const { return i < inputs() && !input(i).empty(); }
    const std::string& input(std::size_t i) const { return m_node.input(static_cast<int>(i)); }
    std::size_t outputs() const { return static_cast<std::size_t>(m_node.output_size()); }
    const std::string& output(std::size_t i) const { return m_node.output(static_cast<int>(i)); }

    bool has(const char* key) const { return find(key) != nullptr; }
    std::int64_t whole(const char* key, std::int64_t otherwise);
    double number(const char* key, double otherwise);
    std::string text(const char* key, const std::string& otherwise);
    std::vector<std::int64_t> wholes(const char* key, std::vector<std::int64_t> otherwise);
    const onnx::TensorProto* tensor(const char* key);
    /// The attribute's only allowed value, which is also its default.
    void mustBe(const char* key, std::int64_t value);
    void ignore(const char* key) { m_asked.insert(key); }

    Status finish() const;
    /// Of the attributes asked for so far.
    const std::optional<Error>& firstError() const { return m_error; }

    /// "model.onnx, node 'conv1' (Conv)"
    std::string where() const;
    Error refuse(std::string message, std::string allowed = {}, std::string advice = {}) const;
    Error refuseAttribute(const char* key, const std::string& found, std::string allowed) const;

  private:
    const onnx::AttributeProto* find(const char* key) const;
    const onnx::AttributeProto* ask(const char* key, onnx::AttributeProto::AttributeType type);

    const onnx::NodeProto& m_node;
    std::size_t m_index;
    const std::string& m_file;
    std::int64_t m_opset;
    std::set<std::string> m_asked;
    std::optional<Error> m_error;
};

/// The shortest decimal number that is this one in float32: 0.001 instead of 0.0010000000474974513.
double asWritten(float value);

/// "[2, 3]"
std::string listText(const std::vector<std::int64_t>& values);

} // namespace heteroscope::compute
