// SPDX-License-Identifier: Apache-2.0
// What is written is read: whole, in pieces, and as far as it goes.
#include "profiling/stream/trace_frames.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <new>
#include <unistd.h>
#include <utility>

namespace heteroscope::profiling {
namespace {

using namespace testing;

void expectSmallStudy(const Study& study) {
    EXPECT_EQ(study.id, header().id);
    EXPECT_EQ(study.clockNs, 123456789);
    EXPECT_EQ(study.name(), "sweep");
    EXPECT_EQ(study.environment.at("cpu"), "a processor");
    ASSERT_EQ(study.devices.size(), 1u);
    ASSERT_EQ(study.runs.size(), 2u);
    const StudyRun& run = study.runs[0];
    EXPECT_EQ(run.target, "cpu/sequential");
    EXPECT_EQ(run.status, StudyRunStatus::Ok);
    EXPECT_EQ(run.stopRule, "ci95 within 1 % after 14 samples");
    EXPECT_EQ(run.maxAbsError, 0.0);
    EXPECT_FALSE(run.maxRelError);
    EXPECT_EQ(run.metrics.at("bandwidth_gb_s"), 12.5);
    EXPECT_THAT(run.timesMs(), ::testing::ElementsAre(1.5, 2.5, 3.5));
    EXPECT_EQ(study.runs[1].status, StudyRunStatus::Planned);
    ASSERT_EQ(study.log.size(), 1u);
    EXPECT_EQ(study.log[0].level, "warning");
    EXPECT_EQ(study.progress.fraction, 0.5);
    EXPECT_EQ(study.progress.remainingS, 3.0);
    EXPECT_EQ(study.progress.run, 1);
    EXPECT_EQ(study.progress.process, 2);
    EXPECT_EQ(study.progress.processes, 3);
}

void expectSmallTrace(const Trace& trace) {
    ASSERT_EQ(trace.trackCount(), 3u);
    EXPECT_EQ(trace.spanCount(), 2u);
    EXPECT_EQ(trace.counterCount(), 2u);
    EXPECT_EQ(trace.flowCount(), 1u);
    EXPECT_EQ(trace.string(trace.track(2).unit), "bytes");
    EXPECT_EQ(trace.track(1).parent, 0u);
    const Span span = *trace.span({0, 0, 0});
    EXPECT_EQ(trace.string(span.name), "op");
    ASSERT_EQ(trace.args(span.args).size(), 1u);
    EXPECT_EQ(trace.args(span.args)[0].second, "64x64");
    EXPECT_EQ(trace.flowsOf({1, 0, 0}).size(), 1u);
    EXPECT_EQ(trace.quality().droppedEvents, 7u);
    EXPECT_EQ(trace.quality().causalPairs, 500u);
    EXPECT_EQ(trace.quality().causalViolations, 2u);
    EXPECT_FALSE(trace.quality().clean());
}

TEST(Stream, HoldsNothingBeforeItsBeginning) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    EXPECT_TRUE(writer->end("failed", "memory ran out before the study began").ok());
    EXPECT_TRUE(bytes.empty()) << "it could not be read";
    ASSERT_TRUE(writer->begin(header()).ok());
    EXPECT_FALSE(bytes.empty());
}

TEST(Stream, FileComesBackWhole) {
    const TemporaryFile file(smallStream());
    const auto read = readRunFile(file.path());
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_FALSE(read->damage);
    EXPECT_TRUE(read->study.ended);
    EXPECT_EQ(read->study.endStatus, "done");
    expectSmallStudy(read->study);
    expectSmallTrace(*read->trace);
}

TEST(Stream, BytesMayArriveInAnyPieces) {
    const Bytes bytes = smallStream();
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{100}}) {
        StreamReader reader("pipe");
        StudyBuilder study;
        Trace trace;
        TraceBuilder builder(trace);
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            reader.feed(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
            while (true) {
                auto frame = reader.next();
                ASSERT_TRUE(frame) << frame.error().sentence();
                if (!*frame)
                    break;
                ASSERT_TRUE(study.apply(**frame));
                ASSERT_TRUE(builder.apply(**frame));
            }
        }
        trace.publish();
        EXPECT_EQ(reader.pendingBytes(), 0u);
        EXPECT_EQ(reader.offset(), bytes.size());
        expectSmallStudy(study.study());
        expectSmallTrace(trace);
    }
}

TEST(Stream, FileCutAtAnyByteOpensWithAllItHas) {
    const Bytes bytes = smallStream();
    std::size_t lastSamples = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const TemporaryFile file(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
        const auto read = readRunFile(file.path());
        if (size < kFileHeaderBytes) {
            ASSERT_FALSE(read) << size;
            EXPECT_THAT(read.error().sentence(), ::testing::HasSubstr("byte "));
            continue;
        }
        ASSERT_TRUE(read) << size << ": " << read.error().sentence();
        EXPECT_FALSE(read->damage) << size << ": " << read->damage->sentence();
        EXPECT_FALSE(read->study.ended);
        const std::size_t samples = read->study.runs.empty() ? 0 : read->study.runs[0].samples.size();
        EXPECT_GE(samples, lastSamples);
        lastSamples = samples;
    }
    EXPECT_EQ(lastSamples, 3u);
}

TEST(Stream, DisturbanceOfASampleComesBack) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    ASSERT_TRUE(writer->begin(header()));
    StudyRun run;
    run.target = "cpu/openmp";
    ASSERT_TRUE(writer->run(run));
    ASSERT_TRUE(writer->sample(sampleOf(0, 0, 1)));
    StudySample sample = sampleOf(0, 1, 1);
    sample.disturbance = Disturbance{12, 3.5, -4, 10, 2100, 4.5, 61.5};
    ASSERT_TRUE(writer->sample(sample));
    sample = sampleOf(0, 2, 1);
    sample.disturbance = Disturbance{12, std::nullopt, 0, 0, std::nullopt, 4.5};
    sample.clocks = DeviceClocks{1755, std::nullopt, "power limit", true};
    ASSERT_TRUE(writer->sample(sample));
    const TemporaryFile file(bytes);
    const auto read = readRunFile(file.path());
    ASSERT_TRUE(read);
    const auto& samples = read->study.runs.at(0).samples;
    ASSERT_EQ(samples.size(), 3u);
    EXPECT_FALSE(samples[0].disturbance.has_value());
    ASSERT_TRUE(samples[1].disturbance.has_value() && samples[2].disturbance.has_value());
    EXPECT_EQ(samples[1].disturbance->spanMs, 12);
    EXPECT_EQ(samples[1].disturbance->waitedMs, 3.5);
    EXPECT_EQ(samples[1].disturbance->othersMs, -4);
    EXPECT_EQ(samples[1].disturbance->stolenMs, 10);
    EXPECT_EQ(samples[1].disturbance->mhz, 2100);
    EXPECT_EQ(samples[1].disturbance->loopUs, 4.5);
    EXPECT_EQ(samples[1].disturbance->celsius, 61.5);
    EXPECT_FALSE(samples[2].disturbance->waitedMs || samples[2].disturbance->mhz);
    EXPECT_FALSE(samples[2].disturbance->celsius);
    EXPECT_FALSE(samples[1].clocks.has_value());
    ASSERT_TRUE(samples[2].clocks.has_value());
    EXPECT_EQ(samples[2].clocks->smMhz, 1755);
    EXPECT_FALSE(samples[2].clocks->memoryMhz.has_value());
    EXPECT_EQ(samples[2].clocks->heldBackBy, "power limit");
    EXPECT_TRUE(samples[2].clocks->idle);
}

TEST(Stream, BulkColumnsAreCompressedAndComeBack) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    ASSERT_TRUE(writer->begin(header()));
    ASSERT_TRUE(writer->strings({1, {"track", "op"}}));
    ASSERT_TRUE(writer->tracks({Track{0, kNoTrack, TrackKind::Thread, 1, 0, 0}}));
    std::vector<Span> spans;
    for (int i = 0; i < 200000; ++i)
        spans.push_back({0, i * 10, 7, 2, 0, 0, 0});
    ASSERT_TRUE(writer->spans(spans));
    EXPECT_LT(bytes.size(), spans.size() * 12);
    const TemporaryFile file(bytes);
    const auto read = readRunFile(file.path());
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->damage);
    EXPECT_EQ(read->trace->spanCount(), spans.size());
    EXPECT_EQ(read->trace->span({0, 0, 199999})->startNs, 1999990);
}

TEST(Stream, TwoStreamsMayFillOneStore) {
    Trace trace;
    const Bytes bytes = smallStream();
    for (int i = 0; i < 2; ++i) {
        StreamReader reader("pipe");
        TraceBuilder builder(trace);
        reader.feed(bytes);
        for (auto frame = reader.next(); frame && *frame; frame = reader.next())
            ASSERT_TRUE(builder.apply(**frame));
    }
    trace.publish();
    EXPECT_EQ(trace.trackCount(), 6u);
    EXPECT_EQ(trace.track(4).parent, 3u);
    EXPECT_EQ(trace.flowsOf({3, 0, 0}).size(), 1u);
}

TEST(Stream, AStoreWrittenAsFramesComesBackTheSame) {
    Trace trace;
    StreamReader reader("pipe");
    TraceBuilder builder(trace);
    reader.feed(smallStream());
    for (auto frame = reader.next(); frame && *frame; frame = reader.next())
        ASSERT_TRUE(builder.apply(**frame));
    trace.publish();
    Bytes bytes;
    const auto writer = writerInto(bytes);
    ASSERT_TRUE(writer->begin(header()));
    ASSERT_TRUE(writeTrace(trace, *writer));
    const TemporaryFile file(bytes);
    const auto read = readRunFile(file.path());
    ASSERT_TRUE(read);
    ASSERT_FALSE(read->damage) << read->damage->sentence();
    expectSmallTrace(*read->trace);
}

TEST(Stream, MissingFileIsAnErrorWithTheReason) {
    const auto read = readRunFile("/nonexistent/run.hscope");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::BadInput);
    EXPECT_THAT(read.error().sentence(), ::testing::HasSubstr("/nonexistent/run.hscope"));
    EXPECT_THAT(read.error().sentence(), ::testing::HasSubstr("the file does not exist"));
}

TEST(Stream, FullDiskIsReportedOnceAndOthersGoOn) {
    const int full = ::open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    Bytes bytes;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(makeFdSink(full, "results.hscope"));
    sinks.push_back(std::make_unique<MemorySink>(bytes));
    StreamWriter writer(std::move(sinks));
    const Status first = writer.begin(header());
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code, ErrorCode::Io);
    EXPECT_THAT(first.error().sentence(), ::testing::HasSubstr("results.hscope"));
    EXPECT_THAT(first.error().sentence(), ::testing::HasSubstr("No space left"));
    EXPECT_TRUE(writer.log({0, "info", "still here"}));
    EXPECT_FALSE(writer.status());
    EXPECT_GT(bytes.size(), kFileHeaderBytes);
    ::close(full);
}

TEST(Stream, WhatWasWrittenIsInTheFileWithoutClosingIt) {
    const TemporaryFile file({});
    auto sink = openFileSink(file.path());
    ASSERT_TRUE(sink);
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::move(*sink));
    StreamWriter writer(std::move(sinks));
    ASSERT_TRUE(writer.begin(header()));
    StudyRun run;
    run.target = "cpu/sequential";
    ASSERT_TRUE(writer.run(run));
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(writer.sample(sampleOf(0, i, 1.0)));
        const auto read = readRunFile(file.path());
        ASSERT_TRUE(read);
        EXPECT_EQ(read->study.runs.at(0).samples.size(), static_cast<std::size_t>(i + 1));
        EXPECT_FALSE(read->study.ended);
    }
}

TEST(Stream, ChecksumsOfBothWaysAgree) {
    const std::string text = "123456789";
    const Bytes check(text.begin(), text.end());
    EXPECT_EQ(crc32c(check), 0xe3069283u); // the known answer of CRC-32C
    Bytes bytes;
    for (int i = 0; i < 300; ++i) {
        EXPECT_EQ(crc32c(bytes), crc32cByTable(bytes));
        bytes.push_back(static_cast<std::uint8_t>(i * 37));
    }
}

/// Memory that ends at the first bytes.
class FailsOnce : public MemorySink {
  public:
    using MemorySink::MemorySink;
    Status write(std::span<const std::uint8_t> bytes) override {
        if (!std::exchange(m_failed, true))
            throw std::bad_alloc();
        return MemorySink::write(bytes);
    }

  private:
    bool m_failed = false;
};

/// How the run ended is said by whoever has no memory, too; never as the first record of a file.
TEST(Stream, NothingIsWrittenBeforeTheBeginning) {
    Bytes bytes;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<FailsOnce>(bytes));
    StreamWriter writer(std::move(sinks));
    EXPECT_THROW((void)writer.begin(Study{}), std::bad_alloc);
    EXPECT_TRUE(writer.end("failed", "the memory of this process ran out"));
    EXPECT_TRUE(bytes.empty());
}

} // namespace
} // namespace heteroscope::profiling
