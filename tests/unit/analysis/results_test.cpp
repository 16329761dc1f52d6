// SPDX-License-Identifier: Apache-2.0
// Tables, JSON, CSV, captions and comparisons of a study made by hand.
#include "profiling/analysis/results.h"
#include "tests/support/fresh_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void addSamples(StudyRun& run, double base, int count) {
    for (int i = 0; i < count; ++i) {
        StudySample sample;
        sample.run = run.run;
        sample.sample = i;
        sample.wallMs = base * (1 + 0.001 * (i % 3));
        sample.h2d = {2, 4096, 0, 0.25};
        run.samples.push_back(sample);
    }
    StudySample warmup;
    warmup.run = run.run;
    warmup.warmup = true;
    warmup.wallMs = base * 50;
    run.samples.push_back(warmup);
}

StudyRun run(int index, const std::string& target, int size, StudyRunStatus status) {
    StudyRun made;
    made.run = index;
    made.target = target;
    made.point = {{"/pooling/input/size", size}};
    made.status = status;
    return made;
}

Study study() {
    Study made;
    made.version = "0.1.0";
    made.environment = {{"cpu", "Example CPU"}, {"os", "Debian 12"}};
    made.experiment = {{"kind", "pooling"}, {"name", "sweep"}};
    made.runs.push_back(run(0, "cpu/sequential", 64, StudyRunStatus::Ok));
    addSamples(made.runs[0], 8.0, 12);
    made.runs[0].maxAbsError = 0;
    made.runs.push_back(run(1, "cpu/openmp?threads=2", 64, StudyRunStatus::Ok));
    addSamples(made.runs[1], 4.0, 12);
    made.runs[1].maxAbsError = 0.5;
    made.runs[1].maxRelError = 3e-7;
    made.runs.push_back(run(2, "cpu/onednn", 64, StudyRunStatus::Skipped));
    made.runs[2].reason = "not built in, \"oneDNN\" missing";
    return made;
}

TEST(Results, CompareWithTheSpecificationAndNothingForSkippedRuns) {
    const Study s = study();
    const StudyResults results = summarizeStudy(s);
    EXPECT_EQ(results.reference, "cpu/sequential");
    ASSERT_EQ(results.runs.size(), 3u);
    EXPECT_EQ(results.runs[0].timeMs.n, 12u) << "the warm-up does not count";
    ASSERT_TRUE(results.runs[1].speedup);
    EXPECT_NEAR(results.runs[1].speedup->ratio, 2.0, 0.01);
    EXPECT_EQ(results.runs[1].speedup->verdict, Verdict::Faster);
    EXPECT_FALSE(results.runs[2].speedup);
    EXPECT_EQ(results.runs[0].equalWork, "equal");
    EXPECT_EQ(results.runs[1].equalWork, "within 1e-6");
    EXPECT_EQ(results.runs[2].equalWork, "not checked");
    EXPECT_NEAR(summarizeStudy(s, "cpu/openmp?threads=2").runs[0].speedup->ratio, 0.5, 0.01);
}

TEST(Results, TheReferenceIsTheSpecificationWhereItIsATarget) {
    EXPECT_EQ(referenceTarget(Study()), "");
    Study s = study();
    EXPECT_EQ(referenceTarget(s), "cpu/sequential");
    std::swap(s.runs[0], s.runs[1]);
    EXPECT_EQ(referenceTarget(s), "cpu/sequential") << "wherever it stands";
    s.runs.erase(s.runs.begin() + 1);
    EXPECT_EQ(referenceTarget(s), "cpu/openmp?threads=2");
    EXPECT_EQ(summarizeStudy(s).reference, "cpu/openmp?threads=2");
}

TEST(Results, ThroughputCountsTheWorkOfARepetition) {
    StudyRun training;
    EXPECT_EQ(workPerRepetition(training), 1.0);
    training.metrics["steps_per_epoch"] = 31;
    EXPECT_EQ(workPerRepetition(training), 31.0);
    training.metrics["work_per_repetition"] = 32;
    EXPECT_EQ(workPerRepetition(training), 32.0);
    StudyRun inference;
    inference.metrics["examples"] = 1000;
    EXPECT_FALSE(workPerRepetition(inference)) << "of how many batches is not known";
}

TEST(Results, DifferenceOfOutputsIsSaid) {
    Study s = study();
    s.runs[1].maxRelError = 0.2;
    EXPECT_EQ(summarizeStudy(s).runs[1].equalWork, "differs");
    s.runs[1].maxRelError = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(summarizeStudy(s).runs[1].equalWork, "differs");
    s.runs[1].maxRelError.reset();
    s.runs[1].maxAbsError.reset();
    s.runs[0].outputDigest = s.runs[1].outputDigest = "abc";
    EXPECT_EQ(summarizeStudy(s).runs[1].equalWork, "equal");
}

TEST(Results, EmptyStudyGivesEmptyResults) {
    const Study s;
    const StudyResults results = summarizeStudy(s);
    EXPECT_TRUE(results.runs.empty());
    EXPECT_EQ(resultsToJson(s, results).at("runs").size(), 0u);
    EXPECT_THAT(machineCaption(s, results).text(), HasSubstr("No samples"));
}

TEST(Results, CaptionNamesMethodMachineAndProgram) {
    Study s = study();
    s.version = "0.1.0";
    s.startedUtc = "2026-11-21T04:34:48Z";
    s.environment = {{"os", "Debian GNU/Linux 12 (bookworm)"},
                     {"cpu", "AMD EPYC"},
                     {"cores", 2},
                     {"compiler", {{"id", "GNU 12.2.0"}, {"build_type", "Release"}, {"debug", false}}}};
    EXPECT_THAT(machineCaption(s, summarizeStudy(s)).text(),
                HasSubstr("; reference cpu/sequential; caches kept; fp32; AMD EPYC, 2 cores; Debian "
                          "GNU/Linux 12 (bookworm); "
                          "GNU 12.2.0 Release; Heteroscope 0.1.0; 2026-11-21."));
}

TEST(Results, JsonHasTheContractsFields) {
    const Study s = study();
    const Json json = resultsToJson(s, summarizeStudy(s));
    EXPECT_EQ(json.at("format"), "heteroscope-results");
    EXPECT_EQ(json.at("version"), 1);
    const Json& fast = json.at("runs").at(1);
    EXPECT_EQ(fast.at("status"), "ok");
    EXPECT_EQ(fast.at("samples_ms").size(), 12u);
    EXPECT_EQ(fast.at("ci95_ms").size(), 2u);
    EXPECT_EQ(fast.at("transfers").at("h2d").at("bytes"), 4096);
    EXPECT_EQ(fast.at("transfers").at("h2d").at("pinned_bytes"), 0);
    EXPECT_EQ(fast.at("speedup").at("reference"), "cpu/sequential");
    EXPECT_TRUE(fast.at("device_ms").is_null());
    const Json& skipped = json.at("runs").at(2);
    EXPECT_EQ(skipped.at("status"), "skipped");
    EXPECT_TRUE(skipped.at("median_ms").is_null());
    EXPECT_THAT(skipped.at("reason").get<std::string>(), HasSubstr("oneDNN"));
}

TEST(Results, CsvHasOneRowASample) {
    const std::string csv = resultsToCsv(study());
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 13 + 13);
    EXPECT_THAT(csv, ::testing::StartsWith("run,target,/pooling/input/size,process,sample,warmup,traced,"));
    EXPECT_THAT(
        csv,
        HasSubstr("\n1,cpu/openmp?threads=2,64,0,0,0,0,1,0,4,,2,4096,0,0.25,0,0,0,0,0,0,0,0,,,,,,,,,,,,,\n"));
}

TEST(Results, CsvQuotesWhatNeedsIt) {
    Study s = study();
    s.runs[0].point = {{"/a,b", "say \"x\""}};
    EXPECT_THAT(resultsToCsv(s), HasSubstr("\"/a,b\""));
    EXPECT_THAT(resultsToCsv(s), HasSubstr("\"say \"\"x\"\"\""));
    s.runs[0].point = {{"/a", "=1+1"}, {"/b", -1.5}};
    EXPECT_THAT(resultsToCsv(s), HasSubstr(",'=1+1,-1.5,")); // no formula, and a number
}

TEST(Results, TableShowsTimeSpeedupVerdictAndReasons) {
    const Study s = study();
    const std::string table = resultsToTable(s, summarizeStudy(s));
    EXPECT_THAT(table, HasSubstr("size=64"));
    EXPECT_THAT(table, HasSubstr("8.01 ms [8."));
    EXPECT_THAT(table, HasSubstr("2.00×"));
    EXPECT_THAT(table, HasSubstr("FASTER"));
    EXPECT_THAT(table, HasSubstr("reference"));
    EXPECT_THAT(table, HasSubstr("skipped: not built in"));
    EXPECT_THAT(table, Not(HasSubstr(" \n")));
    EXPECT_THAT(
        table, HasSubstr("Median of 12 samples (95 % interval); reference cpu/sequential; caches kept; fp32; "
                         "Example CPU; Debian 12; Heteroscope 0.1.0."));
}

/// Keeps the first `count` samples that count.
void keepSamples(StudyRun& run, std::size_t count) {
    std::erase_if(run.samples, [](const StudySample& sample) { return sample.warmup; });
    run.samples.resize(count);
}

TEST(Results, FewSamplesOnEitherSideGiveNoInterval) {
    for (const std::size_t few : {0u, 1u}) { // the reference, the candidate
        Study s = study();
        keepSamples(s.runs[few], 3);
        const StudyResults results = summarizeStudy(s);
        const std::string table = resultsToTable(s, results);
        EXPECT_THAT(table, HasSubstr("2.00× (n < 5)"));
        EXPECT_THAT(table, Not(HasSubstr("2.00× [")));
        EXPECT_THAT(table, HasSubstr("Median of 3 to 12 samples (95 % interval from 5 samples or 3 processes on)"));
        EXPECT_TRUE(resultsToJson(s, results).at("runs").at(1).at("speedup").at("ci95").is_null());
    }
    Study s = study();
    for (StudyRun& r : s.runs)
        keepSamples(r, std::min<std::size_t>(4, r.samples.size()));
    EXPECT_THAT(resultsToTable(s, summarizeStudy(s)), HasSubstr("Median of 4 samples (no interval: n < 5)"));
}

TEST(Results, ReferenceIsOneWithoutAnInterval) {
    const Study s = study();
    const std::string table = resultsToTable(s, summarizeStudy(s));
    EXPECT_THAT(table, HasSubstr("1.00×"));
    EXPECT_THAT(table, Not(HasSubstr("1.00× [")));
}

TEST(Results, LinkedAxesAreNamedByAllTheirParts) {
    Study s = study();
    for (StudyRun& r : s.runs)
        r.point = {{"/matmul/m,/matmul/n,/matmul/k", 16}};
    EXPECT_THAT(resultsToTable(s, summarizeStudy(s)), HasSubstr("\nm=n=k=16  cpu/sequential"));
    EXPECT_THAT(resultsToCsv(s), HasSubstr(",\"/matmul/m,/matmul/n,/matmul/k\",process"));
}

Json environmentOf(double load, std::int64_t freeBytes, const std::string& governor) {
    return {{"time_utc", std::to_string(load)},
            {"load_average", {load, 0.5, 0.5}},
            {"memory_free_bytes", freeBytes},
            {"governor", governor},
            {"notes", {"the load average was " + std::to_string(load)}},
            {"devices",
             {{{"id", "cpu"}, {"memory_free_bytes", freeBytes}, {"name", "Example CPU"}},
              {{"id", "cuda:0"}, {"memory_free_bytes", freeBytes}, {"runtime_version", governor}}}}};
}

TEST(Results, DifferencesArePlacesThatAJsonPointerFinds) {
    Study a, b;
    a.experiment = {{"axes", {{"/pooling/input/size", {64}}}}};
    b.experiment = {{"axes", {{"/pooling/input/size", {128}}}}};
    EXPECT_THAT(compareStudies(a, b).differences,
                ::testing::ElementsAre("experiment /axes/~1pooling~1input~1size: [64] against [128]"));
    EXPECT_EQ(a.experiment.at(Json::json_pointer("/axes/~1pooling~1input~1size")), Json({64}));
}

TEST(Results, WhatAlwaysDiffersIsNoDifference) {
    Study a = study(), b = study();
    a.environment = environmentOf(0.25, 1000, "performance");
    b.environment = environmentOf(1.75, 2000, "performance");
    EXPECT_THAT(compareStudies(a, b).differences, ::testing::IsEmpty());
    b.environment = environmentOf(0.25, 1000, "powersave");
    b.environment["devices"].erase(0);
    EXPECT_THAT(compareStudies(a, b).differences,
                ::testing::ElementsAre(
                    "environment /governor: \"performance\" against \"powersave\"",
                    ::testing::Property(&Phrase::text, ::testing::StartsWith("environment /devices/cpu: {")),
                    "environment /devices/cuda:0/runtime_version: \"performance\" against \"powersave\""));
}

TEST(Results, ComparisonMatchesRunsAndNamesWhatDiffers) {
    const Study a = study();
    Study b = study();
    b.environment["cpu"] = "Other CPU";
    b.environment["startedUtc"] = "later";
    b.experiment["name"] = "another";
    b.runs.pop_back();
    b.runs.push_back(run(2, "cpu/openmp?threads=4", 64, StudyRunStatus::Ok));
    for (StudySample& sample : b.runs[1].samples)
        sample.wallMs /= 2;
    const StudyComparison comparison = compareStudies(inThreeProcesses(a), inThreeProcesses(b));
    ASSERT_EQ(comparison.runs.size(), 4u);
    EXPECT_EQ(comparison.runs[0].comparison->verdict, Verdict::Same);
    EXPECT_EQ(comparison.runs[1].comparison->verdict, Verdict::Faster);
    EXPECT_EQ(comparison.runs[2].note, "only in the first");
    EXPECT_EQ(comparison.runs[3].note, "only in the second");
    EXPECT_THAT(comparison.differences,
                ::testing::ElementsAre("environment /cpu: \"Example CPU\" against \"Other CPU\"",
                                       "experiment /name: \"sweep\" against \"another\""));
}

/// Environment, devices and experiment come as they are from a file.
TEST(Results, RecordsOfOtherTypesThanExpectedAreLeftOut) {
    Study s = study();
    const std::string caption = machineCaption(s, summarizeStudy(s)).text();
    for (const Json& odd : {Json{{"kind", Json::object()}, {"name", "X"}}, Json{{"kind", 7}, {"name", "X"}},
                            Json{{"kind", "gpu"}, {"name", Json::array()}}, Json("gpu"), Json(nullptr)})
        s.devices.push_back(odd);
    EXPECT_EQ(machineCaption(s, summarizeStudy(s)), caption);
    s.devices.push_back({{"kind", "gpu"}, {"name", "Example GPU"}});
    EXPECT_THAT(machineCaption(s, summarizeStudy(s)).text(), HasSubstr("; Example GPU;"));
    for (const Json& odd :
         {Json(nullptr), Json(1), Json::array({1}), Json{{"cpu", 1}, {"os", Json::array()}}}) {
        s.environment = odd;
        s.experiment = odd;
        EXPECT_THAT(machineCaption(s, summarizeStudy(s)).text(), Not(HasSubstr("Example CPU")));
        EXPECT_FALSE(resultsToJson(s, summarizeStudy(s)).empty());
        EXPECT_FALSE(resultsToTable(s, summarizeStudy(s)).empty());
        EXPECT_TRUE(compareStudies(s, s).differences.empty());
    }
}

/// An axis with 64 and 64.0 has one point twice: its two runs are not one.
TEST(Results, RunsOfAPointThatOccursTwiceAreMatchedByTheirOrder) {
    Study s = study();
    s.runs.resize(2);
    for (const int i : {2, 3}) {
        s.runs.push_back(run(i, s.runs[static_cast<std::size_t>(i - 2)].target, 64, StudyRunStatus::Ok));
        addSamples(s.runs.back(), i == 2 ? 24.0 : 6.0, 12);
    }
    const StudyComparison comparison = compareStudies(s, s);
    ASSERT_EQ(comparison.runs.size(), 4u);
    for (const RunComparison& compared : comparison.runs)
        EXPECT_EQ(compared.comparison->ratio, 1.0);
    const StudyResults results = summarizeStudy(s);
    EXPECT_EQ(results.runs[2].speedup->ratio, 1.0);
    EXPECT_EQ(results.runs[1].speedup->ratio, 2.0);
    EXPECT_EQ(results.runs[3].speedup->ratio, 4.0);
    Study fewer = s;
    fewer.runs.resize(2);
    EXPECT_EQ(compareStudies(s, fewer).runs[2].note, "only in the first");
    EXPECT_EQ(compareStudies(fewer, s).runs[3].note, "only in the second");
}

} // namespace
} // namespace heteroscope::profiling
