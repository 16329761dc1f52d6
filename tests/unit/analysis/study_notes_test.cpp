// SPDX-License-Identifier: Apache-2.0
// Tracing overhead and the state of the machine, as they are printed with the results.
#include "compute/base/run_note.h"
#include "profiling/analysis/study_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using ::testing::ElementsAre;

Study studyWith(std::vector<double> overheads) {
    Study study;
    for (const double percent : overheads) {
        StudyRun run;
        run.run = static_cast<int>(study.runs.size());
        run.target = "cpu/openmp";
        run.point = {{"/pooling/input/size", 16 << run.run}};
        run.metrics["tracing_overhead_percent"] = percent;
        run.samples.resize(1);
        study.runs.push_back(run);
    }
    return study;
}

TEST(StudyNotes, OverheadIsTheMedianTheRangeAndTheWorstRun) {
    EXPECT_EQ(
        tracingOverheadNote(studyWith({1.25, 8.94, -0.52})),
        "tracing overhead: median 1.2 %, -0.5 % to 8.9 % over 3 runs (most: cpu/openmp, size=32); times are "
        "from untraced samples");
    EXPECT_EQ(tracingOverheadNote(studyWith({2})),
              "tracing overhead: 2.0 % in one run; times are from untraced samples");
}

TEST(StudyNotes, OverheadThatWasNotMeasuredIsSaid) {
    Study study = studyWith({1});
    study.runs[0].metrics = Json::object();
    EXPECT_EQ(tracingOverheadNote(study), "tracing overhead: not measured; times are from untraced samples");
    EXPECT_EQ(tracingOverheadNote(Study()), "");
}

TEST(StudyNotes, RunsThatTheTimeLimitEndedAreNamed) {
    Study study = studyWith({2, 2});
    study.runs[0].stopRule = "50 samples";
    EXPECT_EQ(timeLimitNote(study), "");
    study.runs[1].stopRule = "time limit 1 s after 16 of 50 samples";
    EXPECT_EQ(timeLimitNote(study),
              "sampling ended before its rule: cpu/openmp, size=32 (time limit 1 s after 16 "
              "of 50 samples)");
    EXPECT_THAT(studyNotes(study), ::testing::Contains(timeLimitNote(study).text()));
}

TEST(StudyNotes, RepetitionsOfAGraphHaveBothTimes) {
    Study study = studyWith({2, 2, 2});
    EXPECT_EQ(launchedNote(study), "");
    for (StudyRun& run : study.runs) {
        run.samples[0].wallMs = 0.003;
        run.metrics["launched_ms"] = 0.0081;
    }
    study.runs[1].metrics["launched_ms"] = "soon";
    study.runs[2].samples.clear();
    EXPECT_EQ(launchedNote(study),
              "repetitions from a CUDA graph, without their launches; launched one by one: "
              "cpu/openmp, size=16 8.10 µs for 3.00 µs");
    EXPECT_THAT(studyNotes(study), ::testing::Contains(launchedNote(study).text()));
    study.runs.resize(20, study.runs[0]);
    EXPECT_THAT(launchedNote(study).text(),
                ::testing::EndsWith(", and 10 more (launched_ms in the JSON results)"));
}

TEST(StudyNotes, StepsThatDoNotAddUpToARepetitionAreSaidTheWorstFirst) {
    Study study = studyWith({2, 2, 2});
    EXPECT_EQ(stepTimesNote(study), "") << "runs of one step";
    for (StudyRun& run : study.runs) {
        run.samples[0].wallMs = 0.068;
        run.metrics["forward_ms"] = 0.0235;
        run.metrics["upload_ms"] = 5; // no step
    }
    study.runs[0].metrics["backward_ms"] = 0.0451; // within 1 %
    study.runs[1].metrics["backward_ms"] = 0.0634;
    study.runs[2].metrics["backward_ms"] = 0.1;
    EXPECT_EQ(stepTimesText(study.runs[0]), "");
    EXPECT_EQ(stepTimesText(study.runs[1]), "cpu/openmp, size=32 86.9 µs for 68.0 µs");
    EXPECT_EQ(stepTimesNote(study), "steps were timed one by one and do not add up to a repetition: "
                                    "cpu/openmp, size=64 124 µs for 68.0 µs, cpu/openmp, size=32 86.9 µs for "
                                    "68.0 µs");
    EXPECT_THAT(studyNotes(study), ::testing::Contains(stepTimesNote(study).text()));
    study.runs[2].samples.clear();
    EXPECT_EQ(stepTimesText(study.runs[2]), "");
}

TEST(StudyNotes, TeamsOnAllProcessorsThatWaitedAreNamed) {
    Study study = studyWith({2, 2, 2, 2});
    const auto sampled = [](StudyRun& run, const char* target, std::vector<double> times) {
        run.target = target;
        run.samples.clear();
        for (const double ms : times)
            run.samples.emplace_back().wallMs = ms;
    };
    sampled(study.runs[0], "cpu/openmp", {0.0373, 0.0271, 0.179});
    sampled(study.runs[1], "cpu/openmp?threads=15", {0.0373, 0.0271, 0.179}); // one is left to the others
    sampled(study.runs[2], "cpu/onednn?threads=16", {1, 1.5, 1.99});          // within a factor of two
    sampled(study.runs[3], "cpu/sequential", {1, 3});
    EXPECT_EQ(fullTeamNote(study), ""); // nobody knows how many processors there are
    study.environment = {{"cores", 16}};
    EXPECT_EQ(fullTeamNote(study),
              "a team on all 16 processors waits whenever something else runs: cpu/openmp, size=16 "
              "(37.3 µs, 27.1 µs to 179 µs); try threads=15");
    EXPECT_THAT(studyNotes(study), ::testing::Contains(fullTeamNote(study).text()));
    study.runs[0].target = "cpu/openmp?simd=avx2&threads=0"; // as many as there are
    EXPECT_THAT(fullTeamNote(study).text(), ::testing::HasSubstr("threads=0, size=16 (37.3"));
    study.environment = {{"cores", 2}}; // leaving one out would halve the team
    EXPECT_EQ(fullTeamNote(study), "");
}

TEST(StudyNotes, MachineStateAndNotesFollow) {
    Study study = studyWith({2});
    study.environment = {{"governor", "powersave"},
                         {"load_average", {0.125, 0.5, 0.5}},
                         {"cores", 2},
                         {"compiler", {{"build_type", "Debug"}}},
                         {"notes", {"This is a debug build."}}};
    EXPECT_THAT(studyNotes(study),
                ElementsAre("tracing overhead: 2.0 % in one run; times are from untraced samples",
                            "machine: governor powersave, load average 0.12 on 2 cores, Debug build",
                            "note: This is a debug build."));
    study.environment["omp_wait_policy"] = "passive";
    EXPECT_EQ(machineStateNote(study), "machine: governor powersave, load average 0.12 on 2 cores, "
                                       "OMP_WAIT_POLICY passive, Debug build");
    study.environment["omp_wait_policy"] = "default"; // the library's own: nothing to say
    study.environment["governor"] = nullptr;
    study.environment.erase("load_average");
    EXPECT_EQ(machineStateNote(study), "machine: frequency governor unknown, Debug build");
}

TEST(StudyNotes, TheLoadAverageIsToldOnce) {
    Study study = studyWith({2});
    study.environment = {{"governor", "powersave"}, {"load_average", {5.375, 0.5, 0.5}}, {"cores", 2}};
    addNote(study.environment, loadAverageNote(5.375, 2));
    EXPECT_EQ(machineStateNote(study), "machine: governor powersave");
    EXPECT_THAT(studyNotes(study), ::testing::Contains("note: Other programs were busy: the load average was "
                                                       "5.38 on 2 cores."));
    study.environment.erase("note_codes"); // as earlier versions wrote it
    EXPECT_EQ(machineStateNote(study), "machine: governor powersave");
}

TEST(StudyNotes, DamagedEnvironmentGivesNoNotes) {
    Study study;
    study.environment = Json::array({1, 2});
    EXPECT_THAT(studyNotes(study), ElementsAre());
    study.environment = {{"load_average", "high"}, {"notes", 3}, {"compiler", 7}};
    EXPECT_THAT(studyNotes(study), ElementsAre());
}

} // namespace
} // namespace heteroscope::profiling
