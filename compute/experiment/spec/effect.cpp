// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/spec/effect.h"

#include "compute/experiment/spec/pointer.h"

#include <algorithm>
#include <vector>

namespace heteroscope::compute {
namespace {

constexpr const char* kFilesInOrder[] = {"idx", "cifar10", "cifar100", "csv", "npy"};

/// A parameter of the same name that has an effect, as advice; empty without one.
std::string otherOfThatName(const std::string& kind, const Json& expanded, const std::string& pointer,
                            const std::string& key, const std::function<bool(const std::string&)>& varies) {
    for (const ParameterGroup& group : parameterGroups(kind))
        for (const Parameter& parameter : group.parameters) {
            const std::string other = childPointer(group.pointer, parameter.key);
            if (parameter.key == key && other != pointer &&
                !inactiveBecause(kind, expanded, parameter, varies))
                return "set " + other + " instead";
        }
    return {};
}

bool isZero(const Json& value) {
    return value.is_array() ? std::all_of(value.begin(), value.end(), isZero) : value == 0;
}

bool isText(const Json& expanded, const char* pointer, const char* text) {
    const Json* const value = valueAt(expanded, pointer);
    return value != nullptr && *value == text;
}

bool hasNoPadding(const Json& expanded) {
    const Json* const padding = valueAt(expanded, "/pooling/padding");
    return padding == nullptr || isZero(*padding);
}

bool hasNoGpu(const Json& expanded) {
    const Json* const targets = valueAt(expanded, "/targets");
    return targets == nullptr || !targets->is_array() ||
           std::none_of(targets->begin(), targets->end(), [](const Json& target) {
               return target.is_string() && target.get_ref<const std::string&>().starts_with("cuda");
           });
}

bool drawsNoInput(const Json& expanded) {
    const Json* const backward = valueAt(expanded, "/pooling/backward");
    return !isText(expanded, "/pooling/input/source", "random") &&
           (backward == nullptr || *backward == false);
}

bool hasNoMomentum(const Json& expanded) {
    const Json* const momentum = valueAt(expanded, "/training/optimizer/momentum");
    return momentum == nullptr || isZero(*momentum);
}

/// Files in their order; folders of images are always shuffled.
bool shufflesNothing(const Json& expanded) {
    const auto isSource = [&](const char* source) { return isText(expanded, "/data/source", source); };
    return std::any_of(std::begin(kFilesInOrder), std::end(kFilesInOrder), isSource) &&
           !isText(expanded, "/data/split", "shuffled");
}

/// What a condition on one other parameter cannot say.
struct Rule {
    const char* pointer;
    std::vector<const char*> reads; ///< says nothing where one of these varies
    bool (*isWithout)(const Json& expanded);
    const char *message, *allowed;
};

const std::vector<Rule>& rules() {
    static const std::vector<Rule> all{
        {"/pooling/window/multiply",
         {},
         hasNoGpu,
         "has no effect on a processor, which has one way to multiply a window",
         "a target on a GPU, such as \"cuda:0/cuda\""},
        {"/pooling/paddingValue",
         {"/pooling/padding"},
         hasNoPadding,
         "has no effect without padding",
         "/pooling/padding above 0"},
        {"/pooling/countIncludePad",
         {"/pooling/padding"},
         hasNoPadding,
         "has no effect without padding",
         "/pooling/padding above 0"},
        {"/pooling/input/seed",
         {"/pooling/input/source", "/pooling/backward"},
         drawsNoInput,
         "has no effect where nothing is drawn",
         "/pooling/input/source = \"random\", or /pooling/backward = true"},
        {"/training/optimizer/nesterov",
         {"/training/optimizer/momentum"},
         hasNoMomentum,
         "has no effect without momentum",
         "/training/optimizer/momentum above 0"},
        {"/data/seed",
         {"/data/source", "/data/split"},
         shufflesNothing,
         "has no effect where nothing is drawn or shuffled",
         "/data/split = \"shuffled\""}};
    return all;
}

std::optional<WithoutEffect> byRule(const Json& expanded, const std::string& pointer,
                                    const std::function<bool(const std::string&)>& varies) {
    for (const Rule& rule : rules()) {
        const bool isOpen = std::any_of(rule.reads.begin(), rule.reads.end(),
                                        [&](const char* read) { return varies && varies(read); });
        if (pointer == rule.pointer && !isOpen && rule.isWithout(expanded))
            return WithoutEffect{rule.message, rule.allowed, {}};
    }
    return std::nullopt;
}

} // namespace

std::optional<WithoutEffect> withoutEffect(const std::string& kind, const Json& expanded,
                                           const std::string& pointer, const Parameter& parameter,
                                           const std::function<bool(const std::string&)>& varies) {
    const auto why = inactiveBecause(kind, expanded, parameter, varies);
    if (!why)
        return byRule(expanded, pointer, varies);
    return WithoutEffect{"has no effect while " + why->pointer + " is " +
                             valueOrDefault(kind, expanded, why->pointer).dump(),
                         why->pointer + " = " + quotedList(why->values),
                         otherOfThatName(kind, expanded, pointer, parameter.key, varies)};
}

} // namespace heteroscope::compute
