// SPDX-License-Identifier: Apache-2.0
// The program as a worker: frames on stdout, the experiment on stdin, requests to stop.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/idx_files.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

std::string line(const Json& experiment) {
    return experiment.dump() + "\n";
}

/// Reads until at least `count` samples have arrived.
void waitForSamples(ChildProcess& child, std::size_t count) {
    const auto deadline = Clock::now() + std::chrono::seconds(30 * kTimeFactor);
    while (sampleKeys(studyFromBytes(child.out())).size() < count) {
        ASSERT_LT(Clock::now(), deadline) << "no samples came: " << child.err();
        ASSERT_TRUE(child.pump(Milliseconds(100))) << child.err();
    }
}

double longestSampleMs(const profiling::Study& study) {
    double longest = 0;
    for (const auto& run : study.runs)
        for (const auto& sample : run.samples)
            longest = std::max(longest, sample.wallMs * sample.repetitions);
    return longest;
}

void expectCancelled(const Finished& done, const std::string& runFile) {
    EXPECT_EQ(done.exitCode, 4) << done.err;
    const profiling::Study study = studyFromBytes(done.out);
    EXPECT_TRUE(study.ended);
    EXPECT_EQ(study.endStatus, "cancelled");
    EXPECT_EQ(readText(runFile), done.out);
}

TEST(Stream, isTheRunFileByteForByte) {
    const TemporaryFolder folder;
    ChildProcess child({"run", "-", "--stream", "--out", folder.file("s.hscope")});
    child.write(line(poolingExperiment(128, 3)));
    const Finished done = child.finish(); // standard input stays open to the end
    ASSERT_EQ(done.exitCode, 0) << done.err;
    EXPECT_EQ(done.out, readText(folder.file("s.hscope")));
    const profiling::Study study = studyFromBytes(done.out);
    EXPECT_EQ(study.endStatus, "done");
    ASSERT_EQ(study.runs.size(), 2u);
    for (const auto& run : study.runs)
        EXPECT_EQ(run.timesMs().size(), 3u);
    EXPECT_FALSE(study.devices.empty());
    EXPECT_FALSE(study.environment.empty());
}

TEST(Stream, tracesStudyRunSampleOpAndThreads) {
    const TemporaryFolder folder;
    const Finished done =
        runCli({"run", "-", "--out", folder.file("t.hscope")}, line(poolingExperiment(256, 2)));
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto file = profiling::readRunFile(folder.file("t.hscope"));
    ASSERT_TRUE(file.ok());
    std::map<std::string, int> categories;
    std::map<std::string, std::uint64_t> tracks;
    file->trace->forEachSpan([&](profiling::SpanRef, const profiling::Span& span) {
        ++categories[file->trace->string(span.category)];
        return true;
    });
    for (profiling::TrackId id = 0; id < file->trace->trackCount(); ++id)
        tracks[file->trace->string(file->trace->track(id).name)] = file->trace->spanCount(id);
    EXPECT_EQ(categories["study"], 1);
    EXPECT_EQ(categories["run"], 2);
    EXPECT_GE(categories["sample"], 4);
    EXPECT_GT(categories["op"], 0);
    EXPECT_GT(tracks["thread 0"], 0u);
    EXPECT_GT(file->trace->counterCount(), 0u);
}

/// Their samples take turns: on one row the runs of all targets looked like calls of each other, and each
/// began when the last of them did.
TEST(Stream, tracesEachTargetOnARowOfItsOwnWithItsRunsAroundTheirSamples) {
    const TemporaryFolder folder;
    Json experiment = poolingExperiment(64, 3);
    experiment["targets"] = {"cpu/sequential", "cpu/openmp?threads=2"};
    experiment["axes"] = {{"/pooling/input/size", {32, 64}}};
    const Finished done = runCli({"run", "-", "--out", folder.file("t.hscope")}, line(experiment));
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto file = profiling::readRunFile(folder.file("t.hscope"));
    ASSERT_TRUE(file.ok());
    const profiling::Trace& trace = *file->trace;
    struct OfCategory {
        std::vector<profiling::Span> runs, samples, ops;
    };
    std::map<std::string, OfCategory> rows;
    trace.forEachSpan([&](profiling::SpanRef, const profiling::Span& span) {
        OfCategory& row = rows[trace.string(trace.track(span.track).name)];
        const std::string& category = trace.string(span.category);
        if (category == "run" || category == "sample" || category == "op")
            (category == "run" ? row.runs : category == "sample" ? row.samples : row.ops).push_back(span);
        return true;
    });
    const auto endOf = [](const profiling::Span& span) { return span.startNs + span.durationNs; };
    const auto inOneOf = [&](const profiling::Span& span, const std::vector<profiling::Span>& runs) {
        return std::count_if(runs.begin(), runs.end(), [&](const profiling::Span& run) {
            return run.depth < span.depth && run.startNs <= span.startNs && endOf(span) <= endOf(run);
        });
    };
    for (const std::string target : {"cpu/sequential", "cpu/openmp?threads=2"}) {
        const OfCategory& row = rows[target];
        ASSERT_EQ(row.runs.size(), 2U) << target;
        EXPECT_GE(row.samples.size(), 6U) << target;
        EXPECT_GT(row.ops.size(), 0U) << target;
        for (const auto* inner : {&row.samples, &row.ops})
            for (const profiling::Span& span : *inner)
                EXPECT_EQ(inOneOf(span, row.runs), 1) << target << " " << trace.string(span.name);
    }
}

TEST(Stream, withoutTraceHasEverythingElse) {
    const TemporaryFolder folder;
    const Finished done =
        runCli({"run", "-", "--no-trace", "--out", folder.file("t.hscope")}, line(poolingExperiment(64, 2)));
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto file = profiling::readRunFile(folder.file("t.hscope"));
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->trace->spanCount(), 0u);
    EXPECT_EQ(file->study.endStatus, "done");
    for (const auto& run : file->study.runs)
        EXPECT_EQ(run.timesMs().size(), 2u);
}

TEST(Stream, windowStrategyIsBoundedAndSaysSo) {
    const TemporaryFolder folder;
    Json experiment = poolingExperiment(256, 1); // 16384 windows of several spans each
    experiment["pooling"]["strategy"] = "window";
    experiment["targets"] = {"cpu/sequential"};
    const Finished done = runCli({"run", "-", "--out", folder.file("w.hscope")}, line(experiment));
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto file = profiling::readRunFile(folder.file("w.hscope"));
    ASSERT_TRUE(file.ok());
    EXPECT_GT(file->trace->quality().clipped, 0u);
    EXPECT_THAT(file->trace->quality().notes, testing::Contains(HasSubstr("spans beyond the first")));
    EXPECT_GT(file->trace->spanCount(), 10000u);
}

TEST(Stream, windowsBeyondTheTracedOnesAreCounted) {
    const TemporaryFolder folder;
    Json experiment = poolingExperiment(300, 1); // 22500 windows
    experiment["pooling"]["strategy"] = "window";
    experiment["targets"] = {"cpu/sequential"};
    ASSERT_EQ(runCli({"run", "-", "--out", folder.file("w.hscope")}, line(experiment)).exitCode, 0);
    const auto file = profiling::readRunFile(folder.file("w.hscope"));
    ASSERT_TRUE(file.ok());
    const auto quality = file->trace->quality();
    EXPECT_FALSE(quality.clean());
    EXPECT_THAT(quality.notes,
                testing::Contains(testing::AllOf(HasSubstr("windows of a sample lie beyond the first"),
                                                 HasSubstr("cpu/sequential"))));
    EXPECT_THAT(runCli({"trace", "info", folder.file("w.hscope")}).out,
                HasSubstr("windows of a sample lie beyond the first"));
}

/// Spans of each process are in the stream before its last sample is, below a group of the process.
TEST(Stream, ofTheThesisPresetShowsEveryProcessAsItRuns) {
    const TemporaryFolder folder; // not on standard input: its end is the request to stop
    std::ofstream(folder.file("e.json")) << line(poolingExperiment(2048, 1));
    const Finished done =
        runCli({"run", folder.file("e.json"), "--stream", "--preset", "thesis", "--samples", "30"});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    profiling::StreamReader reader("stream");
    reader.feed({reinterpret_cast<const std::uint8_t*>(done.out.data()), done.out.size()});
    profiling::StudyBuilder study;
    profiling::Trace trace;
    profiling::TraceBuilder builder(trace);
    std::map<std::string, std::uint64_t> spansBeforeLastSample, spans;
    const auto count = [&] {
        trace.publish();
        std::map<std::string, std::uint64_t> byGroup;
        for (profiling::TrackId id = 0; id < trace.trackCount(); ++id) {
            profiling::TrackId top = id;
            while (trace.track(top).parent != profiling::kNoTrack)
                top = trace.track(top).parent;
            byGroup[trace.string(trace.track(top).name)] += trace.spanCount(id);
        }
        return byGroup;
    };
    const auto groupOf = [](int process) { return "process " + std::to_string(process + 1) + " of 3"; };
    while (true) {
        const auto frame = reader.next();
        ASSERT_TRUE(frame) << frame.error().sentence();
        if (!*frame)
            break;
        ASSERT_TRUE(study.apply(**frame));
        const Status applied = builder.apply(**frame);
        ASSERT_TRUE(applied) << applied.error().sentence();
        if ((*frame)->kind == profiling::FrameKind::Sample) {
            const auto fields = Json::from_cbor((*frame)->payload);
            const std::string group = groupOf(fields.at("process").get<int>());
            spansBeforeLastSample[group] = count()[group];
        }
    }
    spans = count();
    ASSERT_EQ(spans.size(), 3u) << "nothing but the groups lies at the top";
    for (int process = 0; process < 3; ++process) {
        EXPECT_GT(spansBeforeLastSample[groupOf(process)], 0u) << groupOf(process);
        EXPECT_GT(spans[groupOf(process)], spansBeforeLastSample[groupOf(process)]) << groupOf(process);
    }
    EXPECT_TRUE(trace.quality().clean());
}

TEST(Stream, ofATrainingTellsStepsEpochsAndPredictions) {
    compute::TemporaryIdx files;
    ChildProcess child({"run", "-", "--stream", "--out", (files.folder() / "t.hscope").string()});
    Json experiment = files.trainingExperiment(203, 52);
    experiment["training"]["gradient_norm"] = true;
    child.write(line(experiment));
    const Finished done = child.finish();
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const profiling::TrainingRecord training = studyFromBytes(done.out).runs.at(0).training;
    EXPECT_EQ(training.steps(), 4 * 36);
    EXPECT_EQ(training.gradientNorm.size(), 4u * 36);
    EXPECT_EQ(training.epochs.size(), 4u);
    ASSERT_NE(training.evaluation("test"), nullptr);
    EXPECT_EQ(training.evaluation("test")->examples, 52);
    const auto file = profiling::readRunFile((files.folder() / "t.hscope").string());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->study.runs.at(0).training.loss, training.loss);
    EXPECT_EQ(file->study.runs.at(0).training.gradientNorm, training.gradientNorm);
}

TEST(Stop, endOfStandardInputStopsTheWorker) {
    const TemporaryFolder folder;
    ChildProcess child({"run", "-", "--stream", "--out", folder.file("s.hscope")});
    child.write(line(poolingExperiment(256, 100000)));
    waitForSamples(child, 3);
    child.closeStdin();
    expectCancelled(child.finish(Milliseconds(5000 * kTimeFactor)), folder.file("s.hscope"));
}

TEST(Stop, sigtermEndsWithin200MsAndOneSample) {
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
        const TemporaryFolder folder;
        ChildProcess child({"run", "-", "--stream", "--out", folder.file("s.hscope")});
        child.write(line(poolingExperiment(256, 100000)));
        waitForSamples(child, 3);
        const auto asked = Clock::now();
        child.signal(number);
        const Finished done = child.finish(Milliseconds(5000 * kTimeFactor));
        const double tookMs = std::chrono::duration<double, std::milli>(Clock::now() - asked).count();
        expectCancelled(done, folder.file("s.hscope"));
        EXPECT_LE(tookMs, 200.0 * kTimeFactor + longestSampleMs(studyFromBytes(done.out)));
    }
}

/// Each of them had a span from the begin of the last one that began to the end of the study.
TEST(Stop, runsThatNeverBeganHaveNoSpan) {
    const TemporaryFolder folder;
    Json experiment = poolingExperiment(256, 100000);
    experiment["axes"] = {{"/pooling/input/size", {256, 257, 258}}};
    ChildProcess child({"run", "-", "--stream", "--out", folder.file("s.hscope")});
    child.write(line(experiment));
    waitForSamples(child, 3);
    child.closeStdin();
    expectCancelled(child.finish(Milliseconds(5000 * kTimeFactor)), folder.file("s.hscope"));
    const Finished exported =
        runCli({"trace", "export", folder.file("s.hscope"), folder.file("s.json"), "--format", "chrome"});
    ASSERT_EQ(exported.exitCode, 0) << exported.err;
    const Json trace = Json::parse(readText(folder.file("s.json")));
    std::set<std::string> runs;
    for (const Json& event : trace.at("traceEvents"))
        if (event.value("cat", "") == "run")
            runs.insert(event.at("name").get<std::string>());
    EXPECT_EQ(runs, (std::set<std::string>{"cpu/sequential size=256", "cpu/openmp size=256"}));
}

TEST(Stop, ofTheThesisPresetStopsItsProcesses) {
    const TemporaryFolder folder;
    ChildProcess child({"run", "-", "--stream", "--preset", "thesis", "--samples", "100000", "--out",
                        folder.file("s.hscope")});
    child.write(line(poolingExperiment(256, 1)));
    waitForSamples(child, 3);
    child.signal(SIGTERM);
    expectCancelled(child.finish(Milliseconds(5000 * kTimeFactor)), folder.file("s.hscope"));
}

TEST(Pipe, closedByItsReaderKeepsTheRunFileWhole) {
    const TemporaryFolder folder;
    ChildProcess child({"run", "-", "--stream", "--out", folder.file("s.hscope")});
    child.write(line(poolingExperiment(128, 20)));
    waitForSamples(child, 2);
    child.closeStdout();
    const Finished done = child.finish();
    EXPECT_EQ(done.signal, 0);
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.err, HasSubstr("standard output"));
    EXPECT_THAT(done.err, HasSubstr("Broken pipe"));
    const auto file = profiling::readRunFile(folder.file("s.hscope"));
    ASSERT_TRUE(file.ok());
    EXPECT_FALSE(file->damage.has_value());
    EXPECT_EQ(file->study.endStatus, "done");
    for (const auto& run : file->study.runs)
        EXPECT_EQ(run.timesMs().size(), 20u);
}

TEST(Stdin, garbageIsBadInput) {
    const std::string noise("\x00\xff\x17{{{\"]]]\n\x01\x02", 14);
    for (const std::string& text :
         {std::string(), std::string("\n\n"), std::string("hello\n"), noise, std::string(1 << 20, '['),
          std::string("{\"heteroscope\": 1"), std::string("[1, 2]\n"), std::string("null\n")}) {
        const Finished done = runCli({"run", "-", "--stream"}, text);
        EXPECT_EQ(done.exitCode, 2) << testing::PrintToString(text.substr(0, 20));
        EXPECT_EQ(done.out, "");
        EXPECT_THAT(done.err, HasSubstr("standard input"));
    }
}

TEST(Stdin, experimentMaySpanLinesAndEndsAtItsNewline) {
    ChildProcess child({"run", "-", "--stream", "--no-trace"});
    child.write("\n  " + poolingExperiment(16, 1).dump(4) + "\n");
    const Finished done = child.finish(); // not closed: the value is complete without it
    EXPECT_EQ(done.exitCode, 0) << done.err;
}

TEST(TwoRuns, atOnceDoNotDisturbEachOther) {
    const TemporaryFolder folder;
    ChildProcess first({"run", "-", "--out", folder.file("a.hscope")});
    ChildProcess second({"run", "-", "--out", folder.file("b.hscope")});
    for (ChildProcess* child : {&first, &second}) {
        child->write(line(poolingExperiment(64, 5)));
        child->closeStdin();
    }
    EXPECT_EQ(first.finish().exitCode, 0);
    EXPECT_EQ(second.finish().exitCode, 0);
    const auto a = profiling::readRunFile(folder.file("a.hscope"));
    const auto b = profiling::readRunFile(folder.file("b.hscope"));
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_NE(a->study.id, b->study.id);
    EXPECT_EQ(a->study.runs.at(0).outputDigest, b->study.runs.at(0).outputDigest);
}

} // namespace
} // namespace heteroscope::process_test
