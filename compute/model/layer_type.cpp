// SPDX-License-Identifier: Apache-2.0
#include "compute/model/layer_type.h"

#include "compute/core/ops/activation.h"
#include "compute/model/parameter_make.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute {

namespace {

constexpr std::size_t kMostInputs = 64; // of concat and add

Parameter required(Parameter parameter) {
    parameter.required = true;
    parameter.defaultValue = nullptr;
    return parameter;
}

Parameter optional(Parameter parameter) {
    parameter.defaultValue = nullptr;
    return parameter;
}

Parameter padding(const char* help) {
    Parameter parameter = extent({"padding", "Padding", help}, 0, 0, kMaxWindow);
    parameter.type = ParameterType::Padding;
    return parameter;
}

/// An inference does not read it.
Parameter ofTraining(Parameter parameter) {
    return when(std::move(parameter), "/task", {"train"});
}

LayerType convolution() {
    return {"conv2d",
            "Convolution",
            "Convolution",
            "Every output is a weighted sum of a window of the input, over all channels of its group.",
            {required(integer({"filters", "Filters", "Output channels."}, 1, 1, kMaxPlanes)),
             extent({"kernel", "Kernel", "Size of the window: one number, or [height, width]."}, 3, 1,
                    kMaxWindow),
             extent({"stride", "Stride", "Step from one window to the next."}, 1, 1, kMaxWindow),
             padding("Zeros around the input: one number, [height, width], or [top, bottom, left, right]."),
             extent({"dilation", "Dilation", "Distance between the elements of a window."}, 1, 1, kMaxWindow),
             integer({"groups", "Groups",
                      "Channels and filters are split into so many groups that do not see each other; as "
                      "many as channels is a depthwise convolution."},
                     1, 1, kMaxPlanes),
             boolean({"bias", "Bias", "Add a learned number to each filter."}, true)}};
}

std::vector<Parameter> poolParameters() {
    return {
        extent({"kernel", "Kernel", "Size of the window: one number, or [height, width]."}, 2, 1, kMaxWindow),
        optional(extent({"stride", "Stride", "Step from one window to the next; left out, the kernel."}, 2, 1,
                        kMaxWindow)),
        padding("Rows and columns around the input, fewer than the kernel has."),
        boolean({"ceil", "Round up", "Round the output size up: a last window may reach over the edge."},
                false)};
}

LayerType averagePool() {
    std::vector<Parameter> parameters = poolParameters();
    parameters.push_back(
        boolean({"count_include_pad", "Average over padding",
                 "Divide by the whole kernel area (true) or only by the elements inside the input (false)."},
                true));
    return {"avgpool2d", "Average pooling", "Pooling", "Each window becomes its average.", parameters};
}

LayerType adaptivePool() {
    return {
        "adaptive_avgpool2d",
        "Average pooling to a size",
        "Pooling",
        "Averages windows that are chosen so that the output has the given size.",
        {required(extent({"output", "Output size", "One number, or [height, width]."}, 1, 1, kMaxWindow))}};
}

LayerType dense() {
    return {"dense",
            "Dense",
            "Dense",
            "Every output is a weighted sum of all inputs. An image is read as one row of numbers.",
            {required(integer({"units", "Units", "Outputs."}, 1, 1, kMaxSide)),
             boolean({"bias", "Bias", "Add a learned number to each unit."}, true)}};
}

LayerType batchNorm() {
    return {"batchnorm",
            "Batch normalisation",
            "Regularisation",
            "Gives each channel mean 0 and variance 1 over the batch, then a learned scale and shift.",
            {number({"epsilon", "Epsilon", "Added to the variance before the root."}, 1e-5, 1e-12, 1, ""),
             ofTraining(number({"momentum", "Momentum", "Share of a new batch in the running statistics."},
                               0.1, 0, 1, ""))}};
}

LayerType layerNorm() {
    return {
        "layernorm",
        "Layer normalisation",
        "Regularisation",
        "Gives each sample mean 0 and variance 1, whatever the batch, then a learned scale and shift.",
        {choice({"over", "Over",
                 "sample: all channels and pixels of a sample together, each with its own scale and shift. "
                 "channels: the channels of each pixel, as ConvNeXt does; scale and shift are those of "
                 "channels."},
                {"sample", "channels"}),
         number({"epsilon", "Epsilon", "Added to the variance before the root."}, 1e-5, 1e-12, 1, "")}};
}

LayerType activation(const ActivationTraits& traits) {
    LayerType type{traits.name, traits.label, "Activation", traits.help, {}};
    if (traits.kind == ActivationKind::LeakyRelu)
        type.parameters.push_back(number({"slope", "Slope", "Below zero."}, 0.01, 1e-6, 1, ""));
    return type;
}

std::vector<LayerType> makeTypes() {
    std::vector<LayerType> types{
        convolution(),
        {"maxpool2d", "Max pooling", "Pooling", "Each window becomes its largest element.", poolParameters()},
        averagePool(),
        {"global_avgpool2d", "Global average pooling", "Pooling", "Each channel becomes its average.", {}},
        adaptivePool(),
        dense()};
    for (const ActivationTraits& traits : kActivations)
        types.push_back(activation(traits));
    const std::vector<LayerType> others{
        {"softmax",
         "Softmax",
         "Activation",
         "Shares of the channels that add up to one. The loss softmax_cross_entropy has its own.",
         {}},
        batchNorm(),
        layerNorm(),
        {"dropout",
         "Dropout",
         "Regularisation",
         "While training, sets a share of the elements to zero and scales the others up.",
         {ofTraining(number({"rate", "Rate", "Share that is dropped."}, 0.5, 0, 0.99, ""))}},
        {"flatten", "Flatten", "Structure", "Reads each image as one row of numbers; nothing is copied.", {}},
        {"add",
         "Add",
         "Structure",
         "Adds its inputs, which have one shape: a residual connection.",
         {},
         2,
         kMostInputs},
        {"mul",
         "Multiply",
         "Structure",
         "Multiplies its two inputs element by element; one that has a single channel, row or column is "
         "repeated along it. Squeeze and excitation scales channels so.",
         {},
         2,
         2},
        {"concat",
         "Concatenate",
         "Structure",
         "Puts the channels of its inputs, which have one height and width, one after the other.",
         {},
         2,
         kMostInputs}};
    types.insert(types.end(), others.begin(), others.end());
    return types;
}

} // namespace

std::span<const LayerType> layerTypes() {
    static const std::vector<LayerType> types = makeTypes();
    return types;
}

const LayerType* findLayerType(std::string_view id) {
    const auto types = layerTypes();
    const auto found =
        std::find_if(types.begin(), types.end(), [id](const LayerType& type) { return type.id == id; });
    return found == types.end() ? nullptr : &*found;
}

} // namespace heteroscope::compute
