// SPDX-License-Identifier: Apache-2.0
// Streams of several workers joined into one study: every order of endings, what is missing, doubled,
// different or damaged, and what goes on to the study's own reader.
#include "tests/unit/cli/study_merge_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace heteroscope::cli {
namespace {

using namespace merge_test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Every order of three endings: the worst one counts, with its reason.
TEST_F(StudyMergeTest, TheWorstEndingCountsInEveryOrder) {
    struct Ending {
        StudyRunStatus status;
        std::string reason;
        int rank;
    };
    std::vector<Ending> endings{{StudyRunStatus::Ok, "", 0},
                                {StudyRunStatus::Skipped, "no memory", 1},
                                {StudyRunStatus::Cancelled, "stopped", 2},
                                {StudyRunStatus::Failed, "it broke", 3}};
    std::vector<int> order{0, 1, 2, 3};
    do {
        for (const int leftOut : {3, 2, 1}) {
            Joined joined({kTimed, kTimed, kTimed});
            StudyMerge& merge = joined.merge;
            int process = 0, worst = 0;
            for (const int which : order) {
                if (which == leftOut)
                    continue;
                const Ending& ending = endings[static_cast<std::size_t>(which)];
                worst = std::max(worst, ending.rank);
                merge.beginProcess(process++);
                ASSERT_TRUE(merge.feed(Worker()
                                           .sample(0, 0, 1)
                                           .ends(0, ending.status, ending.reason)
                                           .ends(1, StudyRunStatus::Ok)
                                           .ended()));
                merge.endProcess();
            }
            merge.finish(false);
            const Ending& expected = endings[static_cast<std::size_t>(worst)];
            const auto& runs = joined.bridge.study().runs;
            EXPECT_EQ(runs[0].status, expected.status);
            EXPECT_EQ(runs[0].reason, expected.reason);
            EXPECT_EQ(runs[0].samples.size(), 3u);
            EXPECT_EQ(runs[1].status, StudyRunStatus::Ok);
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(StudyMergeTest, ARunThatFailsWhileItIsRecordedFailed) {
    begin({kRecorded, kTimed});
    expectProcess(
        0,
        Worker().ends(0, StudyRunStatus::Ok).ends(1, StudyRunStatus::Failed, "an illegal address").ended());
    expectProcess(1, timed(1).ended());
    const Study& study = finish();
    EXPECT_EQ(study.runs[0].status, StudyRunStatus::Ok);
    EXPECT_EQ(study.runs[1].status, StudyRunStatus::Failed);
    EXPECT_EQ(study.runs[1].reason, "an illegal address");
    EXPECT_THAT(study.runs[1].timesMs(), ElementsAre(1, 1)) << "what was timed stays";
}

TEST_F(StudyMergeTest, AWorkerWithoutEndKeepsItsSamplesAndInventsNoOutcome) {
    begin({kTimed, kTimed});
    ASSERT_TRUE(process(0, Worker().sample(0, 0, 1).ends(0, StudyRunStatus::Ok).sample(1, 0, 7).bytes()));
    EXPECT_FALSE(m_ended);
    const Study& study = finish();
    EXPECT_EQ(study.runs[0].status, StudyRunStatus::Ok);
    EXPECT_THAT(study.runs[1].timesMs(), ElementsAre(7));
    EXPECT_EQ(study.runs[1].status, StudyRunStatus::Running);
}

TEST_F(StudyMergeTest, AStreamCutInsideAFrameKeepsWhatWasWhole) {
    const Bytes whole = Worker().sample(0, 0, 1).sample(0, 1, 2).bytes();
    const std::size_t first = Worker().sample(0, 0, 1).bytes().size();
    for (const std::size_t length : {whole.size() - 1, first + 1, first}) {
        Joined joined({kTimed});
        StudyMerge& merge = joined.merge;
        merge.beginProcess(0);
        EXPECT_TRUE(merge.feed(std::span(whole).first(length)));
        EXPECT_FALSE(merge.workerEnded());
        merge.endProcess();
        EXPECT_THAT(joined.bridge.study().runs[0].timesMs(), ElementsAre(1));
    }
}

TEST_F(StudyMergeTest, DamageIsToldWithItsWorkerAndTheNextOneGoesOn) {
    begin({kTimed, kTimed});
    Bytes damaged = timed(1).ended();
    const std::size_t before = Worker().sample(0, 0, 9, false, true).sample(0, 0, 1).bytes().size();
    damaged[before + profiling::kFrameHeaderBytes + 2] ^= 0x40;
    const Status status = process(0, damaged);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().sentence(), HasSubstr("worker process 0"));
    expectProcess(1, timed(5).ended());
    const Study& study = finish();
    EXPECT_THAT(study.runs[0].timesMs(), ElementsAre(1, 5, 5)) << "what came before the damage stays";
    EXPECT_EQ(study.runs[0].status, StudyRunStatus::Ok);
}

TEST_F(StudyMergeTest, AnEmptyStreamIsNoWorkerThatEnded) {
    begin({kTimed});
    EXPECT_TRUE(process(0, {}));
    EXPECT_FALSE(m_ended);
    EXPECT_THAT(finish().runs[0].samples, IsEmpty());
}

TEST_F(StudyMergeTest, ADoubledSampleCountsOnceAndIsTold) {
    begin({kTimed, kTimed});
    expectProcess(
        0, Worker().sample(0, 0, 1).sample(0, 0, 100).sample(0, 1, 2).ends(0, StudyRunStatus::Ok).ended());
    expectProcess(1, Worker().sample(0, 0, 3).sample(0, 0, 4, true).ends(0, StudyRunStatus::Ok).ended());
    const Study& study = finish();
    EXPECT_THAT(study.runs[0].timesMs(), ElementsAre(1, 2, 3));
    EXPECT_THAT(logged(),
                ElementsAre(AllOf(HasSubstr("worker process 0"), HasSubstr("sample 0 of run 0 twice"))));
}

TEST_F(StudyMergeTest, ADoubledOutcomeIsTheLastOne) {
    begin({kTimed});
    expectProcess(
        0, Worker().ends(0, StudyRunStatus::Failed, "first").ends(0, StudyRunStatus::Ok, "last").ended());
    EXPECT_EQ(finish().runs[0].reason, "last");
}

TEST_F(StudyMergeTest, OtherRunsThanTheStudysAreRefused) {
    begin({kTimed, kTimed, kTimed});
    Worker more;
    more.run(2, "cpu/openmp", Json::object()).sample(2, 0, 1);
    const Status tooMany = process(0, more.bytes());
    ASSERT_FALSE(tooMany);
    EXPECT_THAT(tooMany.error().sentence(),
                AllOf(HasSubstr("worker process 0"), HasSubstr("run 2"), HasSubstr("2 runs")));
    Bytes bytes;
    const auto writer = writerInto(bytes);
    (void)writer->begin(header());
    StudyRun run;
    run.target = "cpu/sequential";
    run.point = {{"/pooling/input/size", 65}};
    (void)writer->run(run);
    const Status another = process(1, bytes);
    ASSERT_FALSE(another);
    EXPECT_THAT(another.error().sentence(), AllOf(HasSubstr("65"), HasSubstr("64"), HasSubstr("run 0")));
    EXPECT_EQ(finish().runs.size(), 2u) << "the joined stream stays whole";
}

TEST_F(StudyMergeTest, AnotherEnvironmentIsToldAndTheStudysStays) {
    begin({kTimed, kTimed});
    Json other = kEnvironment;
    other["governor"] = "powersave";
    other["load_average"] = 7;
    expectProcess(0, Worker().ended());
    expectProcess(1, Worker(other).ended());
    EXPECT_EQ(finish().environment, kEnvironment);
    EXPECT_THAT(logged(),
                ElementsAre(AllOf(HasSubstr("worker process 1"), HasSubstr("governor is \"powersave\""),
                                  HasSubstr("\"performance\""))));
}

TEST_F(StudyMergeTest, DifferentOutputsAreToldUnlessOneFailed) {
    begin({kTimed, kTimed});
    expectProcess(0,
                  Worker().ends(0, StudyRunStatus::Ok, {}, "a").ends(1, StudyRunStatus::Ok, {}, "a").ended());
    expectProcess(
        1, Worker().ends(0, StudyRunStatus::Ok, {}, "b").ends(1, StudyRunStatus::Failed, "x", "").ended());
    finish();
    EXPECT_THAT(logged(), ElementsAre(HasSubstr("run 0: the processes computed different outputs")));
}

TEST_F(StudyMergeTest, StepsOfATrainingComeFromTheFirstTimedWorker) {
    begin({kRecorded, kTimed, kTimed});
    expectProcess(0, Worker().step(9).ended());
    expectProcess(1, Worker().step(1).step(0.5).ended());
    expectProcess(2, Worker().step(1).step(0.5).ended());
    EXPECT_THAT(finish().runs[0].training.loss, ElementsAre(1, 0.5));
}

TEST_F(StudyMergeTest, WordsAndProgressOfWorkersGoOn) {
    begin({kTimed, kTimed});
    expectProcess(0, Worker().progress(0.5).says("it is hot").ended());
    EXPECT_NEAR(m_bridge.study().progress.fraction, 0.25, 1e-9);
    EXPECT_GE(m_bridge.study().progress.remainingS, 2.0);
    expectProcess(1, Worker().progress(1.0).ended());
    EXPECT_NEAR(m_bridge.study().progress.fraction, 1.0, 1e-9);
    EXPECT_EQ(said(), "process 2 of 2: cpu/sequential, size=64");
    finish();
    EXPECT_THAT(logged(), ElementsAre("it is hot"));
}

/// Before a worker has something to say, it is the process that is told, not a sentence cut short.
TEST_F(StudyMergeTest, AWorkerWithoutWordsIsTheProcessAlone) {
    begin({kTimed, kTimed});
    expectProcess(0, Worker().progress(0, -1).ended());
    EXPECT_EQ(said(), "process 1 of 2");
    expectProcess(1, Worker().progress(0.5, 1).ended());
    EXPECT_EQ(said(), "process 2 of 2: cuda:0/cuda, size=64");
    finish();
}

TEST_F(StudyMergeTest, ACancelledStudySaysSoInItsRules) {
    begin({kTimed, kTimed});
    expectProcess(0, timed(1).ended());
    EXPECT_EQ(finish(true).runs[0].stopRule, "2 samples, in 1 of 2 processes (cancelled before the last)");
}

/// The recorded worker is none of those that are timed; warm-ups and traced samples do not count.
TEST_F(StudyMergeTest, RulesNameTheProcessesThatGaveSamples) {
    begin({kRecorded, kTimed, kTimed, kTimed});
    expectProcess(0, recorded(1).ended());
    expectProcess(1, timed(1).ended());
    ASSERT_TRUE(
        process(2, Worker().sample(0, 0, 9, false, true).sample(0, 0, 2).sample(1, 0, 2, true).bytes()));
    const Study& study = finish();
    EXPECT_EQ(study.runs[0].stopRule,
              "2 samples, in 2 of 3 processes, not to the end in 1 of them (incomplete)");
    EXPECT_EQ(study.runs[1].stopRule, "2 samples, in 1 of 3 processes (incomplete)");
    EXPECT_THAT(study.runs[0].timesMs(), ElementsAre(1, 1, 2));
}

TEST_F(StudyMergeTest, ARunThatWasCompleteBeforeTheCancelSaysNoMore) {
    begin({kTimed, kTimed});
    expectProcess(0, timed(1).ended());
    ASSERT_TRUE(process(1, Worker().sample(0, 0, 2).sample(0, 1, 2).ends(0, StudyRunStatus::Ok).bytes()));
    const Study& study = finish(true);
    EXPECT_EQ(study.runs[0].stopRule, "2 samples, in each of 2 processes");
    EXPECT_EQ(study.runs[1].stopRule, "2 samples, in 1 of 2 processes (cancelled before the last)");
}

} // namespace
} // namespace heteroscope::cli
