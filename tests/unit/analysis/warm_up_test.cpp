// SPDX-License-Identifier: Apache-2.0
// How a warm-up ended and what the caches held, as notes, in the JSON results and in the CSV.
#include "profiling/analysis/results.h"
#include "profiling/analysis/study_notes.h"
#include "profiling/analysis/warm_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace warm_up_test {

using ::testing::Contains;
using ::testing::HasSubstr;

StudyRun& addRun(Study& study, const char* target) {
    StudyRun& run = study.runs.emplace_back();
    run.run = static_cast<int>(study.runs.size()) - 1;
    run.target = target;
    run.status = StudyRunStatus::Ok;
    StudySample& sample = run.samples.emplace_back();
    sample.wallMs = 2;
    return run;
}

void addWarmUp(StudyRun& run, int process, int repetitions, double wallMs, std::optional<bool> stable) {
    StudySample& sample = run.samples.emplace_back();
    sample.warmup = true;
    sample.process = process;
    sample.repetitions = repetitions;
    sample.wallMs = wallMs;
    sample.warmupStable = stable;
}

Study twoProcesses() {
    Study study;
    StudyRun& run = addRun(study, "cuda:0/cuda");
    addWarmUp(run, 0, 1, 4, {});
    addWarmUp(run, 0, 10, 2, true);
    addWarmUp(run, 1, 20, 2, false);
    run.samples[2].clocks = DeviceClocks{1980, {}, "", false};
    run.samples[3].clocks = DeviceClocks{1965, {}, "", false};
    return study;
}

TEST(WarmUp, OfARunIsThatOfItsProcesses) {
    const Study study = twoProcesses();
    const WarmUp warmUp = warmUpOf(study.runs[0]);
    EXPECT_EQ(warmUp.processes, 2);
    EXPECT_EQ(warmUp.stable, 1);
    EXPECT_EQ(warmUp.repetitions, 31);
    EXPECT_DOUBLE_EQ(warmUp.ms, 4 + 20 + 40);
    EXPECT_EQ(warmUpText(study.runs[0]),
              "31 repetitions in 64.0 ms, stable in 1 of 2 processes, SM clock 1965 to 1980 MHz");
    EXPECT_EQ(warmUpJson(warmUp), (Json{{"repetitions", 31},
                                        {"ms", 64.0},
                                        {"processes", 2},
                                        {"stable_processes", 1},
                                        {"sm_mhz", {1965.0, 1980.0}}}));
}

TEST(WarmUp, ThatDidNotBecomeStableIsNamedUnderTheTable) {
    const Study study = twoProcesses();
    EXPECT_EQ(
        warmUpNote(study),
        "warmed up until no repetition of 3 in a row was faster by 5 %, the GPU's clock within 1 %: 24.0 ms "
        "to 40.0 ms a process; not stable at its time limit: cuda:0/cuda (stable in 1 of 2 processes)");
    EXPECT_THAT(studyNotes(study), Contains(warmUpNote(study).text()));
    EXPECT_EQ(warmUpCaption(study), "1 of 1 runs not stable after their warm-up");
}

TEST(WarmUp, OfFilesThatDoNotTellIsNotGuessed) {
    Study study;
    addWarmUp(addRun(study, "cpu/openmp"), 0, 5, 1, {});
    EXPECT_EQ(warmUpText(study.runs[0]), "");
    EXPECT_EQ(warmUpNote(study), "");
    EXPECT_TRUE(warmUpJson(warmUpOf(study.runs[0])).is_null());
}

TEST(WarmUp, EndStandsInTheCsv) {
    const std::string csv = resultsToCsv(twoProcesses());
    EXPECT_THAT(csv, HasSubstr(",warmup_stable\n"));
    EXPECT_THAT(csv, HasSubstr(",,,1980,,,0,,1\n"));
    EXPECT_THAT(csv, HasSubstr(",,,1965,,,0,,0\n"));
}

TEST(CacheNote, SaysWhatTheCachesHeld) {
    Study study;
    EXPECT_EQ(cacheNote(study), "") << "nothing was timed";
    addRun(study, "cpu/openmp");
    EXPECT_EQ(cacheNote(study), "") << "the caption says it";
    EXPECT_EQ(cacheCaption(study), "caches kept");
    study.experiment = {{"sampling", {{"cache", "flush"}}}};
    study.runs[0].metrics["cache_flush_bytes"] = 64 << 20;
    addRun(study, "cuda:0/cuda").metrics["cache_flush_bytes"] = 200 << 20;
    EXPECT_EQ(cacheNote(study), "caches are flushed before each sample, which is one repetition: 64.0 MiB "
                                "written on cpu, 200.0 MiB written on cuda:0");
    EXPECT_THAT(studyNotes(study), Contains(cacheNote(study).text()));
    EXPECT_EQ(cacheCaption(study), "caches flushed before each sample");
}

} // namespace warm_up_test
} // namespace heteroscope::profiling
