// SPDX-License-Identifier: Apache-2.0
// How many processes, and how long, would settle what is unclear.
#include "profiling/analysis/settling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace heteroscope::profiling {
namespace settling_test {

Comparison unclear(int processes) {
    Comparison made{1.05, {0.9, 1.2}, Verdict::Unclear, true};
    made.overProcesses = true;
    made.processesThatSettle = processes;
    return made;
}

TEST(Settling, NamesTheMostProcessesAndTheirTime) {
    EXPECT_EQ(settlingText(std::vector<Comparison>{unclear(5), unclear(14)}, 20),
              "As many as 14 processes would settle 2 of them, if all are like those that there are: "
              "--processes 14, "
              "about 5 min.");
    EXPECT_EQ(
        settlingText(std::vector<Comparison>{unclear(5)}, 1.2),
        "As many as 5 processes would settle 1 of them, if all are like those that there are: --processes 5, "
        "about 6 s.");
}

TEST(Settling, SaysWhatNoNumberOfThemWouldSettle) {
    EXPECT_EQ(settlingText(std::vector<Comparison>{unclear(0)}, 0), "Of 1, not even 100 would.");
    EXPECT_EQ(
        settlingText(std::vector<Comparison>{unclear(0), unclear(7)}, 0),
        "As many as 7 processes would settle 1 of them, if all are like those that there are: --processes 7. "
        "Of 1, not even 100 would.");
}

TEST(Settling, SaysNothingOfWhatIsClearOrLacksProcesses) {
    Comparison one = unclear(0);
    one.overProcesses = false;
    Comparison clear = unclear(0);
    clear.verdict = Verdict::Faster;
    Comparison disturbed = unclear(0);
    disturbed.disturbed = true;
    Comparison moment = unclear(0);
    moment.oneMoment = true;
    EXPECT_EQ(settlingText(std::vector<Comparison>{one, clear, disturbed, moment}, 1), "");
}

TEST(Settling, TimeOfAProcessIsThatFromTheFirstSampleToTheLast) {
    Study study;
    EXPECT_EQ(secondsPerProcess(study), 0);
    StudyRun& run = study.runs.emplace_back();
    for (const int process : {0, 1}) {
        StudySample& sample = run.samples.emplace_back();
        sample.process = process;
        sample.startNs = (10 + 4 * process) * 1'000'000'000LL;
        sample.wallMs = 1000;
        sample.repetitions = 2;
    }
    EXPECT_DOUBLE_EQ(secondsPerProcess(study), 3);
}

} // namespace settling_test
} // namespace heteroscope::profiling
