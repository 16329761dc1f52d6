// SPDX-License-Identifier: Apache-2.0
// Networks as ONNX: the model around the graph, and the file.
#include "compute/base/units.h"
#include "compute/core/ops/activation.h"
#include "compute/onnx/graph_writer.h"
#include "compute/onnx/onnx_model.h"

#include <algorithm>
#include <limits>

namespace heteroscope::compute {
namespace {

/// What one release of the format brought together: its operators and the version of the format.
struct Release {
    std::int64_t opset, format;
};

/// The oldest release that has the operators of all layers (onnx/docs/Versioning.md).
Release releaseFor(const NetworkSpec& spec) {
    std::int64_t opset = 13;
    for (const LayerSpec& layer : spec.layers) {
        const ActivationTraits* const activation = findActivation(layer.type);
        opset = std::max<std::int64_t>(opset, activation != nullptr       ? activation->onnxOpset
                                              : layer.type == "layernorm" ? 17
                                                                          : opset);
    }
    return {opset, opset < 15 ? 7 : opset < 19 ? 8 : opset < 21 ? 9 : 10};
}

void describe(onnx::ValueInfoProto& info, const GraphOutput& output, std::int64_t batch) {
    info.set_name(output.value);
    auto& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    auto& first = *type.mutable_shape()->add_dim();
    if (batch > 0)
        first.set_dim_value(batch);
    else
        first.set_dim_param("batch");
    type.mutable_shape()->add_dim()->set_dim_value(output.shape.c);
    if (output.row)
        return;
    type.mutable_shape()->add_dim()->set_dim_value(output.shape.h);
    type.mutable_shape()->add_dim()->set_dim_value(output.shape.w);
}

Status checkSize(const Network& network) {
    const std::int64_t bytes = 4 * network.parameterElements();
    constexpr std::int64_t kMost = std::numeric_limits<int>::max() - (16 << 20); // room for the structure
    if (bytes <= kMost)
        return {};
    return badInput("the network", "its parameters have " + formatBytes(static_cast<double>(bytes)),
                    "at most " + formatBytes(static_cast<double>(kMost)) + " in one ONNX file",
                    "keep the weights as .npz");
}

Status fillGraph(const NetworkSpec& spec, const Network& network, const NamedArrays& weights,
                 const OnnxWriteOptions& options, onnx::GraphProto& graph) {
    GraphWriter writer(graph, weights);
    const GraphOutput input{kInputName, network.input, spec.input.size() == 1};
    describe(*graph.add_input(), input, options.batch);
    std::vector<GraphOutput> outputs;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        const NetworkLayer& layer = network.layers[i];
        const bool last = i + 1 == network.layers.size();
        LayerToExport next{layer, {}, last ? "output" : layer.spec.name + ".output", writer};
        for (const int from : layer.inputs)
            next.inputs.push_back(from == kNetworkInput ? input : outputs[static_cast<std::size_t>(from)]);
        auto output = exportLayer(std::move(next));
        if (!output)
            return output.error();
        outputs.push_back(std::move(*output));
    }
    describe(*graph.add_output(), outputs.back(), options.batch);
    return {};
}

} // namespace

Result<std::string> onnxBytes(const NetworkSpec& spec, const NamedArrays& weights,
                              const OnnxWriteOptions& options) {
    const Network network = resolveNetwork(spec, {});
    if (const Error* error = network.firstError())
        return *error;
    if (network.layers.empty())
        return badInput("/network/layers", "the network has no layer");
    if (const Status status = checkSize(network); !status)
        return status.error();
    onnx::ModelProto model;
    const Release release = releaseFor(spec);
    model.set_ir_version(release.format);
    model.set_producer_name("heteroscope");
    auto& set = *model.add_opset_import();
    set.set_domain("");
    set.set_version(release.opset);
    model.mutable_graph()->set_name(options.name.empty() ? "network" : options.name);
    if (const Status status = fillGraph(spec, network, weights, options, *model.mutable_graph()); !status)
        return status.error();
    std::string bytes;
    if (!model.SerializeToString(&bytes))
        return Error{ErrorCode::RunFailed, "the model is too large for one ONNX file", {}, {}, {}};
    return bytes;
}

Status writeOnnx(const std::filesystem::path& file, const NetworkSpec& spec, const NamedArrays& weights,
                 const OnnxWriteOptions& options) {
    const auto bytes = onnxBytes(spec, weights, options);
    if (!bytes)
        return bytes.error();
    return writeOutput(file.string(), *bytes, options.rules);
}

} // namespace heteroscope::compute
