// SPDX-License-Identifier: Apache-2.0
// Groups and places of a network's layers: read, checked, and without effect on what is computed.
#include "compute/experiment/spec/network_view.h"

#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace {

Json network(const char* view) {
    Json document = defaultNetworkDocument(); // conv1, relu1, pool1, ...
    document["network"]["view"] = Json::parse(view);
    return document;
}

std::vector<std::string> pointersOf(const Json& document, Diagnostic::Severity severity) {
    std::vector<std::string> pointers;
    for (const Diagnostic& finding : checkExperiment(document))
        if (finding.severity == severity)
            pointers.push_back(finding.pointer);
    return pointers;
}

const char* const kGood = R"({"groups": [{"name": "b", "first": "pool1", "last": "pool1"},
                                         {"name": "a", "first": "conv1", "last": "relu1", "collapsed": true}],
                              "places": {"conv1": [8, -16], "input": [0, 0]}})";

} // namespace

TEST(NetworkView, IsReadInTheOrderOfTheLayers) {
    const auto groups = readLayerGroups(network(kGood));
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].name, "a");
    EXPECT_EQ(groups[0].last, 1);
    EXPECT_TRUE(groups[0].collapsed);
    EXPECT_EQ(groups[0].entry, 1u);
    EXPECT_EQ(groups[1].first, 2);
    const auto places = readLayerPlaces(network(kGood));
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(places.at(0).y, -16);
    EXPECT_EQ(places.count(-1), 1u);
}

TEST(NetworkView, ChangesNothingThatIsComputed) {
    EXPECT_TRUE(checkExperiment(network(kGood)).empty());
    const auto with = specFromJson(network(kGood)), without = specFromJson(defaultNetworkDocument());
    ASSERT_TRUE(with && without);
    EXPECT_EQ(specToJson(*with), specToJson(*without));
}

TEST(NetworkView, WarnsOfGroupsThatCannotBeShown) {
    const Json document = network(R"({"groups": [{"name": "a", "first": "relu1", "last": "conv1"},
                                                 {"name": "b", "first": "conv1", "last": "gone"},
                                                 {"name": "c", "first": "conv1", "last": "pool1"},
                                                 {"name": "d", "first": "pool1", "last": "pool1"}]})");
    EXPECT_EQ(pointersOf(document, Diagnostic::Severity::Warning),
              (std::vector<std::string>{"/network/view/groups/0", "/network/view/groups/1",
                                        "/network/view/groups/3"}));
    EXPECT_TRUE(pointersOf(document, Diagnostic::Severity::Error).empty());
    ASSERT_EQ(readLayerGroups(document).size(), 1u);
    EXPECT_EQ(readLayerGroups(document)[0].name, "c");
}

TEST(NetworkView, NamesWhatCannotBeRead) {
    const std::pair<const char*, const char*> cases[] = {
        {"7", "/network/view"},
        {R"({"zoom": 1})", "/network/view/zoom"},
        {R"({"groups": {}})", "/network/view/groups"},
        {R"({"groups": [3]})", "/network/view/groups/0"},
        {R"({"groups": [{"name": 1, "first": "conv1", "last": "conv1"}]})", "/network/view/groups/0/name"},
        {R"({"groups": [{"name": "a", "first": "conv1", "last": "conv1", "collapsed": 1}]})",
         "/network/view/groups/0/collapsed"},
        {R"({"places": [1]})", "/network/view/places"},
        {R"({"places": {"conv1": [1]}})", "/network/view/places/conv1"},
        {R"({"places": {"conv1": [1, 1e300]}})", "/network/view/places/conv1"}};
    for (const auto& [view, pointer] : cases) {
        const auto errors = pointersOf(network(view), Diagnostic::Severity::Error);
        ASSERT_EQ(errors.size(), 1u) << view;
        EXPECT_EQ(errors[0], pointer);
        (void)readLayerGroups(network(view));
        (void)readLayerPlaces(network(view));
    }
}

} // namespace heteroscope::compute
