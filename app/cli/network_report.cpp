// SPDX-License-Identifier: Apache-2.0
#include "app/cli/network_report.h"

#include "app/cli/output.h"
#include "compute/base/units.h"
#include "compute/core/ops/window_extent.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heteroscope::cli {

namespace {

using compute::Block;
using compute::NetworkLayer;
using compute::NetworkPlan;

Result<NetworkPlan> planOf(const compute::NetworkExperiment& experiment) {
    return compute::planNetwork(experiment.network, compute::networkRequest(experiment),
                                compute::planOptions(experiment));
}

std::int64_t outputBytes(const NetworkLayer& layer) {
    return layer.lowering->viewsInput ? 0 : layer.lowering->output.bytes().value_or(0);
}

std::string countText(double count) {
    return formatCount(static_cast<std::int64_t>(std::min(count, 9e18)));
}

/// How many times the input a convolution's matrix of windows has: channels k k Hout Wout / (channels H W).
/// Nothing for other layers.
std::optional<double> windowsExpansion(const NetworkLayer& layer) {
    if (layer.lowering->forward.empty())
        return std::nullopt;
    const auto* conv = std::get_if<compute::ConvForward>(&layer.lowering->forward.front().op);
    if (conv == nullptr)
        return std::nullopt;
    const compute::Shape4& dst = layer.lowering->output;
    return static_cast<double>(conv->params.kernel.h * conv->params.kernel.w) *
           static_cast<double>(dst.h * dst.w) / static_cast<double>(conv->src.h * conv->src.w);
}

std::string expansionText(const NetworkLayer& layer) {
    const auto expansion = windowsExpansion(layer);
    if (!expansion)
        return {};
    const auto tenths = static_cast<std::int64_t>(std::llround(std::min(*expansion, 9e15) * 10));
    return "x " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

Json layerJson(const NetworkLayer& layer) {
    const compute::Shape4& shape = layer.lowering->output;
    const auto expansion = windowsExpansion(layer);
    return {{"name", layer.spec.name},
            {"windows_expansion", expansion ? Json(*expansion) : Json(nullptr)},
            {"type", layer.spec.type},
            {"inputs", layer.spec.inputs},
            {"output_shape", {shape.n, shape.c, shape.h, shape.w}},
            {"parameters", layer.parameterElements()},
            {"multiply_adds", layer.lowering->multiplyAdds},
            {"output_bytes", outputBytes(layer)}};
}

std::int64_t blockBytes(const NetworkPlan& plan, Block block) {
    return 4 * plan.elementsOf(block);
}

} // namespace

Json networkReportJson(const compute::NetworkExperiment& experiment) {
    const auto plan = planOf(experiment);
    if (!plan)
        return Json::object();
    Json layers = Json::array();
    for (const NetworkLayer& layer : plan->network.layers)
        layers.push_back(layerJson(layer));
    return {{"batch", experiment.batch()},
            {"parameters", plan->network.parameterElements()},
            {"multiply_adds", plan->network.multiplyAdds()},
            {"memory",
             {{"activations", blockBytes(*plan, Block::Activations)},
              {"parameters", blockBytes(*plan, Block::Parameters)},
              {"gradients", blockBytes(*plan, Block::Gradients)},
              {"optimizer", blockBytes(*plan, Block::FirstMoment) + blockBytes(*plan, Block::SecondMoment)},
              {"states", blockBytes(*plan, Block::States)},
              {"fixed", blockBytes(*plan, Block::Fixed)},
              {"total", plan->bytes()}}},
            {"layers", std::move(layers)}};
}

std::string networkReportText(const compute::NetworkExperiment& experiment) {
    const auto plan = planOf(experiment);
    if (!plan)
        return {};
    std::vector<std::vector<std::string>> rows{
        {"layer", "type", "output shape", "parameters", "multiply-adds", "output", "windows as a matrix"}};
    for (const NetworkLayer& layer : plan->network.layers)
        rows.push_back({layer.spec.name, layer.spec.type, compute::shapeText(layer.lowering->output),
                        formatCount(layer.parameterElements()), countText(layer.lowering->multiplyAdds),
                        layer.lowering->viewsInput ? "view" : wholeBytesText(outputBytes(layer)),
                        expansionText(layer)});
    return textTable(rows) + "\n" + formatCount(plan->network.parameterElements()) + " parameters, " +
           countText(plan->network.multiplyAdds()) + " multiply-adds forward for a batch of " +
           std::to_string(experiment.batch()) + "\nmemory: activations " +
           wholeBytesText(blockBytes(*plan, Block::Activations)) + ", parameters " +
           wholeBytesText(blockBytes(*plan, Block::Parameters)) + ", gradients " +
           wholeBytesText(blockBytes(*plan, Block::Gradients)) + ", optimiser " +
           wholeBytesText(blockBytes(*plan, Block::FirstMoment) + blockBytes(*plan, Block::SecondMoment)) +
           ", inputs and states " +
           wholeBytesText(blockBytes(*plan, Block::Fixed) + blockBytes(*plan, Block::States)) +
           ", together " + wholeBytesText(plan->bytes()) + "\n";
}

} // namespace heteroscope::cli
