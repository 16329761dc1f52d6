// SPDX-License-Identifier: Apache-2.0
// Disturbed samples as notes, in the JSON results and in the CSV.
#include "profiling/analysis/disturbed.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/run_time.h"
#include "profiling/analysis/study_notes.h"
#include "profiling/analysis/unclear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace disturbed_test {

using ::testing::Contains;
using ::testing::HasSubstr;

Disturbance waited(double ms) {
    Disturbance made;
    made.spanMs = 100;
    made.waitedMs = ms;
    made.loopUs = 5;
    return made;
}

StudyRun& addRun(Study& study, const std::vector<std::optional<Disturbance>>& samples) {
    StudyRun& run = study.runs.emplace_back();
    run.run = static_cast<int>(study.runs.size()) - 1;
    run.target = "cpu/openmp";
    run.point = {{"/pooling/input/size", 16 << run.run}};
    run.status = StudyRunStatus::Ok;
    for (const auto& disturbance : samples) {
        StudySample& sample = run.samples.emplace_back();
        sample.run = run.run;
        sample.wallMs = 1;
        sample.disturbance = disturbance;
    }
    return run;
}

TEST(Disturbed, SamplesAreCountedByRunTheMostDisturbedFirst) {
    Study study;
    addRun(study, {waited(0), waited(5), waited(0)});
    addRun(study, {waited(50), waited(50)});
    addRun(study, {waited(0)});
    study.runs[2].samples[0].disturbance->othersMs = 90;
    EXPECT_EQ(
        disturbedNote(study),
        "disturbed samples: 3 of 6 (cpu/openmp, size=32: 2 of 2; cpu/openmp, size=16: 1 of 3): something "
        "else ran on processors that they needed; other programs took 15 % of a processor; repeat when the "
        "machine is quiet: /sampling/quiet_wait_s waits for it");
    EXPECT_THAT(studyNotes(study), Contains(disturbedNote(study).text()));
}

TEST(Disturbed, NoShareIsSaidOfSpansWithFewTicks) {
    Study study;
    StudyRun& run = addRun(study, {waited(50)});
    run.samples[0].disturbance->spanMs = 15;
    run.samples[0].disturbance->othersMs = 60;
    EXPECT_EQ(disturbedNote(study), "disturbed samples: 1 of 1 (cpu/openmp, size=16: 1 of 1): something else "
                                    "ran on processors that they needed; repeat when the machine is quiet: "
                                    "/sampling/quiet_wait_s waits for it");
}

TEST(Disturbed, WhatWasWaitedForAQuietMachineIsSaid) {
    Study study;
    addRun(study, {waited(50), waited(0)}).metrics["quiet_wait_s"] = 1.0;
    addRun(study, {waited(0)}).metrics["quiet_wait_s"] = 12.0;
    EXPECT_EQ(
        disturbedNote(study),
        "disturbed samples: 1 of 3 (cpu/openmp, size=16: 1 of 2): something else ran on processors that "
        "they needed; 13.0 s were waited for a quiet machine");
    study.runs[1].metrics["quiet_wait_s"] = "long"; // of a file that somebody wrote
    EXPECT_TRUE(disturbedNote(study).text().ends_with("1.00 s were waited for a quiet machine"));
}

TEST(Disturbed, WarmUpsAndTracedSamplesDoNotCount) {
    Study study;
    StudyRun& run = addRun(study, {waited(50), waited(50), waited(0)});
    run.samples[0].warmup = true;
    run.samples[1].traced = true;
    EXPECT_EQ(disturbedNote(study), "disturbed samples: none of 1");
}

TEST(Disturbed, StudiesWithoutRecordsSayNothing) {
    Study study;
    addRun(study, {std::nullopt, std::nullopt});
    EXPECT_EQ(disturbedNote(study), "");
    EXPECT_EQ(clockNote(study), "");
    EXPECT_TRUE(resultsToJson(study, summarizeStudy(study)).at("runs").at(0).at("disturbance").is_null());
}

/// Three processes a side, twice as fast in the second study.
Study threeProcesses(double ms, std::size_t disturbed) {
    Study study;
    std::vector<std::optional<Disturbance>> records(20, waited(0));
    for (std::size_t i = 0; i < disturbed; ++i)
        records[i] = waited(50);
    StudyRun& run = addRun(study, records);
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
        run.samples[i].process = static_cast<int>(i % kProcessesForVerdict);
        run.samples[i].wallMs = ms;
    }
    return study;
}

TEST(Disturbed, StudiesHaveNoVerdictBetweenThem) {
    const auto comparisonOf = [](std::size_t first, std::size_t second) {
        return *compareStudies(threeProcesses(2, first), threeProcesses(1, second)).runs.at(0).comparison;
    };
    EXPECT_EQ(comparisonOf(0, 0).verdict, Verdict::Faster);
    EXPECT_EQ(comparisonOf(2, 2).verdict, Verdict::Faster) << "a tenth";
    for (const auto& [first, second] : {std::pair<std::size_t, std::size_t>{3, 0}, {0, 3}, {20, 20}}) {
        const Comparison comparison = comparisonOf(first, second);
        EXPECT_EQ(comparison.verdict, Verdict::Unclear);
        EXPECT_TRUE(comparison.disturbed);
        EXPECT_NEAR(comparison.ratio, 2, 1e-12);
    }
}

/// The speedup of a study's second run over its first.
Comparison speedupOf(double ms, std::size_t disturbedOfFirst, std::size_t disturbedOfSecond) {
    Study study = threeProcesses(1, disturbedOfFirst);
    const Study second = threeProcesses(ms, disturbedOfSecond);
    study.runs.push_back(second.runs[0]);
    return *speedupOver(study.runs[0], study.runs[1]);
}

TEST(Disturbed, RunsOfOneStudyAreToldApartFromATenthOn) {
    EXPECT_EQ(speedupOf(0.94, 0, 0).verdict, Verdict::Faster);
    EXPECT_EQ(speedupOf(0.94, 2, 2).verdict, Verdict::Faster) << "a tenth of the samples";
    for (const auto& [first, second] : {std::pair<std::size_t, std::size_t>{3, 0}, {0, 3}, {20, 20}})
        for (const double ms : {0.92, 1.08}) {
            const Comparison comparison = speedupOf(ms, first, second);
            EXPECT_EQ(comparison.verdict, Verdict::Unclear);
            EXPECT_TRUE(comparison.belowDisturbance);
            EXPECT_EQ(doubtOf(comparison), Doubt::DisturbedStudy);
            EXPECT_NEAR(comparison.ratio, 1 / ms, 1e-12);
        }
    EXPECT_EQ(speedupOf(0.9, 20, 20).verdict, Verdict::Faster);
    EXPECT_EQ(speedupOf(1.11, 20, 20).verdict, Verdict::Slower);
    EXPECT_EQ(speedupOf(1, 20, 20).verdict, Verdict::Same);
}

TEST(Disturbed, WhatIsNotReadableIsSaid) {
    Study study;
    addRun(study, {waited(0), waited(0)});
    study.runs[0].samples[1].disturbance->waitedMs.reset();
    EXPECT_THAT(disturbedNote(study).text(), HasSubstr("of 1 it is not known whether"));
    EXPECT_THAT(clockNote(study).text(), HasSubstr("frequency not readable"));
    study.runs[0].samples[0].disturbance->mhz = 2100;
    study.runs[0].samples[1].disturbance->mhz = 3400;
    study.runs[0].samples[1].disturbance->loopUs = 7;
    EXPECT_EQ(clockNote(study),
              "clock: 2100 to 3400 MHz, a calibration loop after each sample took 5.00 µs to 7.00 µs");
    study.runs[0].samples[0].disturbance->celsius = 61.4;
    study.runs[0].samples[1].disturbance->celsius = 74.0;
    EXPECT_THAT(clockNote(study).text(), HasSubstr("7.00 µs, the processors were at 61 to 74 °C"));
    const Json found = resultsToJson(study, summarizeStudy(study)).at("runs").at(0).at("disturbance");
    EXPECT_EQ(found.at("celsius"), Json::parse("[61.4, 74.0]"));
}

TEST(Disturbed, ResultsHoldCountAndMeasures) {
    Study study;
    addRun(study, {waited(0), waited(5)});
    const Json found = resultsToJson(study, summarizeStudy(study)).at("runs").at(0).at("disturbance");
    EXPECT_EQ(found.at("disturbed_samples"), 1);
    EXPECT_EQ(found.at("samples"), 2);
    EXPECT_EQ(found.at("waited_ms"), 5);
    EXPECT_TRUE(found.at("mhz").is_null());
    EXPECT_TRUE(found.at("celsius").is_null());
    const std::string csv = resultsToCsv(study);
    EXPECT_THAT(csv,
                HasSubstr(",disturbed,waited_ms,others_ms,stolen_ms,mhz,calibration_us,celsius,sm_mhz,"));
    EXPECT_THAT(csv, HasSubstr(",0,0,0,0,,5,,,,,,,\n"));
    EXPECT_THAT(csv, HasSubstr(",1,5,0,0,,5,,,,,,,\n"));
}

/// The program's own time is exact, that of all programs is in ticks: their difference was in the table as it
/// was, below 0.
TEST(Disturbed, TimeOfOthersIsNowhereBelowZeroAndSumsAreOfWhatWasMeasured) {
    Study study;
    addRun(study, {waited(0), waited(0)});
    addRun(study, {waited(0)});
    study.runs[0].samples[0].disturbance->othersMs = -4;
    study.runs[0].samples[1].disturbance->othersMs = 10;
    study.runs[1].samples[0].disturbance->othersMs = -4;
    const std::string csv = resultsToCsv(study);
    EXPECT_THAT(csv, Not(HasSubstr(",0,0,-4,0,,5,")));
    EXPECT_THAT(csv, HasSubstr(",0,0,0,0,,5,"));
    EXPECT_THAT(csv, HasSubstr(",0,0,10,0,,5,"));
    const Json runs = resultsToJson(study, summarizeStudy(study)).at("runs");
    EXPECT_EQ(runs.at(0).at("disturbance").at("others_ms"), 6);
    EXPECT_EQ(runs.at(1).at("disturbance").at("others_ms"), 0);
}

} // namespace disturbed_test
} // namespace heteroscope::profiling
