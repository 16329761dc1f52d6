// SPDX-License-Identifier: Apache-2.0
// The time of a run that several processes took, and that ratios are those of the times shown beside them.
#include "compute/base/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope {
namespace process_times_test {
namespace {

const ProcessSamples kOne{{9, 10, 11, 12, 40}}, kTwo{{9, 10, 11}, {20, 21, 22}},
    kThree{{9, 10, 11}, {20, 20, 90}, {39, 40, 41}}, kFour{{1, 1}, {2, 2}, {4, 4}, {8, 8}};

TEST(ProcessTimes, AreTheGeometricMeanOfMediansFromThreeProcessesOn) {
    EXPECT_DOUBLE_EQ(centralTime({}), 0);
    EXPECT_DOUBLE_EQ(centralTime(kOne), 11);
    EXPECT_DOUBLE_EQ(centralTime(kTwo), 15.5) << "the median of all six";
    EXPECT_NEAR(centralTime(kThree), 20, 1e-12) << "of 10, 20 and 40; the median of all nine is 20 too";
    EXPECT_NEAR(centralTime(kFour), std::pow(64, 0.25), 1e-12) << "the median of all eight is 3";
    EXPECT_FALSE(centerOfProcesses(kTwo));
    EXPECT_FALSE(centerOfProcesses({{1}, {0}, {2}})) << "no logarithm";
    EXPECT_DOUBLE_EQ(centralTime({{1}, {0}, {2}}), 1);
}

/// Of ln 10, ln 20 and ln 40 the deviation is ln 2, and Student's quantile 0.975 with 2 degrees is 4.303.
TEST(ProcessTimes, HaveStudentsIntervalOfTheirLogarithms) {
    const auto center = centerOfProcesses(kThree);
    ASSERT_TRUE(center);
    const double factor = std::exp(4.303 * std::log(2.0) / std::sqrt(3.0));
    EXPECT_NEAR(center->ci95.low, 20 / factor, 1e-9);
    EXPECT_NEAR(center->ci95.high, 20 * factor, 1e-9);
    EXPECT_NEAR(studentHalfWidth95(std::vector<double>{1, 2, 3}), 4.303 / std::sqrt(3.0), 1e-12);
}

TEST(ProcessTimes, HaveTheRatioThatComparisonsGive) {
    for (const ProcessSamples& a : {kOne, kTwo, kThree, kFour})
        for (const ProcessSamples& b : {kOne, kTwo, kThree, kFour})
            for (const Pairing pairing : {Pairing::OneStudy, Pairing::TwoStudies}) {
                const Comparison comparison = compare(a, b, pairing);
                EXPECT_NEAR(comparison.ratio, centralTime(a) / centralTime(b), 1e-12)
                    << a.size() << " processes against " << b.size();
                EXPECT_LE(comparison.ci95.low, comparison.ratio);
                EXPECT_GE(comparison.ci95.high, comparison.ratio);
            }
}

TEST(ProcessTimes, OfOneSideAloneGiveNoVerdictAgainstTheirRatio) {
    // All samples of one side are below those of the other, but the centers say that it is hardly faster.
    const ProcessSamples few{{10, 10, 10, 10, 10}}, many{{13}, {13}, {13}, {13}, {13}};
    const Comparison comparison = compare(many, few, Pairing::OneStudy);
    EXPECT_NEAR(comparison.ratio, 1.3, 1e-12);
    EXPECT_EQ(comparison.verdict, Verdict::Faster);
    // One process of four is slow: the median of all samples is 10, the center 1.3 times as much.
    const ProcessSamples slow{{10, 10, 10, 10, 10, 10}, {10}, {10}, {28.561}}, base{{13, 13, 13, 13, 13}};
    EXPECT_NEAR(compare(base, slow, Pairing::OneStudy).ratio, 1, 1e-9);
    EXPECT_EQ(compare(base, slow, Pairing::OneStudy).verdict, Verdict::Unclear);
}

} // namespace
} // namespace process_times_test
} // namespace heteroscope
