// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/spec/spec_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::compute {
namespace {

Json pooling() {
    return Json::parse(R"({"heteroscope": 1, "kind": "pooling",
        "pooling": {"input": {"source": "random", "size": 64}},
        "targets": ["cpu/sequential"]})");
}

std::vector<Diagnostic> errorsOf(const Json& document) {
    std::vector<Diagnostic> errors;
    for (const Diagnostic& finding : checkExperiment(document))
        if (finding.severity == Diagnostic::Severity::Error)
            errors.push_back(finding);
    return errors;
}

Json networkToInfer() {
    return Json::parse(
        R"({"heteroscope": 1, "kind": "network", "task": "infer", "network": {"input": {"shape": [1, 4, 4]},
        "layers": [{"name": "conv", "type": "conv2d", "filters": 2}, {"name": "norm", "type": "batchnorm"},
                   {"name": "drop", "type": "dropout"}]}, "targets": ["cpu/sequential"]})");
}

/// Points that say rate 0.1 and rate 0.9 would be the same.
TEST(LayerParameters, ThatOnlyTrainingReadsAreNoAxesOfInference) {
    for (const std::string pointer : {"/network/layers/2/rate", "/network/layers/1/momentum"}) {
        Json json = networkToInfer();
        json["axes"][pointer] = {0.1, 0.9};
        const auto found = errorsOf(json);
        ASSERT_EQ(found.size(), 1u) << pointer;
        EXPECT_THAT(found[0].message, testing::HasSubstr("has no effect while /task is \"infer\""));
        json["axes"] = {{pointer + ",/network/layers/1/epsilon", {0.1, 0.9}}};
        EXPECT_TRUE(errorsOf(json).empty()) << pointer;
        const auto all = checkExperiment(json);
        EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                                [&](const Diagnostic& one) { return one.pointer == pointer; }));
        json.erase("axes");
        EXPECT_FALSE(checkOverrideEffect(json, pointer + "=0.9"));
        json["task"] = "train";
        json["training"] = {{"loss", "mean_squared_error"}};
        EXPECT_TRUE(checkOverrideEffect(json, pointer + "=0.9"));
        json["axes"][pointer] = {0.1, 0.9};
        EXPECT_TRUE(specFromJson(json)) << specFromJson(json).error().sentence();
    }
}

TEST(LayerParameters, CanBeSetWhereTheFileLeavesThemOut) {
    Json json = networkToInfer();
    ASSERT_TRUE(applyOverride(json, "/network/layers/0/bias=false"));
    EXPECT_EQ(json["network"]["layers"][0]["bias"], false);
    const Status unknown = applyOverride(json, "/network/layers/0/rate=0.5");
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().sentence(), testing::HasSubstr("/network/layers/0/filters"));
}

TEST(LayerParameters, HaveNoEffectWhereAnAxisChoosesTheNetwork) {
    Json json = networkToInfer();
    json["networks"] = {{"other", json["network"]}};
    json["axes"]["/network"] = {"other"};
    ASSERT_TRUE(specFromJson(json)) << specFromJson(json).error().sentence();
    EXPECT_FALSE(checkOverrideEffect(json, "/network/layers/0/filters=3"));
}

} // namespace

TEST(ParseJson, ErrorCarriesPointerLineColumnAndByte) {
    const auto result = parseJsonText("{\n  \"pooling\": {\"input\": {\"low\": NaN}}\n}");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::BadInput);
    EXPECT_TRUE(result.error().where.starts_with("/pooling/input/low, line 2, column"))
        << result.error().where;
    EXPECT_NE(result.error().advice.find("NaN"), std::string::npos);
}

TEST(ParseJson, ErrorsArePrintableWhateverTheBytes) {
    const auto result = parseJsonText("{\"name\": \"\xff\xfe\"}");
    ASSERT_FALSE(result);
    for (const char c : result.error().sentence())
        EXPECT_TRUE(c >= 0x20 && c < 0x7f) << result.error().sentence();
}

TEST(ParseJson, DuplicateKeyIsNamed) {
    const auto result = parseJsonText(R"({"a": [1, {"b": 1, "b": 2}]})");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().where, "/a/1/b");
}

TEST(ParseJson, DepthIsBounded) {
    EXPECT_TRUE(parseJsonText(std::string(64, '[') + std::string(64, ']')));
    EXPECT_FALSE(parseJsonText(std::string(65, '[') + std::string(65, ']')));
    EXPECT_FALSE(parseJsonText(std::string(1000000, '[')));
}

TEST(ParseJson, OrderOfKeysIsKept) {
    const auto result = parseJsonText(R"({"z": 1, "a": 2, "m": 3})");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->dump(), R"({"z":1,"a":2,"m":3})");
}

TEST(CheckExperiment, ReportsAllMistakesAtTheirPointers) {
    Json document = pooling();
    document["pooling"]["kernal"] = 2;
    document["pooling"]["stride"] = 0;
    document["pooling"]["input"]["seed"] = "x";
    const auto errors = errorsOf(document);
    ASSERT_EQ(errors.size(), 3u);
    EXPECT_EQ(errors[0].pointer, "/pooling/kernal");
    EXPECT_EQ(errors[0].advice, "did you mean \"kernel\"?");
    EXPECT_EQ(errors[1].pointer, "/pooling/stride");
    EXPECT_EQ(errors[1].message, "found 0");
    EXPECT_EQ(errors[2].pointer, "/pooling/input/seed");
    EXPECT_EQ(errors[2].message, "found the text \"x\"");
}

TEST(CheckExperiment, ImpossiblePointNamesTheAxisValue) {
    Json document = pooling();
    document["pooling"]["kernel"] = 5;
    document["axes"]["/pooling/input/size"] = {64, 4, 2};
    const auto errors = errorsOf(document);
    ASSERT_EQ(errors.size(), 2u);
    EXPECT_EQ(errors[0].pointer, "/pooling/kernel");
    EXPECT_NE(errors[0].message.find("at /pooling/input/size = 4"), std::string::npos) << errors[0].message;
}

TEST(CheckExperiment, SameMistakeAtManyPointsIsSaidOnce) {
    Json document = pooling();
    document["axes"]["/pooling/padding"] = {0, 1, 7};
    document["axes"]["/pooling/input/size"] = {8, 16, 32, 64};
    const auto errors = errorsOf(document);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].pointer, "/axes/~1pooling~1padding/2");
}

/// Runs of two points of one meaning would be compared with each other.
TEST(CheckExperiment, EachMeaningOfAnAxisIsListedOnce) {
    const struct {
        const char* axis;
        const char* values;
        const char* said; ///< of value 1; empty: none is said
    } cases[] = {
        {"/pooling/kernel", "[2, 2]", "the value 2 is listed twice"},
        {"/pooling/kernel", "[2, 2.0]", "the value 2.0 means the same as 2, value 0 of the list"},
        {"/pooling/kernel", "[2, [2, 2]]", "the value [2,2] means the same as 2"},
        {"/pooling/kernel", "[[2, 3], [2.0, 3]]", "the value [2.0,3] means the same as [2,3]"},
        {"/pooling/kernel", "[2, [2, 3], [3, 2], 3]", ""},
        {"/pooling/padding", "[1, [1, 1, 1, 1]]", "the value [1,1,1,1] means the same as 1"},
        {"/pooling/padding", "[[0, 1], [0, 0, 1, 1]]", "the value [0,0,1,1] means the same as [0,1]"},
        {"/pooling/padding", "[[0, 1], [0, 1, 0, 1]]", ""},
        {"/pooling/input/seed", "[7, 7.0]", "the value 7.0 means the same as 7"},
        {"/pooling/mode", "[\"max\", \"average\"]", ""},
        {"/pooling/kernel,/pooling/stride", "[2, 2.0]", "the value 2.0 means the same as 2"},
    };
    for (const auto& item : cases) {
        Json document = pooling();
        document["axes"][item.axis] = Json::parse(item.values);
        std::string said;
        for (const Diagnostic& error : errorsOf(document))
            if (error.pointer.ends_with("/1"))
                said = error.message;
        EXPECT_TRUE(*item.said ? said.starts_with(item.said) : said.empty())
            << item.axis << ' ' << item.values << ": " << said;
    }
}

TEST(CheckExperiment, LongValuesAreNotRepeatedWhole) {
    Json document = pooling();
    document["pooling"]["kernel"] = std::string(1000000, '9');
    for (const Diagnostic& error : errorsOf(document))
        EXPECT_LT(error.message.size(), 200u);
    const auto number = parseJsonText("{\"kernel\": " + std::string(1000000, '9') + "}");
    ASSERT_FALSE(number);
    EXPECT_LT(number.error().message.size(), 500u);
    const std::string key = '"' + std::string(1000000, 'k') + "\": 1";
    const auto twice = parseJsonText("{" + key + ", " + key + "}");
    ASSERT_FALSE(twice);
    EXPECT_LT(twice.error().message.size(), 200u);
    EXPECT_LT(twice.error().sentence().size(), 5000u);
}

TEST(CheckExperiment, ValueWithoutEffectIsAWarning) {
    Json document = pooling();
    document["pooling"]["window"]["filter"] = "constant";
    const auto findings = checkExperiment(document);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].severity, Diagnostic::Severity::Warning);
    EXPECT_EQ(findings[0].pointer, "/pooling/window/filter");
    EXPECT_TRUE(specFromJson(document));
}

TEST(SpecFromJson, ReadsEveryForm) {
    Json document = pooling();
    document["pooling"].update(Json::parse(R"({"kernel": [3, 2], "stride": 1, "padding": [1, 0, 1, 1],
        "paddingValue": "zero", "backward": true})"));
    document["sampling"] = {{"preset", "quick"}, {"samples", 7}, {"time_limit_s", 2.5}};
    const auto spec = specFromJson(document, "/data");
    ASSERT_TRUE(spec) << spec.error().sentence();
    EXPECT_EQ(spec->pooling.params.kernel, (Extent2d{3, 2}));
    EXPECT_EQ(spec->pooling.params.stride, (Extent2d{1, 1}));
    EXPECT_EQ(spec->pooling.params.padding, (Padding2d{1, 0, 1, 1}));
    EXPECT_EQ(spec->pooling.params.padValue, PadValue::Zero);
    EXPECT_TRUE(spec->pooling.backward);
    EXPECT_EQ(spec->pooling.input.height, 64);
    EXPECT_EQ(spec->sampling.preset, Preset::Quick);
    EXPECT_EQ(spec->sampling.samples, 7);
    EXPECT_EQ(spec->sampling.timeLimitS, 2.5);
    EXPECT_EQ(spec->directory, "/data");
}

TEST(SpecToJson, RoundTripIsStable) {
    for (const Json& document : {defaultPoolingDocument(), defaultMatmulDocument()}) {
        EXPECT_TRUE(checkExperiment(document).empty());
        const auto spec = specFromJson(document);
        ASSERT_TRUE(spec) << spec.error().sentence();
        EXPECT_EQ(specToJson(*spec).dump(), document.dump());
    }
}

TEST(SpecToJson, KeepsListsThatAnAxisPointsInto) {
    Json document = pooling();
    document["pooling"]["kernel"] = {2, 2};
    document["axes"]["/pooling/kernel/0"] = {1, 2};
    const auto spec = specFromJson(document);
    ASSERT_TRUE(spec) << spec.error().sentence();
    EXPECT_TRUE(checkExperiment(specToJson(*spec)).empty());
}

/// A run file keeps the canonical form: what "run again", a resumed study and a comparison begin with.
TEST(SpecToJson, KeepsWhatOtherPointsOfAnAxisNeed) {
    const std::string network = R"("network": {"input": {"shape": [1, 8, 8]}, "layers": [
        {"name": "flatten", "type": "flatten"}, {"name": "dense", "type": "dense", "units": 10}]}, )";
    for (
        const std::string& text : {
            std::string(R"({"kind": "pooling", "pooling": {"input": {"source": "manual", "path": "a.npy",
                 "values": [[1, 2], [3, 4]]}}, "axes": {"/pooling/input/source": ["manual", "npy"]}})"),
            std::string(R"({"kind": "pooling", "pooling": {"input": {"source": "npy", "path": "a.npy",
                 "values": [[1, 2], [3, 4]], "size": 9, "low": -3, "high": 4, "color": "grey"}},
                 "axes": {"/pooling/input/source": ["npy", "manual", "random", "image"]}})"),
            R"({"kind": "network", "task": "train", )" + network +
                R"("training": {"optimizer": {"type": "adam", "momentum": 0.7, "beta1": 0.8}},
                 "axes": {"/training/optimizer/type": ["adam", "sgd"]}})",
            R"({"kind": "network", "task": "infer", )" + network +
                R"("training": {"batch": 7, "loss": "softmax_cross_entropy", "optimizer": {"learning_rate": 0.25}},
                 "axes": {"/task": ["infer", "train"]}})",
            R"({"kind": "network", "task": "train", )" + network +
                R"("training": {"epochs": 3, "initialization": "he_uniform", "constant": 0.5,
                 "schedule": {"type": "constant", "gamma": 0.3, "every": 2}},
                 "data": {"source": "shapes", "count": 64},
                 "axes": {"/training/schedule/type": ["constant", "step"],
                          "/training/initialization": ["he_uniform", "constant"]}})",
        }) {
        Json json = Json::parse(text);
        json["heteroscope"] = 1;
        json["targets"] = {"cpu/sequential"};
        const auto spec = specFromJson(json);
        ASSERT_TRUE(spec) << spec.error().sentence() << text;
        const Json written = specToJson(*spec);
        const auto again = specFromJson(written);
        ASSERT_TRUE(again) << again.error().sentence() << written;
        EXPECT_EQ(specToJson(*again), written);
        const auto points = expandPoints(*spec), same = expandPoints(*again);
        ASSERT_TRUE(points && same) << text;
        ASSERT_EQ(same->size(), points->size());
        for (std::size_t i = 0; i < points->size(); ++i)
            EXPECT_EQ(specToJson((*same)[i].spec), specToJson((*points)[i].spec)) << text;
    }
}

TEST(ExpandPoints, FirstAxisIsSlowest) {
    Json document = pooling();
    document["axes"]["/pooling/input/size"] = {8, 16};
    document["axes"]["/pooling/kernel"] = Json::parse("[2, [3, 2]]");
    const auto spec = specFromJson(document);
    ASSERT_TRUE(spec) << spec.error().sentence();
    const auto points = expandPoints(*spec);
    ASSERT_TRUE(points);
    ASSERT_EQ(points->size(), 4u);
    EXPECT_EQ((*points)[1].values.dump(), R"({"/pooling/input/size":8,"/pooling/kernel":[3,2]})");
    EXPECT_EQ((*points)[1].spec.pooling.params.kernel, (Extent2d{3, 2}));
    EXPECT_EQ((*points)[2].spec.pooling.input.width, 16);
    EXPECT_TRUE((*points)[2].spec.axes.empty());
}

TEST(ExpandPoints, SeveralPointersTakeEachValueTogether) {
    Json document = defaultMatmulDocument();
    document["axes"]["/matmul/m,/matmul/n,/matmul/k"] = {64, 128};
    const auto spec = specFromJson(document);
    ASSERT_TRUE(spec) << spec.error().sentence();
    const auto points = expandPoints(*spec);
    ASSERT_TRUE(points);
    ASSERT_EQ(points->size(), 2u);
    EXPECT_EQ((*points)[1].spec.matmul.m, 128);
    EXPECT_EQ((*points)[1].spec.matmul.n, 128);
    EXPECT_EQ((*points)[1].spec.matmul.k, 128);
}

TEST(ApplyOverride, SetsNumbersTextsAndListsAndRefusesUnknownPointers) {
    Json document = pooling();
    EXPECT_TRUE(applyOverride(document, "/pooling/input/size=128"));
    EXPECT_TRUE(applyOverride(document, "/pooling/kernel=[3,3]"));
    EXPECT_TRUE(applyOverride(document, "/pooling/mode=average"));
    EXPECT_TRUE(applyOverride(document, "/name=2024"));
    EXPECT_EQ(document["pooling"]["input"]["size"], 128);
    EXPECT_EQ(document["pooling"]["kernel"].dump(), "[3,3]");
    EXPECT_EQ(document["pooling"]["mode"], "average");
    EXPECT_EQ(document["name"], "2024");
    EXPECT_TRUE(checkExperiment(document).empty());
    const Status unknown = applyOverride(document, "/pooling/kernal=3");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().where, "/pooling/kernal");
    EXPECT_EQ(unknown.error().code, ErrorCode::BadInput);
    EXPECT_EQ(applyOverride(document, "kernel=3").error().code, ErrorCode::Usage);
}

TEST(ApplyOverride, LeavesAnAxisOneValue) {
    Json document = pooling();
    document["axes"]["/pooling/input/size"] = {8, 16};
    ASSERT_TRUE(applyOverride(document, "/pooling/input/size=32"));
    EXPECT_EQ(document["axes"]["/pooling/input/size"].dump(), "[32]");
}

Json networkWithTask(const char* task) {
    Json document = defaultNetworkDocument();
    document["task"] = task;
    return document;
}

/// The only error of a document with an axis, or an empty one.
Diagnostic axisError(Json document, const std::string& pointer, const Json& values) {
    document["axes"] = {{pointer, values}};
    for (const Diagnostic& found : checkExperiment(document))
        if (found.severity == Diagnostic::Severity::Error)
            return found;
    return {};
}

TEST(WithoutEffect, AxesAreRefusedWithWhatWouldHaveOne) {
    const Diagnostic batch = axisError(networkWithTask("train"), "/network/input/batch", {1, 1024});
    EXPECT_EQ(batch.pointer, "/axes/~1network~1input~1batch");
    EXPECT_EQ(batch.message, "\"/network/input/batch\" has no effect while /task is \"train\"");
    EXPECT_EQ(batch.allowed, "/task = \"infer\"");
    EXPECT_EQ(batch.advice, "set /training/batch instead");
    const Diagnostic other = axisError(networkWithTask("infer"), "/training/batch", {1, 1024});
    EXPECT_EQ(other.message, "\"/training/batch\" has no effect while /task is \"infer\"");
    EXPECT_EQ(other.advice, "set /network/input/batch instead");
}

/// A training on a dataset ends with its epochs, each of them a sample.
TEST(WithoutEffect, SamplesAndTimeLimitOfATrainingOnADataset) {
    for (const auto& [key, value] : {std::pair("samples", Json(3)), std::pair("time_limit_s", Json(2))}) {
        Json document = networkWithTask("train");
        document["sampling"] = {{"preset", "quick"}, {key, value}};
        const auto warnings = [&document] {
            std::vector<std::string> pointers;
            for (const Diagnostic& found : checkExperiment(document))
                pointers.push_back(found.pointer);
            return pointers;
        };
        const std::string pointer = std::string("/sampling/") + key;
        EXPECT_THAT(warnings(), ::testing::Not(::testing::Contains(pointer))) << "of one made-up batch";
        document["data"] = {{"source", "shapes"}, {"count", 64}, {"classes", 4}};
        EXPECT_THAT(warnings(), ::testing::Contains(pointer));
    }
}

TEST(WithoutEffect, OfOnePartOfAnAxisIsAWarning) {
    Json document = networkWithTask("train");
    document["axes"] = {{"/network/input/batch,/training/batch", {4, 8}}};
    const auto found = checkExperiment(document);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Diagnostic::Severity::Warning);
    EXPECT_EQ(found[0].pointer, "/network/input/batch");
    EXPECT_NE(axisError(networkWithTask("infer"), "/training/epochs,/training/batch", {4, 8}).message, "");
}

TEST(WithoutEffect, FollowsFromConditionsOfConditions) {
    EXPECT_NE(axisError(networkWithTask("infer"), "/training/optimizer/momentum", {0.1, 0.9}).message, "");
    EXPECT_EQ(axisError(networkWithTask("train"), "/training/optimizer/momentum", {0.1, 0.9}).message, "");
}

TEST(WithoutEffect, IsDecidedByWhatVariesToo) {
    Json document = networkWithTask("train");
    document["axes"] = {{"/task", {"train", "infer"}}, {"/network/input/batch", {1, 2}}};
    EXPECT_TRUE(checkExperiment(document).empty()) << "in one of the two it has an effect";
    Json padded = pooling();
    padded["axes"] = {{"/pooling/padding", {0, 1}}, {"/pooling/paddingValue", {"zero", "-inf"}}};
    EXPECT_TRUE(checkExperiment(padded).empty());
}

TEST(WithoutEffect, IsKnownOfWhatNoSingleParameterDecides) {
    EXPECT_EQ(axisError(pooling(), "/pooling/paddingValue", {"zero", "-inf"}).allowed,
              "/pooling/padding above 0");
    Json window = pooling();
    window["pooling"]["strategy"] = "window";
    window["targets"] = {"cpu/sequential"};
    EXPECT_NE(axisError(window, "/pooling/window/multiply", {"guarded", "tiled"}).message, "");
    window["targets"] = {"cpu/sequential", "cuda:0/cuda"};
    EXPECT_EQ(axisError(window, "/pooling/window/multiply", {"guarded", "tiled"}).message, "");
    EXPECT_NE(axisError(networkWithTask("train"), "/training/optimizer/nesterov", {false, true}).message, "");
}

TEST(WithoutEffect, IsJudgedByTheValuesOfAnAxis) {
    Json document = networkWithTask("infer");
    document["axes"] = {{"/task", {"train"}}};
    EXPECT_FALSE(checkOverrideEffect(document, "/network/input/batch=4"));
    document["axes"] = {{"/task", {"train", "infer"}}};
    EXPECT_TRUE(checkOverrideEffect(document, "/network/input/batch=4"));
    Json padded = pooling();
    padded["pooling"]["padding"] = {0, 0};
    padded["axes"] = {{"/pooling/padding/0", {0, 1}}};
    EXPECT_TRUE(checkOverrideEffect(padded, "/pooling/paddingValue=zero"));
    Json networks = networkWithTask("infer");
    networks["networks"] = {{"a", networks["network"]}, {"b", networks["network"]}};
    networks["axes"] = {{"/network", {"a", "b"}}};
    EXPECT_FALSE(checkOverrideEffect(networks, "/network/input/batch=7"));
}

TEST(WithoutEffect, AssignmentsAreRefusedWhenAllAreMade) {
    Json document = networkWithTask("train");
    ASSERT_TRUE(applyOverride(document, "/network/input/batch=4"));
    const Status alone = checkOverrideEffect(document, "/network/input/batch=4");
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().where, "/network/input/batch");
    EXPECT_EQ(alone.error().advice, "set /training/batch instead");
    ASSERT_TRUE(applyOverride(document, "/task=infer"));
    EXPECT_TRUE(checkOverrideEffect(document, "/network/input/batch=4"));
    EXPECT_TRUE(checkOverrideEffect(document, "/name=x"));
}

} // namespace heteroscope::compute
