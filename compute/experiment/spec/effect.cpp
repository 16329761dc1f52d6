// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/spec/effect.h"

#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/pointer.h"

#include <algorithm>
#include <vector>

namespace heteroscope::compute {
namespace {

constexpr const char* kDrawn[] = {"shapes", "brain_slices", "irradiance_maps", "irradiance_table"};
constexpr const char* kFilesInOrder[] = {"idx", "cifar10", "cifar100", "csv", "npy"};

/// A parameter of the same name that has an effect, as advice; empty without one.
std::string otherOfThatName(const std::string& kind, const Json& expanded, const std::string& pointer,
                            const std::string& key, const AxisValues& axisValues) {
    for (const ParameterGroup& group : parameterGroups(kind))
        for (const Parameter& parameter : group.parameters) {
            const std::string other = childPointer(group.pointer, parameter.key);
            if (parameter.key == key && other != pointer &&
                !inactiveBecause(kind, expanded, parameter, axisValues))
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

bool searchesRate(const Json& expanded) {
    const Json* const search = valueAt(expanded, "/training/find_learning_rate");
    return search != nullptr && *search == true;
}

bool isDrawn(const Json& expanded) {
    return std::any_of(std::begin(kDrawn), std::end(kDrawn),
                       [&](const char* source) { return isText(expanded, "/data/source", source); });
}

bool drawsNoTests(const Json& expanded) {
    const Json* const tests = valueAt(expanded, "/data/test_count");
    return isDrawn(expanded) && tests != nullptr && *tests == 0;
}

bool infersDrawn(const Json& expanded) {
    return isDrawn(expanded) && isText(expanded, "/task", "infer");
}

/// What files hold for tests is not known here.
bool infersTestExamples(const Json& expanded) {
    return infersDrawn(expanded) && !drawsNoTests(expanded);
}

bool trainsOnDataset(const Json& expanded) {
    return isText(expanded, "/task", "train") && !isText(expanded, "/data/source", "synthetic");
}

bool hasTestFiles(const Json& expanded) {
    const Json* const images = valueAt(expanded, "/data/test_images");
    return images != nullptr && images->is_string() && *images != "" &&
           (isText(expanded, "/data/source", "idx") || isText(expanded, "/data/source", "npy"));
}

/// What a condition on one other parameter cannot say.
struct Rule {
    const char* pointer;
    std::vector<const char*> reads; ///< says nothing where one of these varies
    bool (*isWithout)(const Json& expanded);
    const char *message, *allowed;
};

std::vector<Rule> singleRules() {
    return {{"/pooling/window/multiply",
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
             "/data/split = \"shuffled\""},
            {"/data/validation_share",
             {"/task", "/data/source"},
             infersDrawn,
             "has no effect while drawn examples are inferred",
             "/task = \"train\""},
            {"/data/test_limit",
             {"/data/source", "/data/test_count"},
             drawsNoTests,
             "has no effect without test examples",
             "/data/test_count above 0"},
            {"/data/test_share",
             {"/data/source", "/data/test_images"},
             hasTestFiles,
             "has no effect beside files to test with",
             "no /data/test_images"}};
}

std::vector<Rule> samplingRules() {
    const std::vector<const char*> reads{"/task", "/data/source"};
    return {{"/sampling/samples", reads, trainsOnDataset,
             "has no effect on a training on a dataset, each epoch of which is one sample",
             "/training/epochs = N, or /data/source = \"synthetic\""},
            {"/sampling/time_limit_s", reads, trainsOnDataset,
             "has no effect on a training on a dataset, which ends with its epochs",
             "/training/epochs = N, or /data/source = \"synthetic\""},
            {"/sampling/warmup_limit_s", reads, trainsOnDataset,
             "has no effect on a training on a dataset, which is not repeated to warm up",
             "/data/source = \"synthetic\""}};
}

/// Of a search for a learning rate, and of inferences that have examples to test with.
std::vector<Rule> rulesOfSeveral() {
    std::vector<Rule> all;
    for (const char* pointer : {"/training/epochs", "/training/patience", "/training/schedule/type",
                                "/training/optimizer/learning_rate", "/data/test_count", "/data/test_limit"})
        all.push_back({pointer,
                       {"/training/find_learning_rate"},
                       searchesRate,
                       "has no effect while /training/find_learning_rate is true",
                       "/training/find_learning_rate = false"});
    for (const char* pointer : {"/data/count", "/data/training_limit"})
        all.push_back({pointer,
                       {"/task", "/data/source", "/data/test_count"},
                       infersTestExamples,
                       "has no effect while the test examples are inferred",
                       "/task = \"train\", or /data/test_count = 0"});
    return all;
}

const std::vector<Rule>& rules() {
    static const std::vector<Rule> all = [] {
        std::vector<Rule> joined = singleRules();
        for (const std::vector<Rule>& more : {samplingRules(), rulesOfSeveral()})
            joined.insert(joined.end(), more.begin(), more.end());
        return joined;
    }();
    return all;
}

std::optional<WithoutEffect> byRule(const Json& expanded, const std::string& pointer,
                                    const AxisValues& axisValues) {
    for (const Rule& rule : rules()) {
        const bool isOpen = std::any_of(rule.reads.begin(), rule.reads.end(),
                                        [&](const char* read) { return !axisValues(read).empty(); });
        if (pointer == rule.pointer && !isOpen && rule.isWithout(expanded))
            return WithoutEffect{rule.message, rule.allowed, {}};
    }
    return std::nullopt;
}

/// Whether no window of a pooling layer reaches over the edge.
bool padsNothing(const Json& expanded, const std::string& layer, const AxisValues& axisValues) {
    const Json* const padding = valueAt(expanded, layer + "/padding");
    const Json* const ceil = valueAt(expanded, layer + "/ceil");
    return axisValues(layer + "/padding").empty() && (padding == nullptr || isZero(*padding)) &&
           axisValues(layer + "/ceil").empty() && (ceil == nullptr || *ceil == false);
}

WithoutEffect whileOther(const std::string& kind, const Json& expanded, const ParameterCondition& why) {
    return {"has no effect while " + why.pointer + " is " +
                valueOrDefault(kind, expanded, why.pointer).dump(),
            why.pointer + " = " + quotedList(why.values),
            {}};
}

} // namespace

AxisValues axisValuesOf(const Json& document) {
    return [&document](const std::string& pointer) {
        auto axis = axisOver(document, pointer);
        return axis ? std::move(axis->values) : std::vector<Json>();
    };
}

std::optional<WithoutEffect> withoutEffect(const std::string& kind, const Json& expanded,
                                           const std::string& pointer, const Parameter& parameter,
                                           const AxisValues& axisValues) {
    const auto why = inactiveBecause(kind, expanded, parameter, axisValues);
    if (!why)
        return byRule(expanded, pointer, axisValues);
    WithoutEffect without = whileOther(kind, expanded, *why);
    without.advice = otherOfThatName(kind, expanded, pointer, parameter.key, axisValues);
    return without;
}

std::optional<WithoutEffect> layerParameterWithoutEffect(const Json& expanded, const std::string& pointer,
                                                         const AxisValues& axisValues) {
    const Parameter* const parameter = findLayerParameter(expanded, pointer);
    if (parameter == nullptr)
        return std::nullopt;
    const std::string layer = pointer.substr(0, pointer.rfind('/'));
    if (parameter->key == "count_include_pad" && padsNothing(expanded, layer, axisValues))
        return WithoutEffect{"has no effect without padding", layer + "/padding above 0", {}};
    const auto why = inactiveBecause("network", expanded, *parameter, axisValues);
    return why ? std::optional(whileOther("network", expanded, *why)) : std::nullopt;
}

} // namespace heteroscope::compute
