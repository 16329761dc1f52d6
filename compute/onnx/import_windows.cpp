// SPDX-License-Identifier: Apache-2.0
// Operators that move a window over an image: convolution and pooling.
#include "compute/onnx/importer.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heteroscope::compute {
namespace {

/// Kernel, stride, dilation and padding as ONNX gives them: [height, width] and [top, left, bottom, right].
struct Window {
    std::vector<std::int64_t> kernel, stride, dilation, pads;
};

/// Padding that makes the output ceil(size / stride) long, the odd one at the end or at the beginning.
std::pair<std::int64_t, std::int64_t> samePadding(std::int64_t size, std::int64_t kernel, std::int64_t stride,
                                                  bool upper) {
    const std::int64_t outputs = (size + stride - 1) / stride;
    const std::int64_t all = std::max<std::int64_t>((outputs - 1) * stride + kernel - size, 0);
    return upper ? std::pair(all / 2, all - all / 2) : std::pair(all - all / 2, all / 2);
}

Status checkSizes(const NodeView& node, const char* key, const std::vector<std::int64_t>& values,
                  std::size_t count, std::int64_t least) {
    constexpr std::int64_t kMost = 65536;
    const bool good = values.size() == count && std::all_of(values.begin(), values.end(), [&](auto value) {
                          return value >= least && value <= kMost;
                      });
    return good ? Status{}
                : node.refuseAttribute(key, listText(values),
                                       std::to_string(count) + " whole numbers from " +
                                           std::to_string(least) + " to " + std::to_string(kMost) +
                                           ", for an image's height and width");
}

/// A window's padding with what a Pad put around its input.
std::vector<std::int64_t> together(std::vector<std::int64_t> pads, const Padding2d& before) {
    const std::int64_t more[] = {before.top, before.left, before.bottom, before.right};
    for (std::size_t i = 0; i < 4; ++i)
        pads[i] += more[i];
    return pads;
}

/// `kernel`: what it is where the attribute is left out. The padding is the window's own.
Result<Window> readWindow(NodeView& node, const Activation& input, std::vector<std::int64_t> kernel) {
    Window window{node.wholes("kernel_shape", std::move(kernel)), node.wholes("strides", {1, 1}),
                  node.wholes("dilations", {1, 1}), node.wholes("pads", {0, 0, 0, 0})};
    const std::string automatic = node.text("auto_pad", "NOTSET");
    if (node.firstError())
        return *node.firstError();
    for (const auto& [key, values, count, least] :
         {std::tuple{"kernel_shape", &window.kernel, 2, 1}, std::tuple{"strides", &window.stride, 2, 1},
          std::tuple{"dilations", &window.dilation, 2, 1}, std::tuple{"pads", &window.pads, 4, 0}})
        if (const Status status = checkSizes(node, key, *values, static_cast<std::size_t>(count), least);
            !status)
            return status.error();
    const std::vector<std::int64_t> given = window.pads;
    const bool upper = automatic == "SAME_UPPER";
    if (upper || automatic == "SAME_LOWER") {
        const Padding2d& before = input.padding;
        const std::int64_t sizes[] = {input.shape.h + before.top + before.bottom,
                                      input.shape.w + before.left + before.right};
        for (std::size_t axis = 0; axis < 2; ++axis)
            std::tie(window.pads[axis], window.pads[axis + 2]) =
                samePadding(sizes[axis], (window.kernel[axis] - 1) * window.dilation[axis] + 1,
                            window.stride[axis], upper);
    } else if (automatic == "VALID") {
        window.pads = {0, 0, 0, 0};
    } else if (automatic != "NOTSET") {
        return node.refuseAttribute("auto_pad", "'" + automatic + "'",
                                    "NOTSET, VALID, SAME_UPPER or SAME_LOWER");
    }
    if (node.has("pads") && given != window.pads)
        return node.refuseAttribute("pads", listText(given) + " beside auto_pad '" + automatic + "'",
                                    listText(window.pads) + ", or one of the two attributes");
    return window;
}

/// One number where all are equal, as people write it.
Json sizesJson(const std::vector<std::int64_t>& values) {
    if (std::all_of(values.begin(), values.end(), [&](auto value) { return value == values.front(); }))
        return values.front();
    return values;
}

Json paddingJson(const std::vector<std::int64_t>& pads) {
    return sizesJson({pads[0], pads[2], pads[1], pads[3]});
}

Result<Activation> imageInput(const NodeView& node, Result<Activation> input) {
    if (input && input->row)
        return node.refuse("its input has two dimensions", "an image: [batch, channels, height, width]");
    return input;
}

/// What both kinds of pooling share.
Result<Window> readPoolWindow(Importer& importer, NodeView& node, const Activation& input) {
    auto window = readWindow(node, input, {});
    if (!window)
        return window;
    if (window->dilation != std::vector<std::int64_t>{1, 1})
        return node.refuseAttribute("dilations", listText(window->dilation), "[1, 1]");
    if (node.outputs() > 1 && importer.isRead(node.output(1)))
        return node.refuse("its second output, the indices, is read", "the first output only");
    return window;
}

Json poolJson(NodeView& node, const Window& window) {
    return {{"kernel", sizesJson(window.kernel)},
            {"stride", sizesJson(window.stride)},
            {"padding", paddingJson(window.pads)},
            {"ceil", node.whole("ceil_mode", 0) != 0}};
}

} // namespace

Status importConv(Importer& importer, NodeView& node) {
    const auto input = imageInput(node, importer.paddedActivation(node, 0));
    if (!input)
        return input.error();
    auto weights = importer.floats(node, 1);
    if (!weights)
        return weights.error();
    const std::vector<std::int64_t> shape = weights->shape;
    if (shape.size() != 4)
        return node.refuse("its weights have " + std::to_string(shape.size()) + " dimensions",
                           "four: [filters, channels / groups, height, width]");
    const auto window = readWindow(node, *input, {shape[2], shape[3]});
    if (!window)
        return window.error();
    const std::vector<std::int64_t> pads = together(window->pads, input->padding);
    LayerRequested layer{"conv2d",
                         {{"filters", shape[0]},
                          {"kernel", sizesJson(window->kernel)},
                          {"stride", sizesJson(window->stride)},
                          {"padding", paddingJson(pads)},
                          {"dilation", sizesJson(window->dilation)},
                          {"groups", node.whole("group", 1)},
                          {"bias", node.hasInput(2)}},
                         {*input}};
    if (const Status status = node.finish(); !status)
        return status;
    layer.nameHint = node.input(1);
    layer.tensors.emplace_back("weight", std::move(*weights));
    if (node.hasInput(2)) {
        auto bias = importer.floats(node, 2);
        if (!bias)
            return bias.error();
        layer.tensors.emplace_back("bias", std::move(*bias));
    }
    return importer.addLayer(node, std::move(layer));
}

Status importMaxPool(Importer& importer, NodeView& node) {
    const auto input = imageInput(node, importer.activation(node, 0));
    if (!input)
        return input.error();
    node.mustBe("storage_order", 0);
    const auto window = readPoolWindow(importer, node, *input);
    if (!window)
        return window.error();
    Json values = poolJson(node, *window);
    if (const Status status = node.finish(); !status)
        return status;
    return importer.addLayer(node, {"maxpool2d", std::move(values), {*input}});
}

Status importAveragePool(Importer& importer, NodeView& node) {
    const auto input = imageInput(node, importer.paddedActivation(node, 0));
    if (!input)
        return input.error();
    auto window = readPoolWindow(importer, node, *input);
    if (!window)
        return window.error();
    bool counts = node.whole("count_include_pad", 0) != 0;
    if (!(input->padding == Padding2d{})) { // these zeros count in any case
        if (!counts && window->pads != std::vector<std::int64_t>{0, 0, 0, 0})
            return node.refuse("only a part of its padding counts in the average", "all or nothing");
        counts = true;
        window->pads = together(window->pads, input->padding);
    }
    Json values = poolJson(node, *window);
    values["count_include_pad"] = counts;
    if (const Status status = node.finish(); !status)
        return status;
    return importer.addLayer(node, {"avgpool2d", std::move(values), {*input}});
}

Status importPad(Importer& importer, NodeView& node) {
    auto input = imageInput(node, importer.paddedActivation(node, 0));
    if (!input)
        return input.error();
    std::vector<std::int64_t> pads = node.wholes("pads", {});
    double value = node.number("value", 0.0);
    const std::string mode = node.text("mode", "constant");
    if (const Status status = node.finish(); !status)
        return status;
    if (node.hasInput(1)) {
        auto given = importer.wholes(node, 1);
        if (!given)
            return given.error();
        pads = std::move(*given);
    }
    if (node.hasInput(2)) {
        const auto given = importer.floats(node, 2);
        if (!given)
            return given.error();
        value = given->values.size() == 1 ? static_cast<double>(given->values.front()) : 1.0;
    }
    if (const Status status = checkSizes(node, "pads", pads, 8, 0); !status)
        return status;
    if (mode != "constant" || value != 0.0 || pads[0] + pads[1] + pads[4] + pads[5] != 0 || node.hasInput(3))
        return node.refuse("it pads in another way than with zeros around images",
                           "mode constant, value 0, pads of height and width");
    Padding2d& padding = input->padding;
    padding = {padding.top + pads[2], padding.bottom + pads[6], padding.left + pads[3],
               padding.right + pads[7]};
    return importer.setOutput(node, *input);
}

Status importGlobalAveragePool(Importer& importer, NodeView& node) {
    const auto input = imageInput(node, importer.activation(node, 0));
    if (!input)
        return input.error();
    if (const Status status = node.finish(); !status)
        return status;
    return importer.addLayer(node, {"global_avgpool2d", Json::object(), {*input}});
}

Status importReduceMean(Importer& importer, NodeView& node) {
    const auto input = imageInput(node, importer.activation(node, 0));
    if (!input)
        return input.error();
    std::vector<std::int64_t> axes = node.wholes("axes", {});
    const bool keeps = node.whole("keepdims", 1) != 0;
    node.ignore("noop_with_empty_axes");
    if (const Status status = node.finish(); !status)
        return status;
    if (node.hasInput(1)) {
        auto given = importer.wholes(node, 1);
        if (!given)
            return given.error();
        axes = std::move(*given);
    }
    for (std::int64_t& axis : axes)
        axis += axis < 0 ? 4 : 0;
    std::sort(axes.begin(), axes.end());
    if (axes != std::vector<std::int64_t>{2, 3})
        return node.refuseAttribute("axes", listText(axes), "[2, 3]: the mean over height and width");
    LayerRequested mean{"global_avgpool2d", Json::object(), {*input}};
    if (keeps)
        return importer.addLayer(node, std::move(mean));
    const auto image = importer.makeLayer(node, std::move(mean));
    if (!image)
        return image.error();
    return importer.addLayer(node, {"flatten", Json::object(), {*image}});
}

} // namespace heteroscope::compute
