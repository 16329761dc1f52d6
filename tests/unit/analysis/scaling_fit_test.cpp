// SPDX-License-Identifier: Apache-2.0
// Amdahl fits against figures worked out by hand, and what makes a fit impossible.
#include "profiling/analysis/scaling.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::profiling {
namespace {

std::vector<ThreadSamples> oneEach(std::initializer_list<std::pair<int, double>> times) {
    std::vector<ThreadSamples> samples;
    for (const auto& [threads, ms] : times)
        samples.push_back({threads, ProcessSamples{{ms}}});
    return samples;
}

ThreadSamples of(int threads, std::vector<double> ms) {
    return {threads, ProcessSamples{std::move(ms)}};
}

/// a + b / p with weights 1 / T^2 through (1, 12), (2, 6), (4, 4): the normal equations give a and b exactly.
TEST(AmdahlFit, WeighsShortTimesAsMuchAsLongOnes) {
    const auto fit = fitAmdahl(oneEach({{1, 12}, {2, 6}, {4, 4}}));
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->oneThreadMs, 1524.0 / 133, 1e-9);
    EXPECT_NEAR(fit->serialFraction, 15.0 / 127, 1e-9);
    EXPECT_NEAR(fit->rSquared, 453647.0 / 459914, 1e-9);
    EXPECT_FALSE(fit->hasInterval);
    EXPECT_EQ(fit->ci95.low, fit->serialFraction);
    EXPECT_EQ(fit->ci95.high, fit->serialFraction);
}

/// b = sum(x / T) / sum(x^2 / T^2) with x = 1 / p: (1/100 + 1/80 + 1/60) / (1/10000 + 1/6400 + 1/3600).
TEST(AmdahlFit, WithoutASerialPartIsThroughTheOrigin) {
    const auto fit = fitAmdahl(oneEach({{1, 100}, {2, 40}, {4, 15}}));
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->serialFraction, 0.0);
    EXPECT_NEAR(fit->oneThreadMs, 56400.0 / 769, 1e-9);
}

/// a = sum(1 / T) / sum(1 / T^2) = (1/10 + 1/20) / (1/100 + 1/400) = 12; then 4 + 64 of 50 is not explained.
TEST(AmdahlFit, OfTimesThatRiseIsAllSerial) {
    for (const double scale : {0.01, 1.0, 1e6}) {
        const auto fit = fitAmdahl(oneEach({{1, 10 * scale}, {2, 20 * scale}}));
        ASSERT_TRUE(fit) << scale;
        EXPECT_EQ(fit->serialFraction, 1.0) << scale;
        EXPECT_NEAR(fit->oneThreadMs, 12 * scale, 1e-9 * scale);
        EXPECT_NEAR(fit->rSquared, 1 - 68.0 / 50, 1e-9) << scale;
    }
}

TEST(AmdahlFit, OfEqualTimesExplainsAll) {
    const auto fit = fitAmdahl(oneEach({{1, 5}, {2, 5}}));
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->serialFraction, 1, 1e-12);
    EXPECT_EQ(fit->rSquared, 1.0);
    EXPECT_NEAR(fit->limit(), 1, 1e-12);
}

TEST(AmdahlFit, TakesTheMedianOfTheSamples) {
    const auto fit = fitAmdahl({of(1, {90, 8, 7}), of(2, {6, 4, 0.1, 2})}); // 8 and 3
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->timeMs(1), 6.72, 1e-9); // through the origin: (1/8 + 1/6) / (1/64 + 1/36)
}

TEST(AmdahlFit, NeedsTwoThreadCountsAndTimesAboveZero) {
    EXPECT_FALSE(fitAmdahl(oneEach({{2, 5}, {2, 6}})));
    EXPECT_FALSE(fitAmdahl(oneEach({{1, 5}, {0, 6}})));
    EXPECT_FALSE(fitAmdahl(oneEach({{1, 5}, {2, -1}})));
    EXPECT_FALSE(fitAmdahl(oneEach({{1, 5}, {2, std::nan("")}})));
    EXPECT_TRUE(fitAmdahl(oneEach({{1, 5}, {128, 6}})));
    EXPECT_TRUE(fitAmdahl(oneEach({{127, 5}, {128, 4.99}})));
}

TEST(AmdahlFit, HasAnIntervalFromFiveSamplesEach) {
    const std::vector<double> five{8, 8, 8, 8, 8}, halved{5, 5, 5, 5, 5};
    const auto sure = fitAmdahl({of(1, five), of(2, halved)}); // 2 serial, 6 parallel
    ASSERT_TRUE(sure);
    EXPECT_TRUE(sure->hasInterval);
    EXPECT_NEAR(sure->serialFraction, 0.25, 1e-12);
    EXPECT_NEAR(sure->ci95.low, 0.25, 1e-12);
    EXPECT_NEAR(sure->ci95.high, 0.25, 1e-12);
    EXPECT_FALSE(fitAmdahl({of(1, five), of(2, {5, 5, 5, 5})})->hasInterval);
    EXPECT_FALSE(fitAmdahl({of(1, {8, 8, 8, 8}), of(2, halved)})->hasInterval);
}

TEST(AmdahlFit, IntervalIsThatOfTheMedianOfResamples) {
    const std::vector<ThreadSamples> noisy{of(1, {8, 8, 8, 8, 8, 8, 8}),
                                           of(2, {4.5, 4.9, 5, 5, 5, 5.1, 5.5})};
    const auto fit = fitAmdahl(noisy, 7);
    ASSERT_TRUE(fit);
    EXPECT_LT(fit->ci95.low, 0.25);
    EXPECT_GT(fit->ci95.high, 0.25);
    // Medians of seven drawn from the second lie between 4.9 and 5.1 mostly: f = 2 * T(2) / T(1) - 1.
    EXPECT_NEAR(fit->ci95.low, 2 * 4.9 / 8 - 1, 0.011);
    EXPECT_NEAR(fit->ci95.high, 2 * 5.1 / 8 - 1, 0.011);
    const auto again = fitAmdahl(noisy, 7);
    EXPECT_EQ(again->ci95.low, fit->ci95.low);
    EXPECT_EQ(again->ci95.high, fit->ci95.high);
}

TEST(AmdahlFit, TellsTimeSpeedupAndLimit) {
    AmdahlFit fit;
    fit.oneThreadMs = 80;
    fit.serialFraction = 0.5;
    EXPECT_DOUBLE_EQ(fit.timeMs(1), 80);
    EXPECT_DOUBLE_EQ(fit.timeMs(4), 50);
    EXPECT_DOUBLE_EQ(fit.speedup(4), 1.6);
    EXPECT_DOUBLE_EQ(fit.limit(), 2);
    fit.serialFraction = 0;
    EXPECT_TRUE(std::isinf(fit.limit()));
    EXPECT_DOUBLE_EQ(fit.speedup(8), 8);
}

TEST(KarpFlatt, IsTheSerialFractionOfASpeedup) {
    EXPECT_DOUBLE_EQ(*karpFlatt(2, 2), 0);
    EXPECT_DOUBLE_EQ(*karpFlatt(1, 2), 1);
    EXPECT_DOUBLE_EQ(*karpFlatt(1.6, 4), 0.5);
    EXPECT_FALSE(karpFlatt(0, 4));
    EXPECT_FALSE(karpFlatt(-1, 4));
    EXPECT_FALSE(karpFlatt(1, 0));
    EXPECT_TRUE(karpFlatt(0.5, 4));
}

TEST(ThreadsOption, IsAWholeNumberFromOne) {
    EXPECT_EQ(threadsOfTarget("cpu/openmp?threads=1"), 1);
    for (const char* none :
         {"", "threads=4", "cpu/openmp?threads=0", "cpu/openmp?threads=-1",
          "cpu/openmp?threads=", "cpu/openmp?threads=4x", "cpu/openmp?threads=99999999999", "cpu/openmp?"})
        EXPECT_FALSE(threadsOfTarget(none)) << none;
    EXPECT_EQ(targetWithoutThreads("cpu/openmp"), "cpu/openmp");
    EXPECT_EQ(targetWithoutThreads("cpu/openmp?a=1&threads=4&b=2"), "cpu/openmp?a=1&b=2");
    EXPECT_EQ(targetWithoutThreads("cpu/openmp?a=threads=4"), "cpu/openmp?a=threads=4");
}

StudyRun threadsRun(const std::string& target, int size, double ms, int samples) {
    StudyRun run;
    run.target = target;
    run.point = {{"/size", size}};
    run.status = StudyRunStatus::Ok;
    run.samples.resize(static_cast<std::size_t>(samples));
    for (StudySample& sample : run.samples)
        sample.wallMs = ms;
    return run;
}

TEST(ThreadSamplesOf, AreThoseOfThePointByThreadsInTheStudysOrder) {
    Study study;
    study.runs = {
        threadsRun("cpu/openmp?threads=4", 1, 5, 2), threadsRun("cpu/openmp?threads=2", 1, 6, 1),
        threadsRun("cpu/openmp?threads=4", 1, 7, 1), threadsRun("cpu/openmp?threads=1", 2, 8, 1),
        threadsRun("cpu/openmp?threads=8", 1, 9, 0), threadsRun("cpu/openmp?threads=8&x=1", 1, 9, 1)};
    const auto samples = threadSamples(study, {{"/size", 1}}, "cpu/openmp");
    ASSERT_EQ(samples.size(), 3u);
    EXPECT_EQ(samples[0].threads, 2);
    EXPECT_EQ(samples[0].timesMs, (ProcessSamples{{6}}));
    EXPECT_EQ(samples[1].timesMs, (ProcessSamples{{5, 5}}));
    EXPECT_EQ(samples[2].timesMs, (ProcessSamples{{7}}));
    EXPECT_EQ(samples[2].run, &study.runs[2]);
    study.runs[1].status = StudyRunStatus::Failed;
    study.runs[2].status = StudyRunStatus::Cancelled;
    EXPECT_EQ(threadSamples(study, {{"/size", 1}}, "cpu/openmp").size(), 1u) << "which have no speedup";
}

/// Three processes: f is 0.1, 0.2 and 0.3 in them, 4.303 * 0.1 / sqrt(3) on each side.
TEST(AmdahlFit, HasStudentsIntervalOverProcesses) {
    std::vector<ThreadSamples> samples;
    for (const int threads : {1, 2, 4, 8}) {
        ThreadSamples& group = samples.emplace_back(ThreadSamples{threads, {}});
        for (const double f : {0.1, 0.2, 0.3})
            group.timesMs.push_back({100 * (f + (1 - f) / threads)});
    }
    const auto fit = fitAmdahl(samples);
    ASSERT_TRUE(fit);
    EXPECT_TRUE(fit->hasInterval && fit->overProcesses);
    EXPECT_NEAR(fit->ci95.high - fit->serialFraction, 4.303 * 0.1 / std::sqrt(3.0), 1e-9);
    EXPECT_EQ(fit->ci95.low, 0) << "no fraction is below 0";
    EXPECT_NEAR(fit->oneThreadMs, 100, 1) << "fitted to the centers of the processes";
    samples[1].timesMs.pop_back();
    EXPECT_FALSE(fitAmdahl(samples)->overProcesses) << "not the same processes";
    EXPECT_FALSE(fitAmdahl(samples)->hasInterval) << "nor samples enough";
}

} // namespace
} // namespace heteroscope::profiling
