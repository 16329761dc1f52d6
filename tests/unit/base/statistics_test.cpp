// SPDX-License-Identifier: Apache-2.0
// Expected figures come from NumPy 1.24 (quantile, median, std with ddof=1).
#include "compute/base/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope {
namespace {

std::vector<double> around(double centre, double step, int count) {
    std::vector<double> samples;
    for (int i = 0; i < count; ++i)
        samples.push_back(centre + step * ((i * 8) % count - count / 2));
    return samples;
}

} // namespace

TEST(Statistics, QuantilesAreTypeSeven) {
    const std::vector<double> sorted{1, 2, 4, 8};
    EXPECT_DOUBLE_EQ(quantileSorted(sorted, 0.25), 1.75);
    EXPECT_DOUBLE_EQ(quantileSorted(sorted, 0.5), 3.0);
    EXPECT_DOUBLE_EQ(quantileSorted(sorted, 0.975), 7.7);
    EXPECT_DOUBLE_EQ(quantileSorted(sorted, 1.0), 8.0);
}

TEST(Statistics, SummaryOfKnownSamples) {
    const std::vector<double> samples{3.0, 1.0, 2.0, 10.0, 2.5};
    const Summary summary = summarize(samples);
    EXPECT_EQ(summary.n, 5u);
    EXPECT_DOUBLE_EQ(summary.min, 1.0);
    EXPECT_DOUBLE_EQ(summary.q1, 2.0);
    EXPECT_DOUBLE_EQ(summary.median, 2.5);
    EXPECT_DOUBLE_EQ(summary.q3, 3.0);
    EXPECT_DOUBLE_EQ(summary.max, 10.0);
    EXPECT_DOUBLE_EQ(summary.mean, 3.7);
    EXPECT_NEAR(summary.sd, 3.5986108430893167, 1e-12);
    EXPECT_TRUE(summary.hasInterval);
    EXPECT_EQ(summary.outlierCount, 1u);
    EXPECT_EQ(summary.outliers[3], OutlierKind::Severe);
    EXPECT_EQ(summary.outliers[1], OutlierKind::None);
}

TEST(Statistics, EmptyAndFewSamples) {
    EXPECT_EQ(summarize({}).n, 0u);
    const std::vector<double> three{1, 2, 3};
    const Summary summary = summarize(three);
    EXPECT_FALSE(summary.hasInterval);
    EXPECT_DOUBLE_EQ(summary.ci95.low, 2.0);
    EXPECT_DOUBLE_EQ(summary.ci95.high, 2.0);
    EXPECT_DOUBLE_EQ(summarize(std::vector<double>{4.0}).sd, 0.0);
}

TEST(Statistics, BootstrapIsRepeatableAndHoldsTheMedian) {
    const auto samples = around(10.0, 0.1, 21);
    const Interval first = bootstrapMedian(samples, 7);
    const Interval second = bootstrapMedian(samples, 7);
    EXPECT_EQ(first.low, second.low);
    EXPECT_EQ(first.high, second.high);
    EXPECT_LT(first.low, 10.0);
    EXPECT_GT(first.high, 10.0);
    EXPECT_GE(first.low, 9.0);
    EXPECT_LE(first.high, 11.0);
}

/// The interval of the median of normal samples must hold the true median about 95 times in 100.
TEST(Statistics, BootstrapCoversTheTrueMedian) {
    std::uint64_t state = 12345;
    const auto uniform = [&state] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (static_cast<double>(state >> 11) + 0.5) / 9007199254740992.0;
    };
    int covered = 0;
    for (int trial = 0; trial < 400; ++trial) {
        std::vector<double> samples;
        for (int i = 0; i < 30; ++i)
            samples.push_back(std::sqrt(-2.0 * std::log(uniform())) *
                              std::cos(6.283185307179586 * uniform()));
        const Interval interval = bootstrapMedian(samples, 1, 500);
        covered += interval.low <= 0.0 && interval.high >= 0.0;
    }
    EXPECT_GT(covered, 360);
    EXPECT_LT(covered, 396);
}

TEST(Statistics, VerdictFasterAndSlower) {
    const auto slow = around(10.0, 0.01, 21), fast = around(5.0, 0.01, 21);
    const Comparison faster = compare(slow, fast);
    EXPECT_EQ(faster.verdict, Verdict::Faster);
    EXPECT_NEAR(faster.ratio, 2.0, 1e-9);
    EXPECT_LT(faster.ci95.low, 2.0);
    EXPECT_GT(faster.ci95.high, 2.0);
    EXPECT_EQ(compare(fast, slow).verdict, Verdict::Slower);
}

TEST(Statistics, RatioHasAnIntervalFromFiveSamplesOfBothSides) {
    const auto five = around(10.0, 0.01, 5), four = around(5.0, 0.01, 4);
    EXPECT_TRUE(compare(five, five).hasInterval);
    EXPECT_FALSE(compare(five, four).hasInterval);
    EXPECT_FALSE(compare(four, five).hasInterval) << "the reference counts too";
    EXPECT_FALSE(compare(five, {}).hasInterval);
}

TEST(Statistics, VerdictSameUnclearAndNoResult) {
    const auto samples = around(10.0, 0.005, 21);
    EXPECT_EQ(compare(samples, samples).verdict, Verdict::Same);
    EXPECT_EQ(compare(around(10.0, 0.5, 21), around(10.2, 0.5, 21)).verdict, Verdict::Unclear);
    EXPECT_EQ(compare(samples, std::vector<double>{5.0, 5.0}).verdict, Verdict::Unclear);
    EXPECT_EQ(compare(samples, {}).verdict, Verdict::NoResult);
    EXPECT_EQ(verdictName(Verdict::NoResult), "NO RESULT");
}

/// Worked out by a second program, with the same generator (SplitMix64) written in Python.
TEST(Statistics, IntervalsAreThoseOfTheGeneratorAndItsSeed) {
    const std::vector<double> a{10.0, 10.7, 9.1, 12.9, 11.3, 10.2, 9.9, 14.1};
    const std::vector<double> b{7.1, 7.9, 6.3, 8.8, 7.4, 7.0, 9.7};
    const Interval median = bootstrapMedian(a, 3, 100);
    EXPECT_DOUBLE_EQ(median.low, 9.95);
    EXPECT_DOUBLE_EQ(median.high, 12.804999999999998);
    const Comparison comparison = compare(a, b, 5);
    EXPECT_DOUBLE_EQ(comparison.ratio, 1.412162162162162);
    EXPECT_DOUBLE_EQ(comparison.ci95.low, 1.1477272727272725);
    EXPECT_DOUBLE_EQ(comparison.ci95.high, 1.7042253521126765);
    EXPECT_EQ(bootstrapMedian({}, 1, 10).high, 0.0);
    EXPECT_EQ(bootstrapMedian(a, 1, 0).high, 0.0);
    EXPECT_GT(bootstrapMedian(a, 1, 1).high, 0.0);
}

/// Quartiles of nine samples are the third and the seventh: 3 and 7, or 13 and 17, so that the fences lie 6
/// and 12 outside.
TEST(Statistics, OutliersBeginBehindTheFences) {
    const auto highest = [](double last) {
        return summarize(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, last}).outliers.back();
    };
    EXPECT_EQ(highest(13.0), OutlierKind::None);
    EXPECT_EQ(highest(13.5), OutlierKind::Mild);
    EXPECT_EQ(highest(19.0), OutlierKind::Mild);
    EXPECT_EQ(highest(19.5), OutlierKind::Severe);
    const auto lowest = [](double first) {
        return summarize(std::vector<double>{first, 12, 13, 14, 15, 16, 17, 18, 19}).outliers.front();
    };
    EXPECT_EQ(lowest(7.0), OutlierKind::None);
    EXPECT_EQ(lowest(6.5), OutlierKind::Mild);
    EXPECT_EQ(lowest(1.0), OutlierKind::Mild);
    EXPECT_EQ(lowest(0.5), OutlierKind::Severe);
}

TEST(Statistics, FasterNeedsHalfAPerCentBetweenTheRanges) {
    const auto candidate = around(1000.0, 0.001, 21);
    EXPECT_EQ(compare(around(1004.0, 0.001, 21), candidate).verdict, Verdict::Unclear);
    EXPECT_EQ(compare(around(1006.0, 0.001, 21), candidate).verdict, Verdict::Faster);
    EXPECT_EQ(compare(candidate, around(1004.0, 0.001, 21)).verdict, Verdict::Unclear);
    EXPECT_EQ(compare(candidate, around(1006.0, 0.001, 21)).verdict, Verdict::Slower);
}

/// From the quickest sample to the upper quartile: 15 of 20 steps.
TEST(Statistics, SameNeedsRangesWithinTwoPerCent) {
    const auto narrow = around(100.0, 1.9 / 15, 21), wide = around(100.0, 2.1 / 15, 21);
    EXPECT_EQ(compare(narrow, narrow).verdict, Verdict::Same);
    EXPECT_EQ(compare(wide, wide).verdict, Verdict::Unclear);
    EXPECT_EQ(compare(narrow, wide).verdict, Verdict::Unclear);
    EXPECT_EQ(compare(wide, narrow).verdict, Verdict::Unclear);
}

TEST(Statistics, TimesOfZeroGiveNoRatio) {
    const auto samples = around(10.0, 0.01, 21);
    const std::vector<double> zeros(21, 0.0);
    EXPECT_EQ(compare(samples, zeros).verdict, Verdict::NoResult);
    std::vector<double> oneZero = samples;
    oneZero.front() = 0.0;
    EXPECT_EQ(compare(samples, oneZero).verdict, Verdict::Unclear);
    EXPECT_FALSE(compare(samples, oneZero).hasInterval);
    EXPECT_DOUBLE_EQ(compare(samples, oneZero).ci95.low, compare(samples, oneZero).ratio);
}

TEST(Statistics, VerdictsHaveNames) {
    EXPECT_EQ(verdictName(Verdict::Faster), "FASTER");
    EXPECT_EQ(verdictName(Verdict::Slower), "SLOWER");
    EXPECT_EQ(verdictName(Verdict::Same), "SAME");
    EXPECT_EQ(verdictName(Verdict::Unclear), "UNCLEAR");
}

} // namespace heteroscope
