// SPDX-License-Identifier: Apache-2.0
// Processes that differ strongly: table, files, sentence, curves and fit give the same figures.
#include "compute/base/axis_name.h"
#include "compute/base/units.h"
#include "profiling/analysis/crossover.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/headline.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/scaling.h"
#include "profiling/analysis/study_notes.h"
#include "tests/support/differing_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace heteroscope::profiling {
namespace one_figure_test {
namespace {

using ::testing::HasSubstr;

double pooledMedian(const StudyRun& run) {
    std::vector<double> times = run.timesMs();
    std::sort(times.begin(), times.end());
    return quantileSorted(times, 0.5);
}

std::string timeText(double ms) {
    return formatDurationNs(ms * 1e6);
}

TEST(OneFigure, IsTheGeometricMeanOfTheProcessesMedians) {
    const Study study = differingStudy();
    const StudyResults results = summarizeStudy(study);
    const std::vector<double> expected{std::cbrt(16.0 * 20 * 50), std::cbrt(9.0 * 10 * 31),
                                       std::cbrt(4.0 * 6 * 29)};
    for (std::size_t i = 0; i < 3; ++i) {
        const Summary& time = results.runs[i].timeMs;
        EXPECT_NEAR(time.median, 2 * expected[i], 1e-9);
        EXPECT_TRUE(time.overProcesses && time.hasInterval);
        EXPECT_GT(std::abs(pooledMedian(study.runs[i]) / time.median - 1), 0.2)
            << "or the test tells nothing";
        EXPECT_EQ(time.n, 17u);
        EXPECT_EQ(time.outliers.size(), 17u);
        EXPECT_DOUBLE_EQ(runTimeMs(study.runs[i]), time.median);
    }
}

TEST(OneFigure, IsInTableFilesHeadlineNotesAndFit) {
    const Study study = differingStudy();
    const StudyResults results = summarizeStudy(study);
    const std::string table = resultsToTable(study, results), sentence = headline(study, results).text();
    const Json json = resultsToJson(study, results);
    const auto fitted = threadSamples(study, Json::object(), "cpu/openmp");
    ASSERT_EQ(fitted.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        const RunResult& result = results.runs[i];
        const Summary& time = result.timeMs;
        EXPECT_THAT(table, HasSubstr(timeText(time.median) + " [" + timeText(time.ci95.low) + ", " +
                                     timeText(time.ci95.high) + "]"));
        const Json& run = json.at("runs").at(i);
        EXPECT_EQ(run.at("median_ms"), time.median);
        EXPECT_EQ(run.at("ci95_ms"), Json::array({time.ci95.low, time.ci95.high}));
        EXPECT_DOUBLE_EQ(fitted[i].timeMs(), time.median);
        EXPECT_THAT(launchedNote(study).text(), HasSubstr(" 7.00 ms for " + timeText(time.median)));
        const double ratio = results.runs[0].timeMs.median / time.median;
        EXPECT_NEAR(result.speedup->ratio, ratio, 1e-12);
        EXPECT_NEAR(run.at("speedup").at("value").get<double>(), ratio, 1e-12);
        EXPECT_NEAR(*speedupRatio(study.runs[0], study.runs[i]), ratio, 1e-12);
        EXPECT_THAT(table, HasSubstr(ratioText(ratio)));
        EXPECT_NEAR(run.at("metrics").at("bandwidth_gb_s").get<double>(), 4e6 / (time.median * 1e6), 1e-12);
        EXPECT_NEAR(run.at("metrics").at("gflop_s").get<double>(), 1e6 / (time.median * 1e6), 1e-12);
    }
    EXPECT_THAT(sentence, HasSubstr(ratioText(results.runs[2].speedup->ratio)));
    EXPECT_THAT(table, HasSubstr("Median of 17 samples in 3 processes (geometric mean of their medians"));
}

TEST(OneFigure, IsInCurvesAndComparisonsOfStudies) {
    const Study study = differingStudy(true);
    const StudyResults results = summarizeStudy(study);
    const auto curve = curveOf(results, "cpu/openmp?threads=2", "/pooling/input/size");
    ASSERT_EQ(curve.size(), 2u);
    EXPECT_EQ(curve[1].timeMs, results.runs[4].timeMs.median);
    EXPECT_EQ(curve[1].ci95.low, results.runs[4].timeMs.ci95.low);
    Study other = study;
    for (StudyRun& run : other.runs)
        for (StudySample& sample : run.samples)
            sample.wallMs /= 3;
    const StudyComparison comparison = compareStudies(study, other);
    for (std::size_t i = 0; i < 6; ++i) {
        const RunComparison& run = comparison.runs[i];
        EXPECT_DOUBLE_EQ(run.medianAMs, results.runs[i].timeMs.median);
        EXPECT_NEAR(run.comparison->ratio, run.medianAMs / run.medianBMs, 1e-12);
    }
}

/// Of device and copies, too: shares would otherwise be of other processes than their whole.
TEST(OneFigure, HoldsForTimesOfTheDeviceAndOfCopies) {
    Study study = differingStudy();
    StudyRun& run = study.runs[0];
    run.metrics["transfer_share_percent"] = 1.0;
    for (StudySample& sample : run.samples) {
        sample.deviceMs = sample.wallMs / 2;
        sample.h2d.ms = sample.wallMs / 4;
        sample.d2h.ms = sample.wallMs / 8;
    }
    const Json json = resultsToJson(study, summarizeStudy(study)).at("runs").at(0);
    EXPECT_NEAR(json.at("device_ms").get<double>(), json.at("median_ms").get<double>() / 2, 1e-9);
    EXPECT_NEAR(json.at("transfers").at("h2d").at("share_of_wall").get<double>(), 0.25, 1e-9);
    EXPECT_NEAR(json.at("metrics").at("transfer_share_percent").get<double>(), 37.5, 1e-9);
}

/// Odd studies: one process, two, one sample each, failed and stopped runs.
TEST(OneFigure, HoldsWhereProcessesAreFew) {
    for (const std::vector<double>& processes :
         {std::vector<double>{8}, std::vector<double>{8, 30}, std::vector<double>{8, 30, 90, 4}}) {
        Study study;
        study.runs = {differingRun(0, "cpu/sequential", Json::object(), {10, 20, 90}),
                      differingRun(1, "cpu/openmp", Json::object(), processes)};
        const StudyResults results = summarizeStudy(study);
        EXPECT_NEAR(results.runs[1].speedup->ratio,
                    results.runs[0].timeMs.median / results.runs[1].timeMs.median, 1e-12)
            << processes.size();
        EXPECT_EQ(results.runs[1].timeMs.overProcesses, processes.size() >= 3);
        for (const StudyRunStatus status : {StudyRunStatus::Failed, StudyRunStatus::Cancelled}) {
            study.runs[1].status = status;
            EXPECT_FALSE(speedupRatio(study.runs[0], study.runs[1]));
            EXPECT_FALSE(summarizeStudy(study).runs[1].speedup);
        }
    }
    Study single;
    single.runs = {differingRun(0, "cpu/sequential", Json::object(), {10, 20, 90})};
    std::erase_if(single.runs[0].samples, [](const StudySample& sample) {
        return sample.sample != 0 && sample.sample != 3 && sample.sample != 8;
    });
    const Summary time = runTime(single.runs[0]);
    EXPECT_NEAR(time.median, 0.99 * std::cbrt(10.0 * 20 * 90), 1e-9) << "one sample of each process";
    EXPECT_EQ(time.median, runTimeMs(single.runs[0]));
    EXPECT_THAT(resultsToTable(single, summarizeStudy(single)),
                HasSubstr("Median of 3 samples in 3 processes"));
    single.runs[0].samples.clear();
    EXPECT_EQ(runTimeMs(single.runs[0]), 0);
    EXPECT_EQ(runTime(single.runs[0]).n, 0u);
}

TEST(OneFigure, RatesOfAPartOfARepetitionAndOfRunsThatGoOn) {
    StudyRun run = differingRun(0, "cpu/openmp", Json::object(), {10});
    EXPECT_EQ(workPerRepetition(run), 1.0);
    run.training.loss = {1, 2};
    run.training.stepsPerEpoch = 32;
    EXPECT_EQ(workPerRepetition(run), 32.0) << "the metrics come at the end of a run";
    for (StudySample& sample : run.samples)
        sample.workPerRepetition = 40.0;
    run.samples.back().traced = true;
    run.samples.back().workPerRepetition = 20.0;
    EXPECT_EQ(workPerRepetition(run), 40.0);
    EXPECT_EQ(tracedShare(run), 0.5);
    EXPECT_DOUBLE_EQ(*workPerSecond(run, 10, RunWork::Bytes), 40 * 4e6 / 0.01);
    EXPECT_FALSE(workPerSecond(run, 0, RunWork::Bytes));
    run.minimumBytes = 0;
    EXPECT_FALSE(workPerSecond(run, 10, RunWork::Bytes));
}

} // namespace
} // namespace one_figure_test
} // namespace heteroscope::profiling
