// SPDX-License-Identifier: Apache-2.0
// Amdahl fits of known laws, and crossovers of known curves.
#include "profiling/analysis/crossover.h"
#include "profiling/analysis/scaling.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::profiling {
namespace {

std::vector<ThreadSamples> amdahl(double serialFraction, double noise) {
    std::vector<ThreadSamples> samples;
    for (const int threads : {1, 2, 4, 8}) {
        ThreadSamples group{threads, {{}}};
        for (int i = 0; i < 11; ++i)
            group.timesMs.front().push_back(100 * (serialFraction + (1 - serialFraction) / threads) *
                                            (1 + noise * ((i * 7 + threads) % 11 - 5)));
        samples.push_back(group);
    }
    return samples;
}

TEST(Amdahl, FindsTheSerialFractionItWasMadeWith) {
    for (const double fraction : {0.0, 0.05, 0.3, 1.0}) {
        const auto fit = fitAmdahl(amdahl(fraction, 0.0));
        ASSERT_TRUE(fit);
        EXPECT_NEAR(fit->serialFraction, fraction, 1e-9);
        EXPECT_NEAR(fit->oneThreadMs, 100, 1e-6);
        EXPECT_NEAR(fit->rSquared, 1.0, 1e-9);
        EXPECT_NEAR(fit->speedup(1), 1.0, 1e-9);
    }
    EXPECT_NEAR(fitAmdahl(amdahl(0.05, 0))->limit(), 20, 1e-6);
    EXPECT_TRUE(std::isinf(fitAmdahl(amdahl(0, 0))->limit()) || fitAmdahl(amdahl(0, 0))->limit() > 1e9);
}

TEST(Amdahl, IntervalHoldsTheTruthUnderNoise) {
    const auto fit = fitAmdahl(amdahl(0.1, 0.01));
    ASSERT_TRUE(fit);
    EXPECT_TRUE(fit->hasInterval);
    EXPECT_LE(fit->ci95.low, 0.1);
    EXPECT_GE(fit->ci95.high, 0.1);
    EXPECT_LT(fit->ci95.high - fit->ci95.low, 0.1);
}

/// Fits of processes beyond 1 are as much of their spread as those below it.
TEST(Amdahl, IntervalOverProcessesIsCutAtItsEndAlone) {
    std::vector<ThreadSamples> samples(2);
    samples[0] = {1, {{100, 100, 100}, {100, 100, 100}, {100, 100, 100}}};
    samples[1] = {2, {{110, 110, 110}, {99, 99, 99}, {90, 90, 90}}}; // serial fractions of 1.2, 0.98 and 0.8
    const auto fit = fitAmdahl(samples);
    ASSERT_TRUE(fit && fit->overProcesses);
    EXPECT_EQ(fit->ci95.high, 1.0);
    EXPECT_LT(fit->ci95.low, 0.6) << "0.99 less 4.30 x 0.2 / sqrt(3)";
    EXPECT_GT(fit->ci95.low, 0.4);
}

TEST(Amdahl, RefusesWhatCannotBeFitted) {
    EXPECT_FALSE(fitAmdahl({}));
    EXPECT_FALSE(fitAmdahl({{2, {{5, 5, 5}}}}));
    EXPECT_FALSE(fitAmdahl({{1, {{5}}}, {2, {}}}));
    EXPECT_FALSE(fitAmdahl({{1, {{5}}}, {2, {{0}}}}));
    EXPECT_FALSE(fitAmdahl({{1, {{5}}}, {2, {{3}}}})->hasInterval);
}

TEST(Amdahl, SuperlinearSpeedupIsFractionZero) {
    const auto fit = fitAmdahl({{1, {{100}}}, {2, {{40}}}, {4, {{15}}}});
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->serialFraction, 0.0);
}

TEST(Scaling, EfficiencyAndKarpFlatt) {
    EXPECT_DOUBLE_EQ(efficiency(100, 25, 4), 1.0);
    EXPECT_DOUBLE_EQ(efficiency(100, 50, 4), 0.5);
    EXPECT_NEAR(*karpFlatt(1 / (0.2 + 0.8 / 4), 4), 0.2, 1e-12);
    EXPECT_FALSE(karpFlatt(2, 1));
}

TEST(Scaling, ReadsThreadsFromTargets) {
    EXPECT_EQ(threadsOfTarget("cpu/openmp?threads=4"), 4);
    EXPECT_EQ(threadsOfTarget("cpu/openmp?a=1&threads=16&b=2"), 16);
    EXPECT_FALSE(threadsOfTarget("cpu/openmp"));
    EXPECT_FALSE(threadsOfTarget("cpu/openmp?threads=x"));
    EXPECT_FALSE(threadsOfTarget("cpu/openmp?mythreads=3"));
    EXPECT_EQ(targetWithoutThreads("cpu/openmp?threads=4"), "cpu/openmp");
    EXPECT_EQ(targetWithoutThreads("cpu/openmp?threads=4&b=2"), "cpu/openmp?b=2");
    EXPECT_EQ(targetWithoutThreads("cpu/openmp?a=1&threads=4"), "cpu/openmp?a=1");
    EXPECT_EQ(threadsOfTarget("cpu/openmp?&threads=4"), 4);
}

TEST(Scaling, CollectsRunsThatDifferInThreadsOnly) {
    Study study;
    for (const char* target :
         {"cpu/openmp?threads=2", "cpu/openmp?threads=1", "cpu/sequential", "cpu/openmp"}) {
        StudyRun run;
        run.target = target;
        run.status = StudyRunStatus::Ok;
        run.samples.resize(3);
        for (StudySample& sample : run.samples)
            sample.wallMs = 1;
        study.runs.push_back(run);
    }
    const auto samples = threadSamples(study, Json::object(), "cpu/openmp?threads=8");
    ASSERT_EQ(samples.size(), 2u);
    EXPECT_EQ(samples[0].threads, 1);
    EXPECT_EQ(samples[1].threads, 2);
    EXPECT_TRUE(threadSamples(study, {{"/x", 1}}, "cpu/openmp").empty());
}

CurvePoint at(double x, double timeMs, double spread = 0.01) {
    return {x, timeMs, {timeMs * (1 - spread), timeMs * (1 + spread)}, true};
}

TEST(Crossover, LiesWhereTheLinesMeet) {
    // first: x^2, second: constant 100 -> meet at x = 10
    const auto found = findCrossovers({at(64, 4096), at(4, 16)}, {at(4, 100), at(64, 100)});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].x, 10, 1e-9);
    EXPECT_NEAR(found[0].timeMs, 100, 1e-9);
    EXPECT_EQ(found[0].below, 4);
    EXPECT_EQ(found[0].above, 64);
    EXPECT_FALSE(found[0].firstIsFasterAbove);
    EXPECT_TRUE(found[0].clear);
}

TEST(Crossover, IsNotClearWhenIntervalsOverlap) {
    const auto found = findCrossovers({at(1, 1.0, 0.5), at(2, 2.0)}, {at(1, 1.2), at(2, 1.0)});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_FALSE(found[0].clear);
}

TEST(Crossover, IsNotClearWithoutIntervals) {
    CurvePoint few = at(64, 4096, 0);
    few.hasInterval = false;
    const auto found = findCrossovers({at(4, 16), few}, {at(4, 100), at(64, 100)});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_FALSE(found[0].clear);
}

TEST(Crossover, NeedsCommonPointsAndAChange) {
    EXPECT_TRUE(findCrossovers({}, {}).empty());
    EXPECT_TRUE(findCrossovers({at(1, 1), at(2, 2)}, {at(1, 2), at(2, 3)}).empty());
    EXPECT_TRUE(findCrossovers({at(1, 1)}, {at(2, 1)}).empty());
    EXPECT_TRUE(findCrossovers({at(-1, 1), at(1, 3)}, {at(-1, 2), at(1, 1)}).empty());
    EXPECT_EQ(findCrossovers({at(1, 1), at(2, 2), at(3, 5)}, {at(1, 2), at(2, 2), at(3, 4)}).size(), 1u);
}

TEST(Crossover, CurvesComeFromResults) {
    Study study;
    for (const int size : {16, 4, 8}) {
        StudyRun run;
        run.target = "cpu/sequential";
        run.point = {{"/pooling/input/size", size}, {"/pooling/kernel", 2}};
        run.status = StudyRunStatus::Ok;
        run.samples.resize(1);
        run.samples[0].wallMs = size;
        study.runs.push_back(run);
    }
    const StudyResults results = summarizeStudy(study);
    const auto curve = curveOf(results, "cpu/sequential", "/pooling/input/size", {{"/pooling/kernel", 2}});
    ASSERT_EQ(curve.size(), 3u);
    EXPECT_EQ(curve[0].x, 4);
    EXPECT_EQ(curve[2].timeMs, 16);
    EXPECT_TRUE(curveOf(results, "cpu/sequential", "/pooling/input/size", {{"/pooling/kernel", 3}}).empty());
}

} // namespace
} // namespace heteroscope::profiling
