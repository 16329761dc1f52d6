// SPDX-License-Identifier: Apache-2.0
// Streams of several workers joined into one study: samples, rules, overhead and timelines.
#include "tests/unit/cli/study_merge_fixture.h"

#include <gmock/gmock.h>

namespace heteroscope::cli {
namespace {

using namespace merge_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(StudyMergeTest, SamplesOfProcessesAreNumberedOnWithTheirProcess) {
    begin({kTimed, kTimed, kTimed});
    for (const int index : {0, 1, 2})
        expectProcess(index, timed(1.0 + index).ended());
    const Study& study = finish();
    for (const StudyRun& run : study.runs) {
        EXPECT_THAT(run.timesMs(), ElementsAre(1, 1, 2, 2, 3, 3));
        EXPECT_EQ(run.status, StudyRunStatus::Ok);
        EXPECT_THAT(run.stopRule, HasSubstr("in each of 3 processes"));
        int warmups = 0, numbers = 0;
        for (const auto& sample : run.samples)
            EXPECT_EQ(sample.sample, sample.warmup ? warmups++ : numbers++);
        EXPECT_EQ(run.samples.back().process, 2);
        EXPECT_EQ(warmups, 3);
    }
}

TEST_F(StudyMergeTest, RulesThatDifferBetweenProcessesAreAllTold) {
    begin({kTimed, kTimed, kTimed});
    const Json rules[] = {stoppedByIntervalWidth(0.01, 9), stoppedByTimeLimit({2, 6, 12, {}}),
                          stoppedByTimeLimit({2, 6, 15, {}})};
    for (const int index : {0, 1, 2})
        expectProcess(index, timed(1, rules[index]).ended());
    const StudyRun& run = finish().runs[0];
    EXPECT_EQ(run.stopRule, "95 % interval within 1 % after 9 samples; time limit 2 s of 6 s after 12, 15 "
                            "samples, in 3 processes");
    EXPECT_EQ(run.stoppedBy, Json::parse(R"({"rules": [
        {"code": "interval_width", "relative_width": 0.01, "samples": [9]},
        {"code": "time_limit", "time_limit_s": 2.0, "study_time_limit_s": 6.0, "samples": [12, 15]}],
        "processes": {"planned": 3, "sampled": 3, "ended": 3, "cancelled": false}})"));
}

TEST_F(StudyMergeTest, ARuleWithoutAKnownCodeIsItsSentence) {
    begin({kTimed, kTimed});
    for (const int index : {0, 1})
        expectProcess(index, timed(1, stoppedBySentence("until it rained")).ended());
    EXPECT_EQ(finish().runs[0].stopRule, "until it rained, in each of 2 processes");
}

TEST_F(StudyMergeTest, BytesMayComeOneByOne) {
    begin({kTimed, kRecorded});
    ASSERT_TRUE(process(0, timed(1).ended(), 1));
    ASSERT_TRUE(process(1, recorded(2).ended(), 3));
    EXPECT_THAT(finish().runs[1].timesMs(), ElementsAre(1, 1));
    EXPECT_EQ(m_trace.spanCount(), 1u);
}

TEST_F(StudyMergeTest, ARecordedWorkerMayComeAtAnyPlace) {
    for (const std::size_t place : {0u, 1u, 2u}) {
        SCOPED_TRACE(place);
        std::vector<WorkerRole> roles(3, kTimed);
        roles[place] = kRecorded;
        Joined joined(roles);
        StudyMerge& merge = joined.merge;
        for (std::size_t i = 0; i < roles.size(); ++i) {
            EXPECT_EQ(merge.recorded() != nullptr, i > place);
            merge.beginProcess(static_cast<int>(i));
            ASSERT_TRUE(merge.feed(i == place ? recorded(3).ended() : timed(2).ended()));
            merge.endProcess();
        }
        merge.finish(false);
        ASSERT_NE(merge.recorded(), nullptr);
        EXPECT_EQ(merge.recorded()->spanCount(), 1u);
        for (const StudyRun& run : joined.bridge.study().runs) {
            EXPECT_THAT(run.timesMs(), ElementsAre(2, 2, 2, 2));
            EXPECT_EQ(run.outputDigest, "d") << "outcomes come from timed workers";
            EXPECT_NEAR(run.metrics.at("tracing_overhead_percent").get<double>(), 50, 1e-9);
            EXPECT_THAT(run.stopRule, HasSubstr("in each of 2 processes"));
            EXPECT_EQ(
                std::count_if(run.samples.begin(), run.samples.end(), [](const auto& s) { return s.traced; }),
                2);
        }
    }
}

/// A traced repetition is launched operation by operation: 3 ms against 2.4, not against 1 of a CUDA graph.
TEST_F(StudyMergeTest, OverheadIsOfRepetitionsThatAreLaunchedOneByOne) {
    begin({kTimed, kRecorded});
    Worker graph;
    for (const int run : {0, 1})
        graph.sample(run, 0, 1).sample(run, 1, 1).ends(
            run, StudyRunStatus::Ok, {}, "d", {{"launched_ms", run == 0 ? Json(2.4) : Json("soon")}});
    expectProcess(0, graph.ended());
    expectProcess(1, recorded(3).ended());
    const Study& study = finish();
    EXPECT_NEAR(study.runs[0].metrics.at("tracing_overhead_percent").get<double>(), 25, 1e-9);
    EXPECT_NEAR(study.runs[1].metrics.at("tracing_overhead_percent").get<double>(), 200, 1e-9);
}

TEST_F(StudyMergeTest, WithoutARecordedWorkerThereIsNoOverheadAndNoTimeline) {
    begin({kTimed});
    expectProcess(0, timed(2).sample(0, 0, 4, true).traces("host op").ended());
    const Study& study = finish();
    EXPECT_EQ(m_merge->recorded(), nullptr);
    EXPECT_FALSE(study.runs[0].metrics.contains("tracing_overhead_percent"));
    EXPECT_EQ(m_trace.spanCount(), 1u) << "a timed worker's own spans go on";
    EXPECT_EQ(study.runs[0].stopRule, "2 samples");
}

TEST_F(StudyMergeTest, TimelinesLieBelowTheirProcess) {
    begin({kRecorded, kTimed});
    expectProcess(0, recorded(1).ended());
    expectProcess(1, timed(1).traces("host op").ended());
    finish();
    std::vector<std::string> groups;
    for (profiling::TrackId id = 0; id < m_trace.trackCount(); ++id)
        if (m_trace.track(id).parent == profiling::kNoTrack)
            groups.push_back(m_trace.string(m_trace.track(id).name));
    EXPECT_THAT(groups, ElementsAre("recorded process", "process 2 of 2"));
}

} // namespace
} // namespace heteroscope::cli
