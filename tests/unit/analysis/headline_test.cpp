// SPDX-License-Identifier: Apache-2.0
// The sentence at the top of a study, for every way in which a study can end.
#include "profiling/analysis/headline.h"
#include "tests/support/fresh_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kSize = "/pooling/input/size";

void add(Study& study, const std::string& target, Json point, double ms, int samples, double spread = 0.001) {
    StudyRun run;
    run.run = static_cast<int>(study.runs.size());
    run.target = target;
    run.point = std::move(point);
    run.status = StudyRunStatus::Ok;
    for (int i = 0; i < samples; ++i) {
        StudySample sample;
        sample.wallMs = ms * (1 + spread * (i % 3));
        run.samples.push_back(sample);
    }
    study.runs.push_back(std::move(run));
}

/// As samples of three processes, which a verdict of less than a quarter needs.
void spreadOverProcesses(Study& study) {
    for (StudyRun& run : study.runs)
        for (std::size_t i = 0; i < run.samples.size(); ++i)
            run.samples[i].process = static_cast<int>(i % kProcessesForVerdict);
}

Study finished() {
    Study study;
    study.ended = true;
    study.endStatus = "done";
    return study;
}

/// Sequential wins at 64, openmp from 256 on.
Study sweep(int samples = 9) {
    Study study = finished();
    for (const auto& [size, sequential, openmp] :
         {std::tuple(64, 0.5, 1.0), std::tuple(256, 2.0, 1.0), std::tuple(1024, 24.6, 2.0)}) {
        add(study, "cpu/sequential", {{kSize, size}}, sequential, samples);
        add(study, "cpu/openmp", {{kSize, size}}, openmp, samples);
    }
    return study;
}

std::string headlineOf(const Study& study, const std::string& reference = {}) {
    return headline(study, summarizeStudy(study, reference)).text();
}

/// An axis with 64 and 64.0: the times named are those that were compared.
TEST(Headline, ARunOfAPointThatOccursTwiceIsNamedWithItsOwnReference) {
    Study study = finished();
    add(study, "cpu/sequential", {{kSize, 64}}, 2.0, 40);
    add(study, "cpu/openmp", {{kSize, 64}}, 1.9, 40);
    add(study, "cpu/sequential", {{kSize, 64.0}}, 1.0, 40);
    add(study, "cpu/openmp", {{kSize, 64.0}}, 1.0, 40);
    spreadOverProcesses(study);
    EXPECT_THAT(headlineOf(study), HasSubstr("equally fast at size 64"));
    EXPECT_THAT(headlineOf(study), HasSubstr("(1.00 ms and 1.00 ms)"));
}

TEST(Headline, NamesWinnerFactorPlaceIntervalAndWhereItChanges) {
    EXPECT_EQ(headlineOf(sweep()),
              "cpu/openmp is 12.3× faster than cpu/sequential at size 1\u00a0024, the largest "
              "of 3 points (95 % interval 12.3 to 12.3); up to "
              "size 64 cpu/sequential is faster.");
}

TEST(Headline, TakesTheFastestAtTheLargestPointWhateverTheOrder) {
    Study study = finished();
    for (const int size : {1024, 64}) {
        add(study, "cpu/onednn", {{kSize, size}}, 4.0 * size, 9);
        add(study, "cpu/openmp", {{kSize, size}}, 2.0 * size, 9);
        add(study, "cpu/sequential", {{kSize, size}}, 8.0 * size, 9);
    }
    EXPECT_THAT(
        headlineOf(study),
        StartsWith(
            "cpu/openmp is 4.00× faster than cpu/sequential at size 1\u00a0024, the largest of 2 points ("));
    EXPECT_THAT(headlineOf(study), Not(HasSubstr("up to")));
}

TEST(Headline, ClaimsNoWinnerBelowWhereProcessesDoNotTellThemApart) {
    Study study = finished();
    for (const int size : {64, 1024}) {
        add(study, "cpu/sequential", {{kSize, size}}, 1.0 * size, 30);
        add(study, "cpu/openmp", {{kSize, size}}, size == 64 ? 1.1 * size : 0.5 * size, 30);
    }
    spreadOverProcesses(study);
    std::vector<StudySample>& close = study.runs[1].samples;
    for (std::size_t i = 0; i < 6; ++i) { // two processes of three samples each, far off on either side
        close[i].process = static_cast<int>(i % 2);
        close[i].wallMs *= i % 2 == 0 ? 0.6 : 1.7;
    }
    for (std::size_t i = 6; i < close.size(); ++i)
        close[i].process = 2;
    EXPECT_THAT(headlineOf(study),
                StartsWith("cpu/openmp is 2.00× faster than cpu/sequential at size 1\u00a0024"));
    EXPECT_THAT(headlineOf(study), HasSubstr("; which is faster changes near size 64, not clearly"));
}

TEST(Headline, SlowerOthersMakeTheReferenceTheWinner) {
    Study study = finished();
    add(study, "cpu/sequential", Json::object(), 1.0, 9);
    add(study, "cpu/openmp", Json::object(), 4.0, 9);
    EXPECT_EQ(headlineOf(study),
              "cpu/sequential is 4.00× faster than cpu/openmp (95 % interval 4.00 to 4.00).");
}

TEST(Headline, SameIsSaidWithBothTimes) {
    Study study = finished();
    add(study, "cpu/sequential", Json::object(), 1.0, 9);
    add(study, "cpu/openmp", Json::object(), 1.001, 9);
    EXPECT_THAT(headlineOf(study), StartsWith("It is unclear whether")) << "samples of one process";
    spreadOverProcesses(study);
    EXPECT_EQ(headlineOf(study), "cpu/openmp and cpu/sequential are equally fast (1.00 ms and 1.00 ms).");
}

TEST(Headline, UnclearIsNotAClaim) {
    Study study = finished();
    add(study, "cpu/sequential", {{kSize, 64}}, 1.0, 9, 0.4);
    add(study, "cpu/openmp", {{kSize, 64}}, 0.95, 9, 0.4);
    EXPECT_THAT(headlineOf(study),
                StartsWith("It is unclear whether cpu/openmp is faster than cpu/sequential at "
                           "size 64 (1.05×, 95 % interval "));
}

TEST(Headline, FewSamplesAreSaid) {
    EXPECT_EQ(headlineOf(sweep(3)),
              "cpu/openmp looks 12.3× faster than cpu/sequential at size 1\u00a0024, the "
              "largest of 3 points, but 3 samples are too few for an "
              "interval (n < 5); which is faster changes near size 64, not clearly.");
}

TEST(Headline, OneTargetTellsItsTime) {
    Study study = finished();
    add(study, "cpu/openmp", {{kSize, 64}}, 1.0, 9);
    add(study, "cpu/openmp", {{kSize, 128}}, 2.0, 9, 0);
    EXPECT_EQ(
        headlineOf(study),
        "cpu/openmp takes 2.00 ms at size 128, the largest of 2 points (95 % interval 2.00 ms to 2.00 ms); a "
        "second target would give a comparison.");
}

TEST(Headline, LinkedAxesAndSeveralAxesNameThePlace) {
    Study study = finished();
    const Json point = {{"/matmul/m,/matmul/n,/matmul/k", 16}, {"/matmul/right", "identity"}};
    add(study, "cpu/sequential", point, 2.0, 9);
    add(study, "cpu/openmp", point, 1.0, 9);
    EXPECT_THAT(headlineOf(study), HasSubstr(" at m=n=k=16, right identity ("));
}

TEST(Headline, FailuresAreCountedWithTheFirstReason) {
    Study study = sweep();
    study.runs[5].status = StudyRunStatus::Failed;
    study.runs[5].reason = "out of memory.";
    study.runs[5].samples.clear();
    EXPECT_THAT(
        headlineOf(study),
        StartsWith("cpu/openmp is 2.00× faster than cpu/sequential at size 256, the largest of 2 points ("));
    EXPECT_THAT(headlineOf(study),
                EndsWith(" 1 of 6 runs have no complete result (cpu/openmp: out of memory)."));
    for (StudyRun& run : study.runs) {
        run.status = StudyRunStatus::Failed;
        run.reason = "out of memory";
        run.samples.clear();
    }
    EXPECT_EQ(headlineOf(study),
              "No run has a result. 6 of 6 runs have no complete result (cpu/sequential: out of memory).");
}

TEST(Headline, MissingReferenceAndRunningStudiesAreSaid) {
    Study study = sweep();
    for (StudyRun& run : study.runs)
        if (run.target == "cpu/sequential")
            run.samples.clear();
    add(study, "cpu/onednn", {{kSize, 1024}}, 3.0, 9);
    EXPECT_THAT(headlineOf(study), HasSubstr("the reference cpu/sequential has no result to compare with"));
    study = sweep();
    study.ended = false;
    EXPECT_THAT(headlineOf(study), StartsWith("So far: cpu/openmp is 12.3× faster"));
    EXPECT_EQ(headlineOf(Study()), "No run has a result yet.");
}

TEST(Headline, DifferentOutputsAreSaid) {
    Study study = sweep();
    study.runs[5].maxAbsError = study.runs[5].maxRelError = 0.5;
    EXPECT_THAT(headlineOf(study), HasSubstr("; but the outputs differ: not equal work."));
}

TEST(Headline, OfTwoStudiesCountsVerdictsAndNamesTheLargestChange) {
    const Study a = sweep();
    Study b = sweep();
    for (StudySample& sample : b.runs[5].samples)
        sample.wallMs *= 2;
    EXPECT_EQ(
        headline(compareStudies(inThreeProcesses(a), inThreeProcesses(b))).text(),
        "B against A, of 6 runs: 0 faster, 1 slower, 5 the same, 0 unclear; largest change: cpu/openmp at "
        "size 1\u00a0024 is 2.00× slower (95 % interval 2.00 to 2.00).");
    EXPECT_EQ(headline(compareStudies(a, b)),
              "B against A, of 6 runs: 0 faster, 0 slower, 0 the same, 6 unclear.")
        << "of one process each";
    EXPECT_EQ(headline(compareStudies(a, finished())), "The two studies share no run that can be compared.");
}

TEST(Headline, TellsTheTimeAtTheLargestPointWhateverTheOrder) {
    for (const bool upwards : {true, false}) {
        Study study = finished();
        for (const int size : {upwards ? 64 : 128, upwards ? 128 : 64})
            add(study, "cpu/openmp", {{kSize, size}}, size / 64.0, 9, 0);
        EXPECT_THAT(headlineOf(study),
                    StartsWith("cpu/openmp takes 2.00 ms at size 128, the largest of 2 points ("))
            << upwards;
    }
    Study study = finished();
    add(study, "cpu/openmp", {{kSize, 64}}, 3.0, 1);
    EXPECT_EQ(headlineOf(study),
              "cpu/openmp takes 3.00 ms at size 64 (1 sample, no interval: n < 5); a second "
              "target would give a comparison.");
    study.runs[0].samples.resize(2, study.runs[0].samples[0]);
    EXPECT_THAT(headlineOf(study), HasSubstr("(2 samples, no interval: n < 5)"));
    add(study, "cpu/openmp", {{kSize, 64}}, 1.0, 2); // the faster one of two
    EXPECT_THAT(headlineOf(study), StartsWith("cpu/openmp takes 1.00 ms at size 64 ("));
}

TEST(Headline, TakesTheFirstAxisThatDiffersAndNumbersOnly) {
    const auto placeOfLargest = [](const Json& first, const Json& second) {
        Study study = finished();
        add(study, "cpu/openmp", first, 1.0, 9);
        add(study, "cpu/openmp", second, 1.0, 9);
        const std::string text = headlineOf(study);
        const std::size_t at = text.find(" at ") + 4;
        return text.substr(at, text.find(" (") - at);
    };
    EXPECT_EQ(placeOfLargest({{"/a", 1}, {"/b", 9}}, {{"/a", 2}, {"/b", 1}}),
              "a 2, b 1, the largest of 2 points");
    EXPECT_EQ(placeOfLargest({{"/a", 1}, {"/b", 9}}, {{"/a", 1}, {"/b", 1}}),
              "a 1, b 9, the largest of 2 points");
    EXPECT_EQ(placeOfLargest({{"/a", "x"}, {"/b", 1}}, {{"/a", "y"}, {"/b", 9}}),
              "a y, b 9, the largest of 2 points");
    EXPECT_EQ(placeOfLargest({{"/a", "x"}}, {{"/a", "y"}}), "a x, the first of 2 points");
    EXPECT_EQ(placeOfLargest({{"/a", "x"}}, {{"/a", 3}}), "a x, the first of 2 points");
    EXPECT_EQ(placeOfLargest({{"/a", 3}}, {{"/a", "x"}}), "a 3, the first of 2 points");
    EXPECT_EQ(placeOfLargest({{"/a", 3}}, {{"/b", 4}}), "a 3, the first of 2 points");
    EXPECT_EQ(placeOfLargest({{"/a", 1.5}}, {{"/a", 2.5}}), "a 2.5, the largest of 2 points");
}

TEST(Headline, RatiosHaveThreeDigits) {
    const auto ratio = [](double slow) {
        Study study = finished();
        add(study, "cpu/sequential", Json::object(), slow, 9, 0);
        add(study, "cpu/openmp", Json::object(), 1.0, 9, 0);
        const std::string text = headlineOf(study);
        const std::size_t at = text.find(" is ") + 4;
        return text.substr(at, text.find(" faster") - at);
    };
    EXPECT_EQ(ratio(250.4), "250×");
    EXPECT_EQ(ratio(100), "100×");
    EXPECT_EQ(ratio(99.25), "99.2×");
    EXPECT_EQ(ratio(10), "10.0×");
    EXPECT_EQ(ratio(9.875), "9.88×");
    EXPECT_EQ(ratio(1.5), "1.50×");
}

TEST(Headline, OneSampleOfTheReferenceIsEnoughToCompare) {
    Study study = finished();
    add(study, "cpu/sequential", Json::object(), 8.0, 1);
    add(study, "cpu/openmp", Json::object(), 2.0, 9);
    EXPECT_EQ(headlineOf(study),
              "cpu/openmp looks 4.00× faster than cpu/sequential, but 1 sample is too few for "
              "an interval (n < 5).");
}

TEST(Headline, TheLastOfSeveralChangesIsNamed) {
    Study study = finished();
    const double sequential[] = {1, 4, 4, 16}, openmp[] = {2, 2, 8, 8};
    for (int i = 0; i < 4; ++i) {
        add(study, "cpu/sequential", {{kSize, 1 << i}}, sequential[i], 9);
        add(study, "cpu/openmp", {{kSize, 1 << i}}, openmp[i], 9);
    }
    EXPECT_THAT(headlineOf(study), EndsWith("; just below, at size 4 cpu/sequential is faster."));
    study.runs.resize(6);
    EXPECT_THAT(
        headlineOf(study),
        StartsWith("cpu/sequential is 2.00× faster than cpu/openmp at size 4, the largest of 3 points ("));
    EXPECT_THAT(headlineOf(study), EndsWith("; just below, at size 2 cpu/openmp is faster."));
    for (StudyRun& run : study.runs)
        run.point["/pooling/kernel"] = 2; // two axes: no single curve
    EXPECT_THAT(headlineOf(study), Not(HasSubstr("just below")));
}

TEST(Headline, EveryRunWithoutACompleteResultCounts) {
    Study study = sweep();
    study.runs[0].status = StudyRunStatus::Skipped;
    study.runs[1].status = StudyRunStatus::Cancelled;
    study.runs[2].status = StudyRunStatus::Failed;
    study.runs[3].status = StudyRunStatus::Running;
    for (int i = 0; i < 3; ++i)
        study.runs[static_cast<std::size_t>(i)].samples.clear();
    EXPECT_THAT(headlineOf(study),
                EndsWith(" 3 of 6 runs have no complete result (cpu/sequential: skipped)."));
}

TEST(Headline, AStudyThatEndedOtherwiseSaysWhatIsKnownSoFar) {
    Study study = sweep();
    study.endStatus = "cancelled";
    EXPECT_THAT(headlineOf(study), StartsWith("So far: cpu/openmp is 12.3× faster"));
    study.runs.clear();
    EXPECT_EQ(headlineOf(study), "No run has a result.");
}

TEST(Headline, OfTwoStudiesCountsEveryVerdict) {
    Study a = finished(), b = finished();
    const double before[] = {8, 1, 1, 1, 1}, after[] = {1, 4, 1.001, 1.05, 0.4};
    for (int i = 0; i < 5; ++i) {
        add(a, "cpu/openmp", {{kSize, i}}, before[i], 9, i == 3 ? 0.4 : 0.001);
        add(b, "cpu/openmp", {{kSize, i}}, after[i], 9, i == 3 ? 0.4 : 0.001);
    }
    EXPECT_THAT(
        headline(compareStudies(inThreeProcesses(a), inThreeProcesses(b))).text(),
        StartsWith("B against A, of 5 runs: 2 faster, 1 slower, 1 the same, 1 unclear; largest change: "
                   "cpu/openmp at size 0 is 8.00× faster (95 % interval "));
    a.runs.erase(a.runs.begin(), a.runs.begin() + 2);
    a.runs.pop_back();
    EXPECT_EQ(headline(compareStudies(inThreeProcesses(a), inThreeProcesses(b))),
              "B against A, of 2 runs: 0 faster, 0 slower, 1 the same, 1 unclear.");
}

} // namespace
} // namespace heteroscope::profiling
