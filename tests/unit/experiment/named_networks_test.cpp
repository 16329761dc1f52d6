// SPDX-License-Identifier: Apache-2.0
// A study over whole networks: /networks names them, an axis over /network chooses.
#include "compute/experiment/spec/spec_json.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::compute {
namespace {

Json document() {
    return Json::parse(R"({
        "heteroscope": 1, "kind": "network", "task": "train",
        "network": {"input": {"shape": [3, 8, 8]}, "layers": [
            {"name": "flatten", "type": "flatten"}, {"name": "out", "type": "dense", "units": 2}]},
        "networks": {
            "narrow": {"input": {"shape": [3, 8, 8]}, "layers": [
                {"name": "flatten", "type": "flatten"}, {"name": "out", "type": "dense", "units": 2}]},
            "wide": {"input": {"shape": [3, 10, 10]}, "layers": [
                {"name": "conv", "type": "conv2d", "filters": 4, "padding": 1},
                {"name": "flatten", "type": "flatten"}, {"name": "out", "type": "dense", "units": 2}]}},
        "training": {"loss": "softmax_cross_entropy", "batch": 4},
        "targets": ["cpu/sequential"],
        "axes": {"/network": ["narrow", "wide"]}})");
}

/// The finding at a place; fails where there is none.
Diagnostic findingAt(const Json& json, const std::string& pointer) {
    const auto all = checkExperiment(json);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Diagnostic& one) { return one.pointer == pointer; });
    EXPECT_NE(found, all.end()) << pointer;
    return found == all.end() ? Diagnostic{} : *found;
}

TEST(NamedNetworks, EachPointComputesTheNetworkOfItsName) {
    ASSERT_TRUE(checkExperiment(document()).empty());
    const auto spec = specFromJson(document());
    ASSERT_TRUE(spec);
    const auto points = expandPoints(*spec);
    ASSERT_TRUE(points);
    ASSERT_EQ(points->size(), 2u);
    EXPECT_EQ((*points)[0].values, Json({{"/network", "narrow"}}));
    EXPECT_EQ((*points)[0].spec.network.network.layers.size(), 2u);
    EXPECT_EQ((*points)[1].spec.network.network.layers.size(), 3u);
    EXPECT_EQ((*points)[1].spec.network.network.layers[0].type, "conv2d");
}

TEST(NamedNetworks, OthersVaryBesideThem) {
    Json json = document();
    json["axes"]["/training/batch"] = {2, 4, 8};
    const auto points = expandPoints(*specFromJson(json));
    ASSERT_TRUE(points);
    EXPECT_EQ(points->size(), 6u);
}

TEST(NamedNetworks, ANameThatIsNotThereIsRefusedWithTheNearest) {
    Json json = document();
    json["axes"]["/network"] = {"narrow", "wild"};
    const Diagnostic found = findingAt(json, "/axes/~1network/1");
    EXPECT_EQ(found.allowed, R"("narrow", "wide")");
    EXPECT_NE(found.advice.find("wide"), std::string::npos) << found.advice;
    json["axes"]["/network"] = {"narrow", 3};
    EXPECT_EQ(findingAt(json, "/axes/~1network/1").message, "found 3");
}

TEST(NamedNetworks, MistakesAreSaidWhereTheyStand) {
    Json json = document();
    json["networks"]["wide"]["layers"][0]["filters"] = -1;
    findingAt(json, "/networks/wide/layers/0/filters");
    json = document();
    json["networks"]["wide"].erase("input");
    findingAt(json, "/networks/wide/input/shape");
    json = document();
    json["networks"]["wide"]["weights"] = "w.npz";
    findingAt(json, "/networks/wide/weights");
    json = document();
    json["networks"]["wide"] = 7;
    findingAt(json, "/networks/wide");
    json = document();
    json["networks"] = Json::array();
    EXPECT_EQ(findingAt(json, "/networks").message, "found an empty list");
    json["networks"] = Json::object();
    for (std::size_t i = 0; i < 257; ++i)
        json["networks"][std::to_string(i)] = 1;
    EXPECT_EQ(findingAt(json, "/networks").message, "found 257 networks");
}

TEST(NamedNetworks, ANetworkThatDoesNotFitTogetherNamesItsPoint) {
    Json json = document();
    json["networks"]["wide"]["layers"][0]["kernel"] = 30;
    const Diagnostic found = findingAt(json, "/axes/~1network/1");
    EXPECT_NE(found.message.find("wide"), std::string::npos) << found.message;
}

TEST(NamedNetworks, WithoutAnAxisTheyHaveNoEffect) {
    Json json = document();
    json.erase("axes");
    const Diagnostic found = findingAt(json, "/networks");
    EXPECT_EQ(found.severity, Diagnostic::Severity::Warning);
}

/// The form that a run file keeps: it is what "run again" and a comparison begin with.
TEST(NamedNetworks, TheCanonicalFormHoldsThem) {
    for (const char* task : {"train", "infer"}) {
        Json json = document();
        json["task"] = task;
        if (std::string(task) == "infer")
            json["networks"]["wide"]["input"]["batch"] = 3;
        const auto spec = specFromJson(json);
        ASSERT_TRUE(spec) << spec.error().sentence();
        const Json written = specToJson(*spec);
        const auto again = specFromJson(written);
        ASSERT_TRUE(again) << again.error().sentence();
        EXPECT_EQ(specToJson(*again), written);
        const auto points = expandPoints(*spec), same = expandPoints(*again);
        ASSERT_TRUE(points && same);
        ASSERT_EQ(same->size(), 2u);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ((*same)[i].values, (*points)[i].values);
            EXPECT_EQ(specToJson((*same)[i].spec), specToJson((*points)[i].spec));
        }
        EXPECT_EQ(written.at("networks").at("wide").at("layers").at(0).at("filters"), 4);
        EXPECT_EQ((*same)[1].spec.network.inferenceBatch, task == std::string("infer") ? 3 : 1);
    }
}

TEST(NamedNetworks, TheCanonicalFormLeavesOutThoseThatNoAxisChooses) {
    Json json = document();
    json.erase("axes");
    const Json written = specToJson(*specFromJson(json));
    EXPECT_FALSE(written.contains("networks"));
    EXPECT_TRUE(checkExperiment(written).empty());
}

TEST(NamedNetworks, AnAxisOverTheNetworkNeedsThem) {
    Json json = document();
    json.erase("networks");
    findingAt(json, "/axes/~1network");
}

} // namespace
} // namespace heteroscope::compute
