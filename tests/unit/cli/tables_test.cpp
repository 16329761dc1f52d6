// SPDX-License-Identifier: Apache-2.0
// Tables that the command line writes, with names that a spreadsheet would compute.
#include "app/cli/network_summary.h"
#include "app/cli/predictions.h"
#include "app/cli/trace_info.h"
#include "app/cli/trace_layers.h"
#include "compute/experiment/spec/spec_json.h"
#include "profiling/analysis/results.h"
#include "tests/support/formula_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

using spreadsheet::formulasIn;
using spreadsheet::guardedCells;
using ::testing::IsEmpty;

const std::string kFormula = "=HYPERLINK(\"http://x\",\"a,b\")";

TEST(Tables, SpansOfATraceAreNoFormulas) {
    profiling::Trace trace;
    profiling::Track track;
    track.name = trace.intern("main");
    const auto main = trace.addTrack(track);
    trace.append({main, 10, 5, trace.intern(kFormula), trace.intern("@" + kFormula), 0, -1});
    trace.publish();
    const std::string table = spanStatisticsCsv(trace, {trace.startNs(), trace.endNs()});
    EXPECT_THAT(formulasIn(table), IsEmpty()) << table;
    EXPECT_EQ(guardedCells(table, kFormula), 1) << table;
    EXPECT_EQ(guardedCells(table, "@" + kFormula), 1) << table;
}

/// A trace may hold names of megabytes, to which each line would be padded.
TEST(Tables, LongNamesAreCutInTextAndWholeInCsv) {
    profiling::Trace trace;
    profiling::Track track;
    track.name = trace.intern("main");
    const auto main = trace.addTrack(track);
    const std::string name(100000, 'n');
    trace.append({main, 10, 5, trace.intern(name), trace.intern("c"), 0, -1});
    trace.append({main, 20, 5, trace.intern("short"), trace.intern("c"), 0, -1});
    trace.publish();
    const profiling::NsRange whole{trace.startNs(), trace.endNs()};
    const std::string text = spanStatisticsText(trace, whole);
    EXPECT_THAT(text, ::testing::HasSubstr("nnn... (99600 bytes more)"));
    EXPECT_LT(text.size(), 10000u);
    EXPECT_THAT(spanStatisticsCsv(trace, whole), ::testing::HasSubstr(name));
}

TEST(Tables, TimesOfLayersAreNoFormulas) {
    profiling::RunLayerTimes run;
    run.run = 0;
    run.target = "+" + kFormula;
    run.point = "-" + kFormula;
    profiling::LayerTime layer;
    layer.name = kFormula;
    layer.type = "@" + kFormula;
    layer.phases[0].passes = 3;
    layer.phases[0].ms.n = 3;
    run.layers.push_back(layer);
    const std::string table = layerTimesCsv({run});
    EXPECT_THAT(formulasIn(table), IsEmpty()) << table;
    for (const char* first : {"", "@", "+", "-"})
        EXPECT_EQ(guardedCells(table, first + kFormula), 1) << first << table;
}

TEST(Tables, LayersOfFewPassesHaveNoInterval) {
    profiling::RunLayerTimes run;
    profiling::LayerTime layer;
    layer.phases[0].passes = 5;
    for (const double median : {2.0, 3.0}) {
        layer.phases[0].ms.median = layer.phases[0].ms.ci95.low = layer.phases[0].ms.ci95.high = median;
        layer.phases[0].ms.hasInterval = median > 2;
        layer.phases[0].ms.n = median > 2 ? 9 : 3;
        run.layers.push_back(layer);
    }
    const std::string table = layerTimesCsv({run});
    EXPECT_THAT(table, testing::HasSubstr(",2.0,,,"));
    EXPECT_THAT(table, testing::HasSubstr(",3.0,3.0,3.0,"));
    const Json times = layerTimesJson({run}).at(0).at("times");
    EXPECT_TRUE(times.at(0).at("ci95_ms").is_null());
    EXPECT_EQ(times.at(1).at("ci95_ms"), Json::array({3.0, 3.0}));
}

TEST(Tables, SamplesAreNoFormulas) {
    profiling::Study study;
    profiling::StudyRun run;
    run.target = "+" + kFormula;
    run.point = {{"=axis", kFormula}, {"/list", Json::array({"@x"})}, {"/number", -1.5}};
    run.samples.resize(2);
    study.runs.push_back(run);
    const std::string table = profiling::resultsToCsv(study);
    EXPECT_THAT(formulasIn(table), IsEmpty()) << table;
    EXPECT_EQ(guardedCells(table, "=axis"), 1) << table;
    EXPECT_EQ(guardedCells(table, kFormula), 2) << table;
    EXPECT_EQ(guardedCells(table, "+" + kFormula), 2) << table;
}

TEST(Tables, LayersOfANetworkAreNoFormulas) {
    const std::string layer = "=SUM(A1,\"b\")"; // names of layers hold no slashes
    const Json document = {
        {"heteroscope", 1},
        {"kind", "network"},
        {"network",
         {{"input", {{"shape", {1, 4, 4}}, {"batch", 1}}},
          {"layers",
           {{{"name", layer}, {"type", "flatten"}}, {{"name", "-x"}, {"type", "dense"}, {"units", 2}}}}}},
        {"targets", {"cpu/sequential"}}};
    const auto spec = compute::specFromJson(document);
    ASSERT_TRUE(spec.ok()) << spec.error().sentence();
    const auto table = networkSummaryCsv(spec->network);
    ASSERT_TRUE(table.ok()) << table.error().sentence();
    EXPECT_THAT(formulasIn(*table), IsEmpty()) << *table;
    EXPECT_EQ(guardedCells(*table, layer), 1) << *table;
    EXPECT_EQ(guardedCells(*table, "-x"), 1) << *table;
}

std::string predictionsOf(const Predictions& predictions, const profiling::Study& study) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("predictions-" + std::to_string(::getpid()) + ".csv"))
            .string();
    const Status written = predictions.write(path, study, {});
    EXPECT_TRUE(written) << (written ? "" : written.error().sentence());
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::filesystem::remove(path);
    return text.str();
}

TEST(Tables, PredictionsAreNoFormulas) {
    const std::array<float, 4> outputs{2, 1, 1, 3};
    const std::array<float, 2> actual{0, 0};
    Predictions predictions;
    predictions.take(0, "output", {2, 2, 1, 1}, outputs.data());
    predictions.take(0, "target", {2, 1, 1, 1}, actual.data());
    profiling::Study study;
    study.runs.resize(1);
    study.runs[0].metrics["class_names"] = {kFormula, "@x"};
    const std::string table = predictionsOf(predictions, study);
    EXPECT_THAT(formulasIn(table), IsEmpty()) << table;
    EXPECT_EQ(guardedCells(table, kFormula), 3) << table; // actual twice, predicted once
    EXPECT_EQ(guardedCells(table, "@x"), 1) << table;
}

TEST(Tables, PredictedNumbersStayNumbers) {
    const std::array<float, 2> outputs{-2.5f, 1}, actual{-1, 0.5f};
    Predictions predictions;
    for (const int run : {0, 1}) {
        predictions.take(run, "output", {2, 1, 1, 1}, outputs.data());
        predictions.take(run, "target", {2, 1, 1, 1}, actual.data());
    }
    EXPECT_EQ(predictionsOf(predictions, {}), "run,index,actual,predicted\n0,0,-1,-2.5\n0,1,0.5,1\n"
                                              "1,0,-1,-2.5\n1,1,0.5,1\n");
}

} // namespace
} // namespace heteroscope::cli
