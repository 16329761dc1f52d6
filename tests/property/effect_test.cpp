// SPDX-License-Identifier: Apache-2.0
// Every parameter of the schema as an axis, for every kind and task: the computation changes, or the axis is
// refused, and only then. What is accepted and changes nothing would give two points with different names and
// the same work.
#include "compute/backends/builtin.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/spec_json.h"
#include "compute/model/layer_type.h"
#include "compute/model/parameter_schema.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace heteroscope::compute {
namespace {

/// What a run computed, without the times that it took. Steps come in batches of any size.
class Signature : public StudyObserver {
  public:
    std::string text() const {
        std::string all = m_runs + m_losses + "\n" + m_rates + "\n" + m_norms + "\n" + m_passes;
        for (const std::string& op : m_ops)
            all += op + "\n";
        return all;
    }
    void add(const std::string& more) { m_runs += more + "\n"; }

    void sampleEnd(const SampleRecord& sample) override {
        m_warmUps += sample.warmup && isLong(sample) ? 1 : 0;
        m_repeats = m_repeats || (!sample.warmup && !sample.traced && sample.repetitions > 1);
        if (!sample.warmup && !sample.traced)
            add("copies " + std::to_string(sample.h2d.count) + " " + std::to_string(sample.d2h.count));
    }
    void opBegin(const OpEvent& event) override {
        m_ops.insert(std::string(event.op) + " " + std::string(event.detail));
    }
    void trainingSteps(const TrainingSteps& steps) override {
        append(m_losses, steps.loss);
        append(m_rates, steps.learningRate);
        append(m_norms, steps.gradientNorm);
    }
    void trainingEvaluation(const TrainingEvaluation& pass) override {
        m_passes += pass.part + " " + std::to_string(pass.examples) + " " + std::to_string(pass.loss) + "\n";
    }
    void runEnd(const RunOutcome& outcome) override {
        add(outcome.outputDigest + " " + outcome.stoppedBy.dump() + " " + outcome.reason);
    }

    /// How the samples were taken, which what was computed does not show.
    std::string sampling() const {
        return text() + (m_warmUps > 1 ? "warmed up" : "not warmed up") +
               (m_repeats ? ", several repetitions a sample" : "");
    }

  private:
    /// As long as a warm-up has to be to be judged.
    static bool isLong(const SampleRecord& sample) { return sample.wallMs * sample.repetitions >= 10; }
    static void append(std::string& text, const std::vector<double>& values) {
        for (const double value : values)
            text += Json(value).dump() + " ";
    }

    std::string m_runs, m_losses, m_rates, m_norms, m_passes;
    std::set<std::string> m_ops; ///< of the traced samples
    int m_warmUps = 0;           ///< long ones
    bool m_repeats = false;
};

struct Case {
    const char* name;
    const char* document;
};

void PrintTo(const Case& one, std::ostream* out) {
    *out << one.name;
}

constexpr Case kCases[] = {
    {"pooling_image",
     R"({"kind": "pooling", "pooling": {"input": {"size": 12, "channels": 2, "batch": 2, "low": -9, "high": -1},
        "kernel": 3, "stride": 2, "padding": 1}})"},
    {"pooling_average", R"({"kind": "pooling", "pooling": {"mode": "average", "input": {"size": 12},
        "kernel": 3, "stride": 2, "padding": 1, "backward": true}})"},
    {"pooling_window", R"({"kind": "pooling", "pooling": {"strategy": "window", "input": {"size": 12},
        "kernel": 2, "paddingValue": "zero"}})"},
    {"pooling_by_hand", R"({"kind": "pooling", "pooling": {"input": {"source": "manual",
        "values": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6], [5, 4, 3, 2]]}}})"},
    {"matmul", R"({"kind": "matmul", "matmul": {"m": 8, "n": 8, "k": 8}})"},
    {"infer", R"({"kind": "network", "task": "infer", "network": {"input": {"shape": [1, 8, 8]}, "layers": [
        {"type": "conv2d", "filters": 2, "kernel": 3}, {"type": "relu"}, {"type": "flatten"},
        {"type": "dense", "units": 4}]}})"},
    {"train", R"({"kind": "network", "task": "train", "training": {"batch": 4}, "network": {
        "input": {"shape": [1, 8, 8]}, "layers": [{"type": "conv2d", "filters": 2, "kernel": 3},
        {"type": "relu"}, {"type": "flatten"}, {"type": "dropout"}, {"type": "dense", "units": 4}]}})"},
    {"infer_dataset", R"({"kind": "network", "task": "infer", "data": {"source": "shapes", "count": 20,
        "test_count": 10}, "network": {"input": {"shape": [1, 8, 8]}, "layers": [
        {"type": "flatten"}, {"type": "dense", "units": 4}]}})"},
    {"infer_all_examples", R"({"kind": "network", "task": "infer", "data": {"source": "shapes", "count": 20,
        "test_count": 0}, "network": {"input": {"shape": [1, 8, 8]}, "layers": [
        {"type": "flatten"}, {"type": "dense", "units": 4}]}})"},
    {"train_search", R"({"kind": "network", "task": "train", "data": {"source": "shapes", "count": 40,
        "test_count": 10}, "training": {"batch": 8, "find_learning_rate": true}, "network":
        {"input": {"shape": [1, 8, 8]}, "layers": [{"type": "flatten"}, {"type": "dense", "units": 4}]}})"},
    {"train_sgd", R"({"kind": "network", "task": "train", "data": {"source": "shapes", "count": 40,
        "test_count": 10}, "training": {"batch": 8, "epochs": 6, "optimizer": {"learning_rate": 30}}, "network":
        {"input": {"shape": [1, 8, 8]}, "layers": [{"type": "flatten"}, {"type": "dense", "units": 4}]}})"},
    {"train_adam_cosine", R"({"kind": "network", "task": "train", "data": {"source": "brain_slices",
        "count": 40, "test_count": 10}, "training": {"batch": 8, "epochs": 2, "optimizer": {"type": "adam"},
        "schedule": {"type": "cosine"}}, "network": {"input": {"shape": [1, 8, 8]},
        "layers": [{"type": "flatten"}, {"type": "dense", "units": 4}]}})"},
    {"train_step", R"({"kind": "network", "task": "train", "data": {"source": "irradiance_table",
        "count": 40, "test_count": 10}, "training": {"loss": "mean_squared_error", "batch": 8, "epochs": 6,
        "schedule": {"type": "step", "every": 1}}, "network": {"input": {"shape": [50]},
        "layers": [{"type": "dense", "units": 1}]}})"},
};

Json documentOf(const Case& one) {
    Json document = Json::parse(one.document);
    document["heteroscope"] = 1;
    document["targets"] = {"cpu/sequential"};
    document["sampling"] = {{"preset", "quick"}, {"samples", 1}, {"warmup_limit_s", 0}};
    return document;
}

/// Values between which it is decided by the rest of the experiment whether anything changes; "train_sgd" is
/// made for these.
const std::map<std::string, std::vector<Json>>& chosenValues() {
    static const std::map<std::string, std::vector<Json>> all{{"/training/patience", {1, 3}}};
    return all;
}

/// A training of one kind of step on numbers that were made up shows its first step only, which these do not
/// change; trainings on datasets show what they do.
bool showsLater(const std::string& name, const std::string& pointer) {
    return name == "train" && pointer.starts_with("/training/optimizer/") && !pointer.ends_with("/type");
}

/// Two values that a parameter may take.
std::vector<Json> twoValues(const Parameter& parameter) {
    const double low = parameter.min.value_or(0), high = parameter.max.value_or(100);
    switch (parameter.type) {
    case ParameterType::Integer:
    case ParameterType::Extent:
    case ParameterType::Padding: {
        const auto first = static_cast<std::int64_t>(std::max(low, 3.0));
        return {first, static_cast<std::int64_t>(std::min(high, static_cast<double>(first + 2)))};
    }
    case ParameterType::Number:
        return {low + 0.25 * std::min(high - low, 1.0), low + 0.5 * std::min(high - low, 1.0)};
    case ParameterType::Boolean:
        return {false, true};
    case ParameterType::Choice:
        return {parameter.choices[0], parameter.choices[parameter.choices.size() > 2 ? 2 : 1]};
    default:
        return {}; // files, shapes and lists that are no two values of one experiment
    }
}

/// Of the first mistake; empty without one.
std::string mistakeIn(const Json& document) {
    for (const Diagnostic& one : checkExperiment(document))
        if (one.severity == Diagnostic::Severity::Error)
            return one.message;
    return {};
}

/// What is said of a failure is part of it.
Signature signatureOfRun(const Json& document) {
    Signature signature;
    const auto spec = specFromJson(document);
    if (!spec) {
        signature.add("refused: " + spec.error().sentence());
        return signature;
    }
    RunOptions options;
    options.checkEqual = false;
    if (const Status status = runStudy(*spec, makeBuiltinRegistry(), options, signature); !status)
        signature.add(status.error().sentence());
    return signature;
}

std::string signatureOf(const Json& document) {
    return signatureOfRun(document).text();
}

/// Two values of each parameter of sampling that change how this process takes its samples.
const std::map<std::string, std::array<Json, 2>>& samplingValues() {
    static const std::map<std::string, std::array<Json, 2>> all{{"cache", {"warm", "flush"}},
                                                                {"warmup_limit_s", {0, 600}}};
    return all;
}

class Effect : public testing::TestWithParam<Case> {};

TEST_P(Effect, OfEachParameterThatIsAccepted) {
    const Json document = documentOf(GetParam());
    ASSERT_EQ(mistakeIn(document), "");
    int accepted = 0, without = 0, seen = 0;
    for (const ParameterGroup& group : parameterGroups(document.at("kind"))) {
        if (group.pointer == "/sampling")
            continue; // no axis
        for (const Parameter& parameter : group.parameters) {
            const std::string pointer = childPointer(group.pointer, parameter.key);
            const auto chosen = chosenValues().find(pointer);
            // What is accepted is the same with a sanitizer, which takes ten times as long for it.
            if (kTimeFactor > 1 && seen++ % 3 != 0)
                continue;
            if (showsLater(GetParam().name, pointer) ||
                (chosen != chosenValues().end() && GetParam().name != std::string("train_sgd")))
                continue;
            const std::vector<Json> values =
                chosen == chosenValues().end() ? twoValues(parameter) : chosen->second;
            Json swept = document;
            swept["axes"] = {{pointer, values}};
            const std::string mistake = mistakeIn(swept);
            const bool isWithout = mistake.find("has no effect") != std::string::npos;
            if (values.empty() || (!mistake.empty() && !isWithout))
                continue;
            ++(isWithout ? without : accepted);
            std::vector<std::string> signatures;
            for (const Json& value : values) {
                Json alone = document;
                ASSERT_TRUE(setValueAt(alone, pointer, value));
                signatures.push_back(signatureOf(alone));
            }
            if (isWithout) {
                EXPECT_EQ(signatures[0], signatures[1]) << pointer << ": " << mistake;
            } else {
                EXPECT_NE(signatures[0], signatures[1])
                    << pointer << " is accepted as an axis over " << values[0] << " and " << values[1]
                    << ", and both compute the same";
            }
        }
    }
    EXPECT_GT(accepted, kTimeFactor > 1 ? 0 : 1);
    RecordProperty("accepted", accepted);
    RecordProperty("without_effect", without);
}

/// Values of a layer's parameter, where two of any do not fit the network around it.
std::vector<Json> layerValues(const Parameter& parameter) {
    static const std::map<std::string, std::vector<Json>> chosen{{"kernel", {2, 3}},  {"stride", {1, 2}},
                                                                 {"padding", {0, 1}}, {"dilation", {1, 2}},
                                                                 {"groups", {1, 2}},  {"filters", {2, 4}}};
    const auto found = chosen.find(parameter.key);
    return found == chosen.end() ? twoValues(parameter) : found->second;
}

/// The layer between a convolution with 4 filters and a dense layer; running statistics are read by the
/// validation pass of the training.
Json around(const LayerType& type, const Parameter& parameter, const std::string& task) {
    Json layer = {{"type", type.id}};
    for (const Parameter& other : type.parameters)
        if (other.required)
            layer[other.key] = layerValues(other).front();
    if (parameter.key == "count_include_pad")
        layer["padding"] = 1;
    if (type.id == "avgpool2d" && parameter.key == "ceil")
        layer["count_include_pad"] = false; // there is none where a window reaches over the edge
    Json document = Json::parse(R"({"kind": "network", "network": {"input": {"shape": [1, 9, 9]}, "layers": [
        {"type": "conv2d", "filters": 4, "kernel": 1}, {"type": "flatten"}, {"type": "dense", "units": 4}]},
        "data": {"source": "shapes", "count": 20, "test_count": 10, "validation_share": 0.5}})");
    document["heteroscope"] = 1;
    document["task"] = task;
    document["targets"] = {"cpu/sequential"};
    document["sampling"] = {{"preset", "quick"}, {"samples", 1}, {"warmup_limit_s", 0}};
    if (task == "train")
        document["training"] = {{"batch", 5}, {"epochs", 2}};
    Json& layers = document["network"]["layers"];
    layers.insert(layers.begin() + 1, layer);
    return document;
}

class LayerEffect : public testing::TestWithParam<std::string> {};

TEST_P(LayerEffect, OfEachParameterOfALayer) {
    int accepted = 0, without = 0;
    for (const LayerType& type : layerTypes())
        for (const Parameter& parameter : type.parameters) {
            const std::string pointer = "/network/layers/1/" + parameter.key;
            const Json document = around(type, parameter, GetParam());
            ASSERT_EQ(mistakeIn(document), "") << type.id;
            const std::vector<Json> values = layerValues(parameter);
            Json swept = document;
            swept["axes"] = {{pointer, values}};
            const std::string mistake = mistakeIn(swept);
            const bool isWithout = mistake.find("has no effect") != std::string::npos;
            ASSERT_TRUE(mistake.empty() || isWithout) << type.id << " " << pointer << ": " << mistake;
            ++(isWithout ? without : accepted);
            std::vector<std::string> signatures;
            for (const Json& value : values) {
                Json alone = document;
                ASSERT_TRUE(setValueAt(alone, pointer, value));
                signatures.push_back(signatureOf(alone));
            }
            EXPECT_EQ(signatures[0] == signatures[1], isWithout)
                << type.id << " " << pointer << " over " << values[0] << " and " << values[1];
        }
    EXPECT_GE(accepted, 20);
    EXPECT_EQ(without, GetParam() == "infer" ? 2 : 0);
}

TEST(EffectOfPadding, ThatIsNotThereIsNotCounted) {
    const Parameter none;
    Json document = around(*findLayerType("avgpool2d"), none, "train");
    document["axes"] = {{"/network/layers/1/count_include_pad", {false, true}}};
    EXPECT_NE(mistakeIn(document).find("has no effect without padding"), std::string::npos);
    document["axes"]["/network/layers/1/padding"] = {0, 1};
    EXPECT_EQ(mistakeIn(document), "");
    document["network"]["layers"][1]["ceil"] = true;
    document["axes"] = {{"/network/layers/1/count_include_pad", {false}}};
    EXPECT_EQ(mistakeIn(document), "");
}

INSTANTIATE_TEST_SUITE_P(Tasks, LayerEffect, testing::Values("infer", "train"),
                         [](const auto& one) { return one.param; });

TEST_P(Effect, OfHowSamplesAreTaken) {
    for (const auto& [key, values] : samplingValues()) {
        const std::string pointer = "/sampling/" + key;
        ASSERT_NE(findParameter(documentOf(GetParam()).at("kind"), pointer), nullptr);
        bool isRefused = false;
        std::vector<std::string> signatures;
        for (const Json& value : values) {
            Json document = documentOf(GetParam());
            document["sampling"][key] = value;
            const Status effect = checkOverrideEffect(document, pointer + "=" + value.dump());
            isRefused = isRefused || !mistakeIn(document).empty() || !effect;
            signatures.push_back(signatureOfRun(document).sampling());
        }
        EXPECT_TRUE(isRefused || signatures[0] != signatures[1])
            << pointer << " is accepted and changes nothing";
    }
}

/// A repetition of these is many steps, of which a flush would meet the first alone.
TEST(Cache, IsFlushedWhereARepetitionIsOneStep) {
    for (const Case& one : kCases) {
        Json document = documentOf(one);
        document["sampling"]["cache"] = "flush";
        const bool manySteps = document.contains("data") || one.name == std::string("pooling_window");
        const std::string mistake = mistakeIn(document);
        EXPECT_EQ(mistake.find("the caches are flushed before a repetition, and ") == 0, manySteps)
            << one.name << ": " << mistake;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Effect, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace heteroscope::compute
