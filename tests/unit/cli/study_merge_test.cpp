// SPDX-License-Identifier: Apache-2.0
// Streams of several workers joined into one study, from bytes made here: every order of roles and endings,
// what is missing, doubled, different or damaged.
#include "app/cli/study_merge.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace heteroscope::cli {
namespace {

using namespace profiling::testing; // the stream fixtures
using profiling::Study;
using profiling::StudyRun;
using profiling::StudyRunStatus;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Json kEnvironment{{"cpu", "a processor"}, {"governor", "performance"}, {"load_average", 0.1}};

std::vector<compute::RunDefinition> plan() {
    return {{0, "cpu/sequential", {{"/pooling/input/size", 64}}, 0, 0, 0},
            {1, "cuda:0/cuda", {{"/pooling/input/size", 64}}, 0, 0, 0}};
}

/// What one worker sends. Each call adds frames; bytes() may be cut, doubled or damaged.
class Worker {
  public:
    explicit Worker(const Json& environment = kEnvironment) {
        (void)m_writer->begin(header());
        (void)m_writer->environment(environment);
        for (const compute::RunDefinition& definition : plan())
            (void)run(definition.run, definition.target, definition.point);
    }
    Worker& run(int number, const std::string& target, const Json& point) {
        StudyRun run;
        run.run = number;
        run.target = target;
        run.point = point;
        (void)m_writer->run(run);
        return *this;
    }
    Worker& sample(int run, int number, double ms, bool traced = false, bool warmup = false) {
        auto made = sampleOf(run, number, ms);
        made.traced = traced;
        made.warmup = warmup;
        (void)m_writer->sample(made);
        return *this;
    }
    Worker& ends(int run, StudyRunStatus status, const std::string& reason = {},
                 const std::string& digest = "d", const Json& metrics = Json::object()) {
        StudyRun made;
        made.metrics = metrics;
        made.run = run;
        made.status = status;
        made.reason = reason;
        made.outputDigest = digest;
        made.stopRule = m_rule;
        (void)m_writer->runEnd(made);
        return *this;
    }
    Worker& rule(const std::string& text) {
        m_rule = text;
        return *this;
    }
    Worker& step(double loss) {
        TrainingSteps steps;
        steps.firstStep = m_step++;
        steps.loss = {loss};
        steps.accuracy = {0.5};
        steps.learningRate = {0.1};
        steps.stepMs = {1};
        (void)m_writer->training(steps);
        return *this;
    }
    Worker& says(const std::string& text) {
        (void)m_writer->log({5, "warning", text});
        return *this;
    }
    Worker& progress(double fraction, const char* what = "cpu/sequential") {
        (void)m_writer->progress({fraction, 2.0, what});
        return *this;
    }
    Worker& traces(const std::string& name) {
        (void)m_writer->strings({1, {"row", name}});
        (void)m_writer->tracks({{0, profiling::kNoTrack, profiling::TrackKind::Thread, 1, 0, 0}});
        const std::vector<profiling::Span> spans = {{0, 10, 5, 2, 0, 0, -1}};
        (void)m_writer->spans(spans);
        return *this;
    }
    Bytes ended() {
        (void)m_writer->end("done", "");
        return m_bytes;
    }
    const Bytes& bytes() const { return m_bytes; }

  private:
    Bytes m_bytes;
    std::unique_ptr<profiling::StreamWriter> m_writer = writerInto(m_bytes);
    std::int64_t m_step = 0;
    std::string m_rule = "two samples";
};

/// A worker that finished both runs with two samples each of `ms`.
Worker timed(double ms, const std::string& rule = "two samples") {
    Worker worker;
    worker.rule(rule);
    for (const int run : {0, 1})
        worker.sample(run, 0, 9 * ms, false, true)
            .sample(run, 0, ms)
            .sample(run, 1, ms)
            .ends(run, StudyRunStatus::Ok);
    return worker;
}

Worker recorded(double ms) {
    Worker worker;
    for (const int run : {0, 1})
        worker.sample(run, 0, ms, true).sample(run, 1, ms, true).ends(run, StudyRunStatus::Ok, {}, "");
    worker.traces("kernel");
    return worker;
}

constexpr WorkerRole kTimed = WorkerRole::Timed, kRecorded = WorkerRole::Recorded;

BridgeOptions untraced() {
    BridgeOptions options;
    options.trace = false; // the spans are the workers'
    return options;
}

/// A study that has begun and waits for its workers.
struct Joined {
    explicit Joined(std::vector<WorkerRole> roles) : merge(bridge, *writer, plan(), std::move(roles)) {
        bridge.studyBegin(kEnvironment, {{"name", "merged"}}, plan());
    }
    Bytes bytes;
    std::unique_ptr<profiling::StreamWriter> writer = writerInto(bytes);
    TraceBridge bridge{*writer, untraced()};
    StudyMerge merge;
};

class StudyMergeTest : public ::testing::Test {
  protected:
    void begin(std::vector<WorkerRole> roles) {
        m_merge.emplace(m_bridge, *m_writer, plan(), std::move(roles));
        m_bridge.studyBegin(kEnvironment, {{"name", "merged"}}, plan());
    }
    /// One worker from start to end; in pieces of so many bytes.
    Status process(int index, const Bytes& bytes, std::size_t piece = 1000) {
        m_merge->beginProcess(index);
        Status status;
        for (std::size_t at = 0; status && at < bytes.size(); at += piece)
            status = m_merge->feed(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
        m_ended = m_merge->workerEnded();
        m_merge->endProcess();
        return status;
    }
    void expectProcess(int index, const Bytes& bytes) {
        const Status status = process(index, bytes);
        EXPECT_TRUE(status) << status.error().sentence();
        EXPECT_TRUE(m_ended);
    }
    /// The study as it reads back from the joined stream.
    Study& finish(bool cancelled = false) {
        m_merge->finish(cancelled);
        m_bridge.finish("done", "");
        profiling::StreamReader reader("joined");
        profiling::StudyBuilder builder;
        profiling::TraceBuilder traceBuilder(m_trace);
        reader.feed(m_bytes);
        for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
            const Status status =
                isTraceFrame((*frame)->kind) ? traceBuilder.apply(**frame) : builder.apply(**frame);
            EXPECT_TRUE(status) << status.error().sentence();
        }
        EXPECT_EQ(reader.pendingBytes(), 0u);
        m_trace.publish();
        m_study = builder.study();
        EXPECT_TRUE(m_study.ended);
        return m_study;
    }
    std::vector<std::string> logged() const {
        std::vector<std::string> texts;
        for (const auto& entry : m_study.log)
            texts.push_back(entry.text);
        return texts;
    }

    Bytes m_bytes;
    std::unique_ptr<profiling::StreamWriter> m_writer = writerInto(m_bytes);
    TraceBridge m_bridge{*m_writer, untraced()};
    std::optional<StudyMerge> m_merge;
    bool m_ended = false;
    Study m_study;
    profiling::Trace m_trace;
};

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
    const char* const rules[] = {"narrow after 9 samples", "time limit 2 s of 6 s after 12 samples",
                                 "time limit 2 s of 6 s after 15 samples"};
    for (const int index : {0, 1, 2})
        expectProcess(index, timed(1, rules[index]).ended());
    EXPECT_EQ(finish().runs[0].stopRule,
              "narrow after 9 samples; time limit 2 s of 6 s after 12, 15 samples, in 3 processes");
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
    EXPECT_EQ(study.runs[0].stopRule, "two samples");
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
    EXPECT_THAT(m_bridge.study().progress.what, HasSubstr("process 2 of 2"));
    finish();
    EXPECT_THAT(logged(), ElementsAre("it is hot"));
}

/// Before a worker has something to say, it is the process that is told, not a sentence cut short.
TEST_F(StudyMergeTest, AWorkerWithoutWordsIsTheProcessAlone) {
    begin({kTimed, kTimed});
    expectProcess(0, Worker().progress(0, "").ended());
    EXPECT_EQ(m_bridge.study().progress.what, "process 1 of 2");
    expectProcess(1, Worker().progress(0.5, "cpu/openmp, size 64").ended());
    EXPECT_EQ(m_bridge.study().progress.what, "process 2 of 2: cpu/openmp, size 64");
    finish();
}

TEST_F(StudyMergeTest, ACancelledStudySaysSoInItsRules) {
    begin({kTimed, kTimed});
    expectProcess(0, timed(1).ended());
    EXPECT_EQ(finish(true).runs[0].stopRule, "two samples, in 1 of 2 processes (cancelled before the last)");
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
              "two samples, in 2 of 3 processes, not to the end in 1 of them (incomplete)");
    EXPECT_EQ(study.runs[1].stopRule, "two samples, in 1 of 3 processes (incomplete)");
    EXPECT_THAT(study.runs[0].timesMs(), ElementsAre(1, 1, 2));
}

TEST_F(StudyMergeTest, ARunThatWasCompleteBeforeTheCancelSaysNoMore) {
    begin({kTimed, kTimed});
    expectProcess(0, timed(1).ended());
    ASSERT_TRUE(process(1, Worker().sample(0, 0, 2).sample(0, 1, 2).ends(0, StudyRunStatus::Ok).bytes()));
    const Study& study = finish(true);
    EXPECT_EQ(study.runs[0].stopRule, "two samples, in each of 2 processes");
    EXPECT_EQ(study.runs[1].stopRule, "two samples, in 1 of 2 processes (cancelled before the last)");
}

} // namespace
} // namespace heteroscope::cli
