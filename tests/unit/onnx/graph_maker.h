// SPDX-License-Identifier: Apache-2.0
// Makes small ONNX models for tests, node by node. One thread.
#pragma once

#include "compute/onnx/onnx_model.h"

#include <cstdint>
#include <onnx/onnx_pb.h>
#include <string>
#include <vector>

namespace heteroscope::compute {

class GraphMaker {
  public:
    explicit GraphMaker(std::vector<std::int64_t> input, std::int64_t opset = 13) {
        model.set_ir_version(7);
        auto& set = *model.add_opset_import();
        set.set_version(opset);
        graph().set_name("test");
        describe(*graph().add_input(), "x", input);
    }

    onnx::GraphProto& graph() { return *model.mutable_graph(); }

    onnx::NodeProto& node(const std::string& type, const std::vector<std::string>& inputs,
                          const std::string& output) {
        onnx::NodeProto& node = *graph().add_node();
        node.set_op_type(type);
        node.set_name(output + "_node");
        for (const std::string& input : inputs)
            node.add_input(input);
        node.add_output(output);
        return node;
    }

    static void whole(onnx::NodeProto& node, const std::string& key, std::int64_t value) {
        auto& attribute = *node.add_attribute();
        attribute.set_name(key);
        attribute.set_type(onnx::AttributeProto::INT);
        attribute.set_i(value);
    }

    static void number(onnx::NodeProto& node, const std::string& key, float value) {
        auto& attribute = *node.add_attribute();
        attribute.set_name(key);
        attribute.set_type(onnx::AttributeProto::FLOAT);
        attribute.set_f(value);
    }

    static void text(onnx::NodeProto& node, const std::string& key, const std::string& value) {
        auto& attribute = *node.add_attribute();
        attribute.set_name(key);
        attribute.set_type(onnx::AttributeProto::STRING);
        attribute.set_s(value);
    }

    static void wholes(onnx::NodeProto& node, const std::string& key,
                       const std::vector<std::int64_t>& values) {
        auto& attribute = *node.add_attribute();
        attribute.set_name(key);
        attribute.set_type(onnx::AttributeProto::INTS);
        for (const std::int64_t value : values)
            attribute.add_ints(value);
    }

    onnx::TensorProto& floats(const std::string& name, const std::vector<std::int64_t>& dims) {
        onnx::TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::FLOAT);
        std::int64_t count = 1;
        for (const std::int64_t dim : dims) {
            tensor.add_dims(dim);
            count *= dim;
        }
        for (std::int64_t i = 0; i < count; ++i)
            tensor.add_float_data(static_cast<float>(i));
        return tensor;
    }

    void list(const std::string& name, const std::vector<std::int64_t>& values) {
        onnx::TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::INT64);
        tensor.add_dims(static_cast<std::int64_t>(values.size()));
        for (const std::int64_t value : values)
            tensor.add_int64_data(value);
    }

    Result<OnnxModel> read(const std::string& output, const OnnxReadOptions& options = {}) {
        graph().clear_output();
        graph().add_output()->set_name(output);
        return readAsIs(options);
    }

    Result<OnnxModel> readAsIs(const OnnxReadOptions& options = {}) const {
        const std::string bytes = model.SerializeAsString();
        return parseOnnx(std::as_bytes(std::span(bytes)), "test.onnx", options);
    }

    onnx::ModelProto model;

  private:
    /// The first size, the batch, is open.
    static void describe(onnx::ValueInfoProto& info, const std::string& name,
                         const std::vector<std::int64_t>& sizes) {
        info.set_name(name);
        auto& type = *info.mutable_type()->mutable_tensor_type();
        type.set_elem_type(onnx::TensorProto::FLOAT);
        type.mutable_shape()->add_dim()->set_dim_param("batch");
        for (const std::int64_t size : sizes)
            type.mutable_shape()->add_dim()->set_dim_value(size);
    }
};

} // namespace heteroscope::compute
