// SPDX-License-Identifier: Apache-2.0
// What workers of a study send, as bytes made here, and a study that joins them.
#pragma once

#include "app/cli/study_merge.h"
#include "compute/base/stop_rule.h"
#include "profiling/analysis/run_phrase.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::cli::merge_test {

using namespace profiling::testing; // the stream fixtures
using profiling::Study;
using profiling::StudyRun;
using profiling::StudyRunStatus;

inline const Json kEnvironment{{"cpu", "a processor"}, {"governor", "performance"}, {"load_average", 0.1}};

inline std::vector<compute::RunDefinition> plan() {
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
        made.stopRule = stopPhrase(m_rule).text();
        made.stoppedBy = m_rule;
        (void)m_writer->runEnd(made);
        return *this;
    }
    Worker& rule(const Json& stoppedBy) {
        m_rule = stoppedBy;
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
    Worker& progress(double fraction, int run = 0) {
        (void)m_writer->progress({fraction, 2.0, run});
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
    Json m_rule = stoppedBySampleCount(2);
};

/// A worker that finished both runs with two samples each of `ms`.
inline Worker timed(double ms, const Json& rule = stoppedBySampleCount(2)) {
    Worker worker;
    worker.rule(rule);
    for (const int run : {0, 1})
        worker.sample(run, 0, 9 * ms, false, true)
            .sample(run, 0, ms)
            .sample(run, 1, ms)
            .ends(run, StudyRunStatus::Ok);
    return worker;
}

inline Worker recorded(double ms) {
    Worker worker;
    for (const int run : {0, 1})
        worker.sample(run, 0, ms, true).sample(run, 1, ms, true).ends(run, StudyRunStatus::Ok, {}, "");
    worker.traces("kernel");
    return worker;
}

inline constexpr WorkerRole kTimed = WorkerRole::Timed, kRecorded = WorkerRole::Recorded;

inline BridgeOptions untraced() {
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

    std::string said() const { return profiling::progressPhrase(m_bridge.study()).text(); }

    Bytes m_bytes;
    std::unique_ptr<profiling::StreamWriter> m_writer = writerInto(m_bytes);
    TraceBridge m_bridge{*m_writer, untraced()};
    std::optional<StudyMerge> m_merge;
    bool m_ended = false;
    Study m_study;
    profiling::Trace m_trace;
};

} // namespace heteroscope::cli::merge_test
