// SPDX-License-Identifier: Apache-2.0
// Verdicts over fresh processes on drawn times: processes that differ, a machine that drifts, outliers,
// samples that hang together. Of identical work at most 2 % may be told apart, and 5 % must be found on a
// quiet machine.
#include "compute/base/statistics.h"
#include "tests/support/drawn_times.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

namespace heteroscope {
namespace {

using test::Machine;

class Draw {
  public:
    Draw(const Machine& machine, unsigned seed) : m_times(machine, seed) {}

    std::vector<double> process(double time, double shared) {
        const double own = time * shared * m_times.effect(m_times.machine().process);
        std::vector<double> samples;
        double deviation = 0;
        for (int i = 0; i < 10; ++i)
            samples.push_back(m_times.sample(own, deviation));
        return samples;
    }
    Comparison comparison(Pairing pairing, double slower) {
        ProcessSamples a, b;
        for (int i = 0; i < 3; ++i) {
            const double shared = moment();
            a.push_back(process(10, shared));
            b.push_back(process(10 * slower, pairing == Pairing::OneStudy ? shared : moment()));
        }
        return compare(a, b, pairing);
    }

  private:
    double moment() { return m_times.effect(m_times.machine().moment); }

    test::DrawnTimes m_times;
};

constexpr int kComparisons = repetitions(600, 100);

double share(const Machine& machine, Pairing pairing, double slower,
             std::initializer_list<Verdict> verdicts) {
    Draw draw(machine, 7);
    int count = 0;
    for (int i = 0; i < kComparisons; ++i)
        count += std::ranges::count(verdicts, draw.comparison(pairing, slower).verdict);
    return double(count) / kComparisons;
}

constexpr Machine kMachines[] = {test::quietMachine(0.01), test::kDifferingProcesses, test::kBusy,
                                 test::kOutliers, test::kHangingTogether};

TEST(ProcessVerdicts, TellIdenticalWorkApartInAtMostTwoPercent) {
    for (const Machine& machine : kMachines)
        for (const Pairing pairing : {Pairing::OneStudy, Pairing::TwoStudies}) {
            SCOPED_TRACE(std::string(machine.name) +
                         (pairing == Pairing::OneStudy ? ", one study" : ", two studies"));
            const double threeDeviations = 3 * std::sqrt(0.02 * 0.98 / kComparisons); // of a share of 2 %
            EXPECT_LE(share(machine, pairing, 1, {Verdict::Faster, Verdict::Slower}), 0.02 + threeDeviations);
        }
}

TEST(ProcessVerdicts, FindFivePercentOnAQuietMachine) {
    EXPECT_GE(share(kMachines[0], Pairing::OneStudy, 1.05, {Verdict::Slower}), 0.8);
    EXPECT_EQ(share(kMachines[0], Pairing::OneStudy, 1.05, {Verdict::Faster}), 0);
}

TEST(ProcessVerdicts, SaySameWhereTheIntervalLiesWithinTheSmallestEffect) {
    EXPECT_GE(share(kMachines[0], Pairing::OneStudy, 1, {Verdict::Same}), 0.8);
    EXPECT_EQ(share(kMachines[0], Pairing::OneStudy, 1.01, {Verdict::Slower}),
              0); // 1 % is less than the smallest effect
}

TEST(ProcessVerdicts, OfTwoStudiesNeedProcesses) {
    const ProcessSamples one{{10, 10.1, 10.2, 10.1, 10}}, other{{20, 20.1, 20.2, 20.1, 20}};
    const Comparison comparison = compare(one, other, Pairing::TwoStudies);
    EXPECT_EQ(comparison.verdict, Verdict::Unclear);
    EXPECT_TRUE(comparison.needsProcesses);
    EXPECT_DOUBLE_EQ(comparison.ratio, 10.1 / 20.1);
    EXPECT_EQ(compare(one, other, Pairing::OneStudy).verdict, Verdict::Slower);
    EXPECT_FALSE(compare(one, other, Pairing::OneStudy).needsProcesses);
    EXPECT_EQ(compare({}, other, Pairing::TwoStudies).verdict, Verdict::NoResult);
}

ProcessSamples threeProcesses(double time) {
    return {{time}, {time * 1.001}, {time * 0.999}};
}

TEST(ProcessVerdicts, OfTwoStudiesNeedMoreThanTwoMomentsMayDiffer) {
    for (const double factor : {1.1, 1.5, 1.9}) {
        const Comparison slower =
            compare(threeProcesses(10), threeProcesses(10 * factor), Pairing::TwoStudies);
        EXPECT_EQ(slower.verdict, Verdict::Unclear) << factor;
        EXPECT_TRUE(slower.oneMoment) << factor;
        EXPECT_EQ(slower.processesThatSettle, 0) << factor;
        EXPECT_NEAR(slower.ratio, 1 / factor, 1e-9);
    }
    for (const auto& [factor, verdict] :
         {std::pair(2.0, Verdict::Slower), std::pair(0.5, Verdict::Faster), std::pair(1.0, Verdict::Same)}) {
        const Comparison clear =
            compare(threeProcesses(10), threeProcesses(10 * factor), Pairing::TwoStudies);
        EXPECT_EQ(clear.verdict, verdict) << factor;
        EXPECT_FALSE(clear.oneMoment) << factor;
    }
    EXPECT_EQ(compare(threeProcesses(10), threeProcesses(11), Pairing::OneStudy).verdict, Verdict::Slower);
}

TEST(ProcessVerdicts, OfPairsAreThoseOfTheirRatios) {
    const std::vector<double> a{10, 18, 10.1}, slower{10.5, 18.9, 10.6}, wild{10, 10, 18};
    EXPECT_EQ(comparePairs(a, slower).verdict, Verdict::Slower);
    EXPECT_EQ(comparePairs(slower, a).verdict, Verdict::Faster);
    EXPECT_EQ(comparePairs(a, a).verdict, Verdict::Same);
    const Comparison open = comparePairs(a, wild);
    EXPECT_EQ(open.verdict, Verdict::Unclear);
    EXPECT_TRUE(open.overPairs && open.hasInterval);
    EXPECT_NEAR(open.ratio, std::cbrt(10 * 18 * 10.1 / (10 * 10 * 18)), 1e-12);
    EXPECT_NEAR(open.ratio, std::sqrt(open.ci95.low * open.ci95.high), 1e-12);
}

TEST(ProcessVerdicts, OfPairsNeedThreeWithTimes) {
    const std::vector<double> three{1, 1, 1}, two{1, 1}, zero{1, 0, 1}, endless{1, INFINITY, 1};
    EXPECT_EQ(comparePairs(two, two).verdict, Verdict::NoResult);
    EXPECT_EQ(comparePairs({}, {}).verdict, Verdict::NoResult);
    EXPECT_EQ(comparePairs(three, two).verdict, Verdict::NoResult);
    for (const auto& odd : {zero, endless}) {
        EXPECT_EQ(comparePairs(three, odd).verdict, Verdict::NoResult);
        EXPECT_EQ(comparePairs(odd, three).verdict, Verdict::NoResult);
    }
}

TEST(ProcessVerdicts, OfFewSamplesNeedTimesThatDoNotMeet) {
    const std::vector<double> a{10, 10.2, 10.4, 10.6, 10.8}, apart{14, 14.1, 14.2, 14.3, 14.4},
        meets{10.7, 14.1, 14.2, 14.3, 14.4}, near{12, 12, 12, 12, 12};
    EXPECT_EQ(compare(a, apart).verdict, Verdict::Slower);
    EXPECT_EQ(compare(a, meets).verdict, Verdict::Unclear);
    EXPECT_EQ(compare(a, near).verdict, Verdict::Unclear) << "less than a quarter";
}

TEST(ProcessVerdicts, OfOneProcessTellOnlyAQuarterAndMoreApart) {
    const ProcessSamples base(1, std::vector<double>(12, 10.0)), tenth(1, std::vector<double>(12, 11.0)),
        half(1, std::vector<double>(12, 15.0));
    EXPECT_EQ(compare(base, half, Pairing::OneStudy).verdict, Verdict::Slower);
    EXPECT_EQ(compare(half, base, Pairing::OneStudy).verdict, Verdict::Faster);
    for (const ProcessSamples& other : {base, tenth}) {
        const Comparison comparison = compare(base, other, Pairing::OneStudy);
        EXPECT_EQ(comparison.verdict, Verdict::Unclear);
        EXPECT_TRUE(comparison.needsProcesses);
        EXPECT_TRUE(comparison.hasInterval);
    }
}

TEST(ProcessVerdicts, HaveTheRatioInTheMiddleOfItsInterval) {
    const ProcessSamples base{{1, 1, 1}, {10, 10, 10}, {10, 10, 10}},
        other{{2, 2, 2}, {20, 20, 20}, {10, 10, 10}};
    for (const Pairing pairing : {Pairing::OneStudy, Pairing::TwoStudies}) {
        const Comparison comparison = compare(base, other, pairing);
        EXPECT_NEAR(comparison.ratio, std::pow(0.25, 1 / 3.0), 1e-12);
        EXPECT_NEAR(comparison.ratio, std::sqrt(comparison.ci95.low * comparison.ci95.high), 1e-12);
    }
}

TEST(ProcessVerdicts, SayHowManyProcessesWouldSettleThem) {
    const ProcessSamples base{{10}, {10}, {10}}, other{{10.2}, {10.6}, {10.9}};
    const Comparison open = compare(base, other, Pairing::OneStudy);
    ASSERT_EQ(open.verdict, Verdict::Unclear);
    const auto many = static_cast<std::size_t>(open.processesThatSettle);
    ASSERT_GT(many, 3u);
    ProcessSamples longer(many, {10}), three;
    for (std::size_t i = 0; i < many; ++i)
        three.push_back(other[i % 3]);
    EXPECT_EQ(compare(longer, three, Pairing::OneStudy).verdict, Verdict::Slower);
    const ProcessSamples wild{{5}, {10}, {20}};
    EXPECT_EQ(compare(base, wild, Pairing::OneStudy).processesThatSettle, 0) << "a hundred are not enough";
    EXPECT_EQ(compare(base, base, Pairing::OneStudy).processesThatSettle, 0) << "it is settled";
}

TEST(ProcessVerdicts, OfProcessesThatTookNoTimeHaveNone) {
    const ProcessSamples zeros(3, {0, 0, 0, 0, 0}), times(3, {1, 1, 1, 1, 1});
    EXPECT_EQ(compare(times, zeros, Pairing::OneStudy).verdict, Verdict::NoResult);
    EXPECT_NE(compare(zeros, times, Pairing::OneStudy).verdict, Verdict::Same);
}

} // namespace
} // namespace heteroscope
