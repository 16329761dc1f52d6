// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/spec/option_effect.h"

#include "compute/core/target.h"
#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/effect.h"
#include "compute/experiment/spec/findings.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/read_spec.h"
#include "compute/model/transform_type.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute {
namespace {

bool isOf(const Json& object, const char* key, std::initializer_list<const char*> texts) {
    const auto found = object.find(key);
    return found != object.end() &&
           std::any_of(texts.begin(), texts.end(), [&](const char* text) { return *found == text; });
}

/// What a parameter is at the points of the study.
std::vector<Json> valuesAt(const Json& expanded, const char* pointer) {
    std::vector<Json> values = axisValuesOf(expanded)(pointer);
    const Json* const value = valueAt(expanded, pointer);
    if (values.empty() && value != nullptr)
        values.push_back(*value);
    return values;
}

/// Whether it is this at any point.
bool is(const Json& expanded, const char* pointer, const char* text) {
    const auto values = valuesAt(expanded, pointer);
    return std::any_of(values.begin(), values.end(), [&](const Json& value) { return value == text; });
}

using IsWanted = std::function<bool(const Json& layer)>;

/// Of one network; where its layers are somewhere else, as in an ONNX file, any may be there.
bool networkHasLayer(const Json* network, const IsWanted& isWanted) {
    const auto layers = network == nullptr ? Json::const_iterator() : network->find("layers");
    return network == nullptr || layers == network->end() ||
           std::any_of(layers->begin(), layers->end(), isWanted);
}

/// Of the network of any point.
bool hasLayer(const Json& expanded, const IsWanted& isWanted) {
    if (!is(expanded, "/kind", "network"))
        return false;
    if (!choosesNetwork(expanded))
        return networkHasLayer(valueAt(expanded, "/network"), isWanted);
    const auto names = axisValuesOf(expanded)("/network");
    return std::any_of(names.begin(), names.end(), [&](const Json& name) {
        return networkHasLayer(valueAt(expanded, childPointer("/networks", name.get<std::string>())),
                               isWanted);
    });
}

bool hasLayer(const Json& expanded, std::initializer_list<const char*> types) {
    return hasLayer(expanded, [&](const Json& layer) { return isOf(layer, "type", types); });
}

bool hasConvolution(const Json& expanded) {
    return hasLayer(expanded, {"conv2d"});
}

/// A convolution that our kernels transform; whatever an axis makes of a layer may be one.
bool hasTransformable(const Json& expanded) {
    const std::vector<Axis> axes = readAxes(expanded);
    if (std::any_of(axes.begin(), axes.end(),
                    [](const Axis& axis) { return axis.pointer.find("/layers/") != std::string::npos; }))
        return hasConvolution(expanded);
    const auto isOne = [](const Json& layer, const char* key, std::int64_t size, std::int64_t otherwise) {
        const auto found = layer.find(key);
        return found == layer.end() ? size == otherwise
                                    : *found == size || *found == Json::array({size, size});
    };
    return hasLayer(expanded, [&](const Json& layer) {
        return isOf(layer, "type", {"conv2d"}) &&
               (isOne(layer, "kernel", 3, 3) || isOne(layer, "kernel", 5, 3)) &&
               isOne(layer, "stride", 1, 1) && isOne(layer, "dilation", 1, 1) && isOne(layer, "groups", 1, 1);
    });
}

bool hasDense(const Json& expanded) {
    return hasLayer(expanded, {"dense"});
}

bool hasWeighted(const Json& expanded) {
    return hasLayer(expanded, {"conv2d", "dense"});
}

/// A product of its own, which a kernel for products computes: of matrices, or of windows one by one.
bool isProduct(const Json& expanded) {
    return is(expanded, "/kind", "matmul") || is(expanded, "/pooling/strategy", "window");
}

bool hasProduct(const Json& expanded) {
    return isProduct(expanded) || hasDense(expanded);
}

bool multiplies(const Json& expanded) {
    return hasProduct(expanded) || hasConvolution(expanded);
}

/// The window strategy copies its windows one by one.
bool submitsKernelsAlone(const Json& expanded) {
    return !is(expanded, "/kind", "pooling") || is(expanded, "/pooling/strategy", "image");
}

/// Images that are transformed anew in each epoch are fed by the host, whatever the option says.
bool feedsFromDevice(const Json& expanded) {
    const auto sources = valuesAt(expanded, "/data/source"),
               transforms = valuesAt(expanded, "/data/transforms");
    const auto isDataset = [](const Json& source) { return source != "synthetic"; };
    const auto drawsNothing = [](const Json& list) {
        return std::none_of(list.begin(), list.end(), [](const Json& one) {
            const TransformType* const type = findTransformType(one.at("type").get_ref<const std::string&>());
            return type != nullptr && type->random;
        });
    };
    return is(expanded, "/kind", "network") && is(expanded, "/task", "train") &&
           std::any_of(sources.begin(), sources.end(), isDataset) &&
           (transforms.empty() || std::any_of(transforms.begin(), transforms.end(), drawsNothing));
}

/// An option of implementations on a GPU, and what reads it.
struct OptionRule {
    const char* option;
    std::vector<const char*> implementations;
    bool (*hasEffect)(const Json& expanded);
    const char* needs;
};

const std::vector<OptionRule>& optionRules() {
    static const std::vector<OptionRule> rules{
        {"fuse", {"cuda"}, hasWeighted, "a conv2d or dense layer, which takes in what follows it"},
        {"fuse", {"cublas"}, hasDense, "a dense layer, which takes in the ReLU after it"},
        {"fuse", {"cudnn"}, hasConvolution, "a conv2d layer, which takes in the ReLU after it"},
        {"graph",
         {"cuda", "cublas", "cudnn"},
         submitsKernelsAlone,
         "another strategy than \"window\", whose windows are copied between its kernels"},
        {"data",
         {"cuda", "cublas", "cudnn"},
         feedsFromDevice,
         "a training on a dataset without random transforms, whose images lie on the device or are streamed"},
        {"kernel",
         {"cuda"},
         isProduct,
         "a matrix product (kind matmul) or the window strategy; ?impl= is for layers"},
        {"tf32", {"cublas"}, multiplies, "a matrix product, or a conv2d or dense layer"},
        {"benchmark", {"cublas"}, hasProduct, "a matrix product or a dense layer"},
        {"tf32", {"cudnn"}, hasConvolution, "a network with a conv2d layer"},
        {"benchmark", {"cudnn"}, hasConvolution, "a network with a conv2d layer"},
        {"deterministic", {"cudnn"}, hasConvolution, "a network with a conv2d layer"},
        {"transforms", {"cudnn"}, hasConvolution, "a network with a conv2d layer"},
        {"transforms",
         {"cuda"},
         hasTransformable,
         "a conv2d layer of one group with a kernel of 3x3 or 5x5, a stride and a dilation of 1"}};
    return rules;
}

} // namespace

std::vector<Diagnostic> optionsWithoutEffect(const Json& document) {
    const Json* const targets = valueAt(document, "/targets");
    std::optional<Json> expanded; // for the first option that there is a rule for
    Findings findings;
    for (std::size_t i = 0; targets != nullptr && i < targets->size(); ++i) {
        const auto target = parseTarget((*targets)[i].get_ref<const std::string&>());
        if (!target || !namesGpu(target->device))
            continue;
        for (const OptionRule& rule : optionRules()) {
            const bool names = target->options.contains(rule.option) &&
                               std::find(rule.implementations.begin(), rule.implementations.end(),
                                         target->implementation) != rule.implementations.end();
            if (!names)
                continue;
            if (!expanded)
                expanded = withDefaults(document);
            if (!rule.hasEffect(*expanded))
                findings.error(childPointer("/targets", i),
                               "the option \"" + std::string(rule.option) + "\" of " + target->text() +
                                   " has no effect here",
                               rule.needs, "leave the option out");
        }
    }
    return findings.take();
}

Status checkOptionEffects(const Json& document) {
    const auto found = optionsWithoutEffect(document);
    if (found.empty())
        return {};
    const Diagnostic& first = found.front();
    return badInput(first.pointer, first.message, first.allowed, first.advice);
}

} // namespace heteroscope::compute
