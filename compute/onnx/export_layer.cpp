// SPDX-License-Identifier: Apache-2.0
// One function a layer type, in a sorted table. Sizes are those of the lowered operation, which has what
// rounding up adds to the padding.
#include "compute/core/ops/activation.h"
#include "compute/layers/layer_values.h"
#include "compute/onnx/graph_writer.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heteroscope::compute {
namespace {

const std::string& nameOf(const LayerToExport& layer) {
    return layer.layer.spec.name;
}

NodeWriter mainNode(const LayerToExport& layer, std::string_view type) {
    return layer.graph.node(type, nameOf(layer), layer.value);
}

GraphOutput outputOf(const LayerToExport& layer, bool row) {
    return {layer.value, layer.layer.lowering->output, row};
}

GraphOutput imageOf(const LayerToExport& layer) {
    return layer.graph.asImage(layer.inputs[0], nameOf(layer) + ".image");
}

Status addParameters(const LayerToExport& layer, NodeWriter& node) {
    const LayerLowering& lowering = *layer.layer.lowering;
    for (const ParameterTensor& parameter : lowering.parameters)
        if (const Status status =
                layer.graph.weights(node, nameOf(layer) + "." + parameter.name, parameter.dims);
            !status)
            return status;
    for (const StateTensor& state : lowering.states)
        if (const Status status = layer.graph.weights(node, nameOf(layer) + "." + state.name, state.dims);
            !status)
            return status;
    return {};
}

Result<GraphOutput> exportConv(const LayerToExport& layer) {
    const ConvParams& p = std::get<ConvForward>(layer.layer.lowering->forward.front().op).params;
    const std::string input = imageOf(layer).value;
    NodeWriter node = mainNode(layer, "Conv");
    node.input(input)
        .extent("kernel_shape", p.kernel)
        .extent("strides", p.stride)
        .padding(p.padding)
        .extent("dilations", p.dilation)
        .whole("group", p.groups);
    if (const Status status = addParameters(layer, node); !status)
        return status.error();
    return outputOf(layer, false);
}

Result<GraphOutput> exportPool(const LayerToExport& layer) {
    const PoolParams& p = std::get<PoolForward>(layer.layer.lowering->forward.front().op).params;
    const bool average = p.mode == PoolMode::Average;
    const std::string input = imageOf(layer).value;
    NodeWriter node = mainNode(layer, average ? "AveragePool" : "MaxPool");
    node.input(input).extent("kernel_shape", p.kernel).extent("strides", p.stride).padding(p.padding);
    if (average)
        node.whole("count_include_pad", p.countIncludePad ? 1 : 0);
    return outputOf(layer, false);
}

Result<GraphOutput> exportGlobalPool(const LayerToExport& layer) {
    const std::string input = imageOf(layer).value;
    mainNode(layer, "GlobalAveragePool").input(input);
    return outputOf(layer, false);
}

Result<GraphOutput> exportAdaptivePool(const LayerToExport& layer) {
    const auto& op = std::get<AdaptivePoolForward>(layer.layer.lowering->forward.front().op);
    if (op.src.h % op.output.h != 0 || op.src.w % op.output.w != 0)
        return badInput("layer '" + nameOf(layer) + "'",
                        "its windows have different sizes, which no operator of ONNX does",
                        "an output size that divides the input's height and width", "use avgpool2d");
    const Extent2d window{op.src.h / op.output.h, op.src.w / op.output.w};
    const std::string input = imageOf(layer).value;
    mainNode(layer, "AveragePool").input(input).extent("kernel_shape", window).extent("strides", window);
    return outputOf(layer, false);
}

Result<GraphOutput> exportDense(const LayerToExport& layer) {
    const std::string input = layer.graph.asRow(layer.inputs[0], nameOf(layer) + ".row").value;
    NodeWriter node = mainNode(layer, "Gemm");
    node.input(input).whole("transB", 1);
    if (const Status status = addParameters(layer, node); !status)
        return status.error();
    return outputOf(layer, true);
}

Result<GraphOutput> exportBatchNorm(const LayerToExport& layer) {
    const LayerValues values(layer.layer.spec.values);
    NodeWriter node = mainNode(layer, "BatchNormalization");
    node.input(layer.inputs[0].value)
        .number("epsilon", values.number("epsilon"))
        .number("momentum", 1.0 - values.number("momentum"));
    if (const Status status = addParameters(layer, node); !status)
        return status.error();
    return outputOf(layer, layer.inputs[0].row);
}

/// Rows, also where an image is one pixel; over channels they are put last, and back.
Result<GraphOutput> exportLayerNorm(const LayerToExport& layer) {
    const LayerValues values(layer.layer.spec.values);
    const Shape4& shape = layer.inputs[0].shape;
    const bool row = shape.h * shape.w == 1, last = !row && values.text("over") == "channels";
    const std::string name = nameOf(layer), own = last ? name + ".normalised" : layer.value;
    std::string input = layer.inputs[0].value;
    if (row)
        input = layer.graph.asRow(layer.inputs[0], name + ".row").value;
    if (last) {
        layer.graph.node("Transpose", name + ".last", name + ".last")
            .input(input)
            .wholes("perm", {0, 2, 3, 1});
        input = name + ".last";
    }
    {
        NodeWriter node = layer.graph.node("LayerNormalization", name, own);
        node.input(input).whole("axis", last ? -1 : 1).number("epsilon", values.number("epsilon"));
        if (const Status status = addParameters(layer, node); !status)
            return status.error();
    }
    if (last)
        layer.graph.node("Transpose", name + ".back", layer.value).input(own).wholes("perm", {0, 3, 1, 2});
    return outputOf(layer, row);
}

Result<GraphOutput> exportPlainActivation(const LayerToExport& layer) {
    mainNode(layer, findActivation(layer.layer.spec.type)->onnxOperator).input(layer.inputs[0].value);
    return outputOf(layer, layer.inputs[0].row);
}

Result<GraphOutput> exportRelu6(const LayerToExport& layer) {
    mainNode(layer, "Clip")
        .input(layer.inputs[0].value)
        .input(layer.graph.scalar(nameOf(layer) + ".min", 0.0F))
        .input(layer.graph.scalar(nameOf(layer) + ".max", 6.0F));
    return outputOf(layer, layer.inputs[0].row);
}

Result<GraphOutput> exportHardSigmoid(const LayerToExport& layer) {
    mainNode(layer, "HardSigmoid")
        .input(layer.inputs[0].value)
        .number("alpha", 1.0 / 6.0)
        .number("beta", 0.5);
    return outputOf(layer, layer.inputs[0].row);
}

Result<GraphOutput> exportLeakyRelu(const LayerToExport& layer) {
    mainNode(layer, "LeakyRelu")
        .input(layer.inputs[0].value)
        .number("alpha", LayerValues(layer.layer.spec.values).number("slope"));
    return outputOf(layer, layer.inputs[0].row);
}

Result<GraphOutput> exportSoftmax(const LayerToExport& layer) {
    mainNode(layer, "Softmax").input(layer.inputs[0].value).whole("axis", 1);
    return outputOf(layer, layer.inputs[0].row);
}

Result<GraphOutput> exportDropout(const LayerToExport& layer) {
    const auto rate = static_cast<float>(LayerValues(layer.layer.spec.values).number("rate"));
    mainNode(layer, "Dropout")
        .input(layer.inputs[0].value)
        .input(layer.graph.scalar(nameOf(layer) + ".ratio", rate));
    return outputOf(layer, layer.inputs[0].row);
}

Result<GraphOutput> exportFlatten(const LayerToExport& layer) {
    mainNode(layer, "Flatten").input(layer.inputs[0].value).whole("axis", 1);
    return outputOf(layer, true);
}

/// Rows where one of them is a row: shapes agree, so that the others are rows but for their dimensions.
std::vector<GraphOutput> alike(const LayerToExport& layer) {
    std::vector<GraphOutput> inputs = layer.inputs;
    if (std::none_of(inputs.begin(), inputs.end(), [](const GraphOutput& input) { return input.row; }))
        return inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        inputs[i] = layer.graph.asRow(inputs[i], nameOf(layer) + ".row" + std::to_string(i + 1));
    return inputs;
}

Result<GraphOutput> exportAdd(const LayerToExport& layer) {
    const auto inputs = alike(layer);
    NodeWriter node = mainNode(layer, inputs.size() == 2 ? "Add" : "Sum");
    for (const GraphOutput& input : inputs)
        node.input(input.value);
    return outputOf(layer, inputs.front().row);
}

/// Images where one of them is one: rows would be aligned with its width.
Result<GraphOutput> exportMul(const LayerToExport& layer) {
    std::vector<GraphOutput> inputs = layer.inputs;
    const bool rows =
        std::all_of(inputs.begin(), inputs.end(), [](const GraphOutput& input) { return input.row; });
    for (std::size_t i = 0; i < inputs.size() && !rows; ++i)
        inputs[i] = layer.graph.asImage(inputs[i], nameOf(layer) + ".image" + std::to_string(i + 1));
    mainNode(layer, "Mul").input(inputs[0].value).input(inputs[1].value);
    return outputOf(layer, rows);
}

Result<GraphOutput> exportConcat(const LayerToExport& layer) {
    const auto inputs = alike(layer);
    NodeWriter node = mainNode(layer, "Concat");
    for (const GraphOutput& input : inputs)
        node.input(input.value);
    node.whole("axis", 1);
    return outputOf(layer, inputs.front().row);
}

struct LayerExport {
    std::string_view type;
    Result<GraphOutput> (*write)(const LayerToExport&);
};

/// Besides activations that are an operator of ONNX (ActivationTraits::onnxOperator).
constexpr std::array kExports{
    LayerExport{"adaptive_avgpool2d", exportAdaptivePool},
    LayerExport{"add", exportAdd},
    LayerExport{"avgpool2d", exportPool},
    LayerExport{"batchnorm", exportBatchNorm},
    LayerExport{"concat", exportConcat},
    LayerExport{"conv2d", exportConv},
    LayerExport{"dense", exportDense},
    LayerExport{"dropout", exportDropout},
    LayerExport{"flatten", exportFlatten},
    LayerExport{"global_avgpool2d", exportGlobalPool},
    LayerExport{"hard_sigmoid", exportHardSigmoid},
    LayerExport{"layernorm", exportLayerNorm},
    LayerExport{"leaky_relu", exportLeakyRelu},
    LayerExport{"maxpool2d", exportPool},
    LayerExport{"mul", exportMul},
    LayerExport{"relu6", exportRelu6},
    LayerExport{"softmax", exportSoftmax},
};

} // namespace

Result<GraphOutput> exportLayer(LayerToExport layer) {
    const ActivationTraits* const activation = findActivation(layer.layer.spec.type);
    if (activation != nullptr && *activation->onnxOperator != '\0')
        return exportPlainActivation(layer);
    const auto found = std::find_if(kExports.begin(), kExports.end(), [&](const LayerExport& known) {
        return known.type == layer.layer.spec.type;
    });
    if (found == kExports.end())
        return badInput("layer '" + nameOf(layer) + "'",
                        "the type " + layer.layer.spec.type + " cannot be written as ONNX");
    return found->write(layer);
}

} // namespace heteroscope::compute
