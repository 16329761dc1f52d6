// SPDX-License-Identifier: Apache-2.0
// Whole studies of each preset on drawn times: the preset's own rules say how many processes and samples
// there are, and what is compared is what a study or two would hold. The machine drifts, jumps between
// levels for samples or for whole studies, has outliers, and samples hang together. Of identical work at most
// 2 % may be told apart at every preset, inside a study, between two and between three pairs of them; 5 %
// must be found at preset standard on a quiet machine inside a study and by pairs, and a factor of 2.1 by
// two.
#include "compute/base/statistics.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/sampling_rule.h"
#include "tests/support/drawn_times.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::compute {
namespace preset_verdicts_test {

using test::Machine;

constexpr Machine kMachines[] = {test::quietMachine(0.005),
                                 test::kDifferingProcesses,
                                 test::kBusy,
                                 test::kOutliers,
                                 test::kHangingTogether,
                                 {"drift", 0.005, 0.01, 0.003, 0, 0, 0.01},
                                 {"level shifts", 0.005, 0.01, 0.003, 0, 0, 0, 0.1},
                                 {"slow studies", 0.005, 0.01, 0.003, 0, 0, 0, 0, 0.25}};
constexpr std::size_t kPairs = kPairsForVerdict;

enum class Kind { Inside, TwoStudies, Pairs };
constexpr Kind kKinds[] = {Kind::Inside, Kind::TwoStudies, Kind::Pairs};
constexpr const char* kKindNames[] = {"inside a study", "between two", "by pairs"};

class Studies {
  public:
    Studies(const Machine& machine, Preset preset) : m_times(machine, 11) { m_spec.sampling.preset = preset; }

    Comparison inside(double slower) {
        const std::vector<ProcessSamples> sides = study({1, slower});
        return compare(sides[0], sides[1], Pairing::OneStudy);
    }
    Comparison between(double slower) {
        const ProcessSamples first = study({1})[0];
        return compare(first, study({slower})[0], Pairing::TwoStudies);
    }
    Comparison pairs(double slower) {
        std::vector<double> a, b;
        for (std::size_t i = 0; i < kPairs; ++i) {
            a.push_back(centralTime(study({1})[0]));
            b.push_back(centralTime(study({slower})[0]));
        }
        return comparePairs(a, b);
    }
    Comparison of(Kind kind, double slower) {
        return kind == Kind::Inside       ? inside(slower)
               : kind == Kind::TwoStudies ? between(slower)
                                          : pairs(slower);
    }

  private:
    struct Side {
        double own = 1, deviation = 0;
        SamplingRule rule;
    };

    void sample(Side& side, double level) {
        constexpr double kSpanS = 0.2; // ten fill the share of the time limit of a process at preset standard
        side.rule.add(m_times.sample(10 * side.own * level, side.deviation), kSpanS);
    }

    /// Samples of each side by process; the sides take turns.
    std::vector<ProcessSamples> study(const std::vector<double>& sides) {
        std::vector<ProcessSamples> all(sides.size());
        const int processes = freshProcesses(m_spec).count;
        m_study = m_times.study();
        for (int process = 0; process < processes; ++process) {
            std::vector<Side> running;
            for (const double slower : sides)
                running.push_back({slower * m_times.effect(m_times.machine().process), 0,
                                   SamplingRule(SamplingPlan::of(m_spec, 0, {process, processes}))});
            takeTurns(running);
            for (std::size_t i = 0; i < sides.size(); ++i)
                all[i].push_back(running[i].rule.samplesMs());
        }
        return all;
    }

    void takeTurns(std::vector<Side>& running) {
        double level = m_study * m_times.effect(m_times.machine().moment);
        bool shifted = false;
        for (bool again = true; again;) {
            again = false;
            level *= 1 + m_times.machine().drift;
            shifted = shifted != m_times.shifts();
            for (Side& side : running) {
                if (!side.rule.done())
                    sample(side, shifted ? 1.1 * level : level);
                again = again || !side.rule.done();
            }
        }
    }

    test::DrawnTimes m_times;
    double m_study = 1;
    ExperimentSpec m_spec;
};

/// Pairs are of six studies each.
constexpr int comparisons(Kind kind) {
    return kind == Kind::Pairs ? repetitions(200, 40) : repetitions(500, 100);
}

struct Counts {
    double faster = 0, slower = 0, same = 0;
};

Counts shares(const Machine& machine, Preset preset, Kind kind, double slower) {
    Studies studies(machine, preset);
    Counts counts;
    const int all = comparisons(kind);
    for (int i = 0; i < all; ++i) {
        const Verdict verdict = studies.of(kind, slower).verdict;
        counts.faster += verdict == Verdict::Faster ? 1.0 / all : 0;
        counts.slower += verdict == Verdict::Slower ? 1.0 / all : 0;
        counts.same += verdict == Verdict::Same ? 1.0 / all : 0;
    }
    return counts;
}

class PresetVerdicts : public ::testing::TestWithParam<Preset> {};

TEST_P(PresetVerdicts, TellIdenticalWorkApartInAtMostTwoPercent) {
    for (const Machine& machine : kMachines)
        for (const Kind kind : kKinds) {
            const Counts counts = shares(machine, GetParam(), kind, 1);
            const double threeDeviations =
                3 * std::sqrt(0.02 * 0.98 / comparisons(kind)); // of a share of 2 %
            EXPECT_LE(counts.faster + counts.slower, 0.02 + threeDeviations)
                << machine.name << ", " << kKindNames[static_cast<int>(kind)];
        }
}

INSTANTIATE_TEST_SUITE_P(Each, PresetVerdicts,
                         ::testing::Values(Preset::Quick, Preset::Standard, Preset::Thesis),
                         [](const auto& preset) {
                             return preset.param == Preset::Quick      ? "quick"
                                    : preset.param == Preset::Standard ? "standard"
                                                                       : "thesis";
                         });

TEST(Presets, FindFivePercentOnAQuietMachineFromPresetStandardOn) {
    for (const Preset preset : {Preset::Standard, Preset::Thesis})
        for (const Kind kind : {Kind::Inside, Kind::Pairs}) {
            const Counts counts = shares(kMachines[0], preset, kind, 1.05);
            EXPECT_GE(counts.slower, 0.8) << kKindNames[static_cast<int>(kind)];
            EXPECT_EQ(counts.faster, 0) << kKindNames[static_cast<int>(kind)];
        }
}

TEST(Presets, OfTwoStudiesFindWhatIsMoreThanTheirMomentsMayDiffer) {
    EXPECT_EQ(shares(kMachines[0], Preset::Standard, Kind::TwoStudies, 1.8).slower, 0);
    EXPECT_GE(shares(kMachines[0], Preset::Standard, Kind::TwoStudies, 2.1).slower, 0.8);
    EXPECT_GE(shares(kMachines[0], Preset::Standard, Kind::TwoStudies, 1).same, 0.5);
}

TEST(Presets, OfPresetQuickFindWhatIsLargeAndNeverSaySame) {
    EXPECT_GE(shares(kMachines[0], Preset::Quick, Kind::Inside, 2).slower, 0.99);
    EXPECT_EQ(shares(kMachines[0], Preset::Quick, Kind::Inside, 1.05).slower, 0);
    EXPECT_EQ(shares(kMachines[0], Preset::Quick, Kind::Inside, 1).same, 0);
    EXPECT_EQ(shares(kMachines[0], Preset::Quick, Kind::TwoStudies, 2).slower, 0)
        << "two studies of one process each";
}

TEST(Presets, OfPresetStandardSaySameOnAQuietMachine) {
    EXPECT_GE(shares(kMachines[0], Preset::Standard, Kind::Inside, 1).same, 0.8);
}

} // namespace preset_verdicts_test
} // namespace heteroscope::compute
