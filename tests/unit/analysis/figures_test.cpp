// SPDX-License-Identifier: Apache-2.0
// The dictionary of figures: whole, without doubles, and with an entry for every key of the files.
#include "profiling/analysis/device_json.h"
#include "profiling/analysis/figures.h"
#include "profiling/analysis/results.h"
#include "profiling/stream/stream_reader.h"
#include "tests/support/unexplained_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <regex>
#include <set>
#include <sstream>

namespace heteroscope::profiling {
namespace figures_test {
namespace {

using test::unexplained;
using test::unexplainedColumns;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<const Figure*> all() {
    std::vector<const Figure*> figures;
    for (const FigureChapter& chapter : kFigureChapters)
        for (const Figure& one : chapter.figures)
            figures.push_back(&one);
    return figures;
}

std::string textOf(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> recordings() {
    std::vector<std::string> files;
    std::error_code none; // without the folder there is no file, and the tests fail for that
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/recorded", none))
        if (entry.path().extension() == ".hscope")
            files.push_back(entry.path().string());
    return files;
}

TEST(Figures, HaveUniqueIdsAndEitherARatioOrADefinition) {
    static const std::regex idForm("[a-z][a-z0-9_]*");
    std::set<std::string_view> ids;
    for (const Figure* one : all()) {
        const std::string id(one->id);
        EXPECT_TRUE(ids.insert(one->id).second) << id;
        EXPECT_TRUE(std::regex_match(id, idForm)) << id;
        EXPECT_FALSE(one->name.empty()) << id;
        EXPECT_FALSE(one->unit.empty()) << id;
        EXPECT_EQ(one->numerator.empty(), one->denominator.empty()) << id;
        EXPECT_NE(one->definition.empty(), one->numerator.empty()) << id << ": one of the two";
        EXPECT_FALSE(formulaOf(*one).ends_with('.')) << id;
    }
    EXPECT_GT(ids.size(), 100u);
}

TEST(Figures, HaveEachKeyOnceAndOnlyInFilesThatAreKnown) {
    std::set<std::pair<std::string_view, std::string_view>> keys;
    for (const Figure* one : all())
        for (const auto& place : keysOf(*one)) {
            EXPECT_TRUE(keys.insert(place).second) << place.first << ":" << place.second;
            EXPECT_FALSE(place.second.empty()) << one->id;
            EXPECT_TRUE(std::any_of(std::begin(kFigureFiles), std::end(kFigureFiles),
                                    [&](const FigureFile& file) { return file.id == place.first; }))
                << one->id << ": " << place.first;
        }
}

TEST(Figures, AreFoundByTheirKeyTheExactOneFirst) {
    EXPECT_EQ(figureOfKey("results", "runs.median_ms"), &figure("median"));
    EXPECT_EQ(figureOfKey("results", "runs.transfers.h2d.ms"), &figure("transfer_time_of_repetition"));
    EXPECT_EQ(figureOfKey("results", "runs.metrics.launched_ms"), &figure("launched_time"));
    EXPECT_EQ(figureOfKey("results", "runs.metrics.forward_ms"), &figure("step_time"));
    EXPECT_EQ(figureOfKey("results", "runs.metrics.forward"), nullptr);
    EXPECT_EQ(figureOfKey("results", "median_ms"), nullptr);
    EXPECT_EQ(figureOfKey("samples", "runs.median_ms"), nullptr);
}

TEST(Figures, ShareOfTransfersNamesWhatItIsOf) {
    EXPECT_EQ(figure("transfer_cost").denominator, kWallOfTracedSamples);
    EXPECT_EQ(figure("part_share").denominator, kWallOfTracedSamples);
    EXPECT_EQ(formulaOf(figure("speedup")), "median of the reference at the same point / median of the run");
}

TEST(Figures, ExplainEveryKeyOfTheResultsAndStatisticsOfEveryRecording) {
    ASSERT_FALSE(recordings().empty());
    for (const std::string& path : recordings()) {
        const auto file = readRunFile(path);
        ASSERT_TRUE(file) << path;
        const DeviceReport report = deviceReport(*file->trace, file->study);
        EXPECT_THAT(unexplained(resultsToJson(file->study, summarizeStudy(file->study), &report), "results"),
                    IsEmpty())
            << path;
        EXPECT_THAT(unexplained(resultsToJson(file->study, summarizeStudy(file->study)), "results"),
                    IsEmpty())
            << path;
        EXPECT_THAT(
            unexplained({{"device", deviceReportJson(report)},
                         {"roofline", rooflineJson(roofline(*file->trace, file->study, report.work))}},
                        "stats"),
            IsEmpty())
            << path;
    }
}

TEST(Figures, AKeyWithoutAnEntryIsNoticed) {
    EXPECT_THAT(
        unexplained({{"runs", {{{"median_ms", 1}, {"median_s", 2}}}}, {"environment", {{"cpu", "x"}}}},
                    "results"),
        ::testing::ElementsAre("runs.median_s"));
}

TEST(Figures, ExplainEveryColumnOfTheCsvOfSamples) {
    Study study;
    study.runs.resize(1);
    EXPECT_THAT(unexplainedColumns(resultsToCsv(study), "samples"), IsEmpty());
    const auto sweep = readRunFile(HETEROSCOPE_SOURCE_DIR "/resources/recorded/pooling_sweep_h100.hscope");
    ASSERT_TRUE(sweep) << sweep.error().sentence();
    EXPECT_THAT(unexplainedColumns(resultsToCsv(sweep->study), "samples"), IsEmpty())
        << "the axis has a column";
    EXPECT_THAT(unexplainedColumns("run,rum\n", "samples"), ::testing::ElementsAre("rum"));
}

/// Metrics go from where a run is measured to the results as they are, so their names are taken from there.
TEST(Figures, ExplainEveryMetricThatARunMayHave) {
    static const std::regex metric("etrics\\[\"([a-z0-9_]+)\"\\]");
    std::set<std::string> names;
    for (const char* folder : {"compute/exec", "compute/experiment", "app/cli"})
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(HETEROSCOPE_SOURCE_DIR) / folder)) {
            const std::string text = textOf(entry.path());
            for (auto at = std::sregex_iterator(text.begin(), text.end(), metric);
                 at != std::sregex_iterator(); ++at)
                names.insert((*at)[1]);
        }
    EXPECT_GT(names.size(), 20u);
    for (const std::string& name : names) {
        const Figure* const found = figureOfKey("results", "runs.metrics." + name);
        EXPECT_TRUE(found && found != &figure("step_time")) << name;
    }
}

TEST(Figures, TheHelpPageIsTheDictionary) {
    EXPECT_EQ(textOf(HETEROSCOPE_SOURCE_DIR "/resources/help/figures.md"), figuresToMarkdown())
        << "write it anew: heteroscope-cli help figures --markdown > resources/help/figures.md";
}

TEST(Figures, AsJsonAndAsTextNameTheDenominator) {
    const Json json = figuresToJson();
    EXPECT_EQ(json.at("figures").size(), all().size());
    for (const Json& one : json.at("figures"))
        if (one.at("id") == "speedup") {
            EXPECT_EQ(one.at("denominator"), "median of the run");
            EXPECT_EQ(one.at("source"), "host clock");
            EXPECT_EQ(one.at("samples"), "untraced samples");
            EXPECT_EQ(one.at("keys").at("results"), Json::array({"runs.speedup.value"}));
        } else if (one.at("id") == "median") {
            EXPECT_TRUE(one.at("denominator").is_null());
        }
    EXPECT_THAT(figuresToText(),
                HasSubstr("    speedup: speedup (1; host clock, untraced samples)\n        median "
                          "of the reference at the same point / median of the run\n"));
}

} // namespace
} // namespace figures_test
} // namespace heteroscope::profiling
