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

TEST(Settling, OfAQuickStudyIsAStandardOneOfWhichTheTimeIsKnown) {
    Study study;
    study.experiment = {{"sampling", {{"preset", "quick"}}}};
    const std::vector<Doubt> lacking{Doubt::None, Doubt::OneProcess};
    EXPECT_EQ(standardPresetText(lacking, study), "") << "nothing was measured";
    for (int run = 0; run < 3; ++run) {
        StudySample& sample = study.runs.emplace_back().samples.emplace_back();
        sample.startNs = run * 10'000'000'000LL;
        sample.wallMs = 1000;
    }
    study.runs.emplace_back(); // skipped
    EXPECT_EQ(standardPresetText(lacking, study),
              "Preset standard takes about 2 min at most."); // 3 * 21 + 3 * 6 s
    EXPECT_EQ(standardPresetText(std::vector<Doubt>{Doubt::NoInterval}, study),
              "Preset standard takes about 2 min at most.");
    EXPECT_EQ(standardPresetText(std::vector<Doubt>{Doubt::Processes, Doubt::Disturbed}, study), "");
    Json& sampling = study.experiment["sampling"];
    sampling["time_limit_s"] = 60;
    EXPECT_EQ(standardPresetText(lacking, study),
              "Preset standard takes about 5 min at most."); // 3 * (21 + 60) s
    study.runs[0].metrics["quiet_wait_s"] = 10;
    EXPECT_EQ(standardPresetText(lacking, study),
              "Preset standard takes about 4 min at most, beside waiting for a quiet machine.");
    sampling["processes"] = 1;
    EXPECT_EQ(standardPresetText(lacking, study), "") << "that number stays";
    sampling = {{"preset", "standard"}};
    EXPECT_EQ(standardPresetText(lacking, study), "") << "it was that one";
    sampling = {{"preset", "quick"}};
    study.experiment["data"] = {{"source", "idx"}};
    EXPECT_EQ(standardPresetText(lacking, study), "") << "a training is as long at every preset";
}

} // namespace settling_test
} // namespace heteroscope::profiling
