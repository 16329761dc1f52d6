// SPDX-License-Identifier: Apache-2.0
#include "compute/onnx/graph_writer.h"

#include "compute/onnx/node_view.h"

namespace heteroscope::compute {

onnx::AttributeProto& NodeWriter::add(const char* key, onnx::AttributeProto::AttributeType type) {
    onnx::AttributeProto& attribute = *m_node.add_attribute();
    attribute.set_name(key);
    attribute.set_type(type);
    return attribute;
}

NodeWriter& NodeWriter::input(const std::string& value) {
    m_node.add_input(value);
    return *this;
}

NodeWriter& NodeWriter::whole(const char* key, std::int64_t value) {
    add(key, onnx::AttributeProto::INT).set_i(value);
    return *this;
}

NodeWriter& NodeWriter::number(const char* key, double value) {
    add(key, onnx::AttributeProto::FLOAT).set_f(static_cast<float>(value));
    return *this;
}

NodeWriter& NodeWriter::wholes(const char* key, std::initializer_list<std::int64_t> values) {
    onnx::AttributeProto& attribute = add(key, onnx::AttributeProto::INTS);
    for (const std::int64_t value : values)
        attribute.add_ints(value);
    return *this;
}

NodeWriter GraphWriter::node(std::string_view type, const std::string& name, const std::string& output) {
    onnx::NodeProto& node = *m_graph.add_node();
    node.set_op_type(std::string(type));
    node.set_name(name);
    node.add_output(output);
    return NodeWriter(node);
}

onnx::TensorProto& GraphWriter::addTensor(const std::string& name, const std::vector<std::int64_t>& dims,
                                          int type) {
    onnx::TensorProto& tensor = *m_graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const std::int64_t dim : dims)
        tensor.add_dims(dim);
    return tensor;
}

Status GraphWriter::weights(NodeWriter& node, const std::string& name,
                            const std::vector<std::int64_t>& dims) {
    const auto found = m_weights.find(name);
    if (found == m_weights.end() || found->second.shape != dims)
        return badInput("tensor '" + name + "'",
                        found == m_weights.end() ? "it is missing"
                                                 : "it has the shape " + listText(found->second.shape),
                        listText(dims));
    addTensor(name, dims, onnx::TensorProto::FLOAT)
        .set_raw_data(found->second.values.data(), found->second.values.size() * sizeof(float));
    node.input(name);
    return {};
}

std::string GraphWriter::scalar(const std::string& name, float value) {
    addTensor(name, {}, onnx::TensorProto::FLOAT).set_raw_data(&value, sizeof value);
    return name;
}

std::string GraphWriter::list(const std::string& name, const std::vector<std::int64_t>& values) {
    addTensor(name, {static_cast<std::int64_t>(values.size())}, onnx::TensorProto::INT64)
        .set_raw_data(values.data(), values.size() * sizeof(std::int64_t));
    return name;
}

GraphOutput GraphWriter::asRow(const GraphOutput& output, const std::string& name) {
    if (output.row)
        return output;
    node("Flatten", name, name).input(output.value).whole("axis", 1);
    return {name, {output.shape.n, output.shape.c * output.shape.h * output.shape.w, 1, 1}, true};
}

GraphOutput GraphWriter::asImage(const GraphOutput& output, const std::string& name) {
    if (!output.row)
        return output;
    node("Unsqueeze", name, name).input(output.value).input(list(name + ".axes", {2, 3}));
    return {name, output.shape, false};
}

} // namespace heteroscope::compute
