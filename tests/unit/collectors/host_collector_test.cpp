// SPDX-License-Identifier: Apache-2.0
// Everything recorded arrives, from any thread, after its definitions; what does not fit is counted.
#include "profiling/collectors/host_collector.h"
#include "profiling/collectors/span_ring.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <thread>
#include <utility>

namespace heteroscope::profiling {
namespace {

using namespace testing;

/// Reads what a collector wrote; any reference to something undefined fails.
void readBack(const Bytes& bytes, Trace& trace) {
    StreamReader reader("memory");
    TraceBuilder builder(trace);
    reader.feed(bytes);
    for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
        const Status status = builder.apply(**frame);
        ASSERT_TRUE(status) << status.error().sentence();
    }
    trace.publish();
}

TEST(HostCollector, WritesSpansCountersAndArguments) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    ASSERT_TRUE(writer->begin(header()));
    HostCollector collector(*writer);
    const TrackId process = collector.addTrack("process", TrackKind::Group);
    const TrackId thread = collector.addTrack("main", TrackKind::Thread, process);
    const TrackId memory = collector.addTrack("memory", TrackKind::Counter, process, "bytes");
    EXPECT_EQ(collector.intern("op"), collector.intern("op"));
    collector.record({thread, 10, 5, collector.intern("op"), collector.intern("pool"),
                      collector.addArgs({{"shape", "1x1x4x4"}}), 0});
    collector.counter(memory, 12, 4096);
    collector.flush();
    Trace trace;
    readBack(bytes, trace);
    ASSERT_EQ(trace.spanCount(), 1u);
    const Span span = *trace.span({1, 0, 0});
    EXPECT_EQ(trace.string(span.category), "pool");
    EXPECT_EQ(trace.args(span.args).at(0).second, "1x1x4x4");
    EXPECT_EQ(trace.counterCount(), 1u);
    EXPECT_EQ(trace.track(memory).parent, process);
    EXPECT_EQ(collector.recorded(), 1u);
    EXPECT_EQ(collector.dropped(), 0u);
}

/// Memory that ends where the caller's thread writes tracks, once.
class NoMemoryForTracks : public MemorySink {
  public:
    using MemorySink::MemorySink;
    Status write(std::span<const std::uint8_t> bytes) override {
        const bool areTracks =
            bytes.size() > kFrameHeaderBytes && bytes[4] == static_cast<std::uint8_t>(FrameKind::Tracks);
        if (areTracks && std::this_thread::get_id() == m_caller && !std::exchange(m_failed, true))
            throw std::bad_alloc();
        return MemorySink::write(bytes);
    }

  private:
    const std::thread::id m_caller = std::this_thread::get_id();
    bool m_failed = false;
};

TEST(HostCollector, WritesNothingThatRefersToWhatMemoryTook) {
    Bytes bytes;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<NoMemoryForTracks>(bytes));
    StreamWriter writer(std::move(sinks));
    ASSERT_TRUE(writer.begin(header()));
    HostCollector collector(writer);
    bool thrown = false;
    for (int i = 0; i < 100 && !thrown; ++i) { // the collector's own thread may have written a track before
        collector.addTrack("lost", TrackKind::Group);
        try {
            collector.flush();
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
    }
    ASSERT_TRUE(thrown);
    const TrackId later = collector.addTrack("later", TrackKind::Thread);
    collector.record({later, 10, 5, collector.intern("op"), 0, collector.addArgs({{"shape", "4x4"}}), 0});
    collector.stop();
    Trace trace;
    readBack(bytes, trace);
    EXPECT_EQ(trace.spanCount(), 0u);
    ASSERT_EQ(trace.quality().notes.size(), 1u);
    EXPECT_NE(trace.quality().notes[0].find("memory ran out"), std::string::npos);
}

TEST(HostCollector, TakesSpansOfManyThreads) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    ASSERT_TRUE(writer->begin(header()));
    constexpr int kThreads = 4, kSpans = 20000;
    {
        HostCollector collector(*writer);
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t)
            threads.emplace_back([&collector, t] {
                const TrackId track = collector.addTrack("thread " + std::to_string(t), TrackKind::Thread);
                for (int i = 0; i < kSpans; ++i)
                    collector.record(
                        {track, i * 10, 9, collector.intern("op " + std::to_string(i % 100)), 0, 0, 0});
            });
        for (std::thread& thread : threads)
            thread.join();
        collector.stop();
        EXPECT_EQ(collector.recorded() + collector.dropped(), std::uint64_t{kThreads} * kSpans);
        EXPECT_EQ(collector.dropped(), 0u);
    }
    Trace trace;
    readBack(bytes, trace);
    EXPECT_EQ(trace.spanCount(), std::uint64_t{kThreads} * kSpans);
    for (TrackId track = 0; track < kThreads; ++track)
        EXPECT_EQ(trace.spanCount(track), std::uint64_t{kSpans});
}

/// A sink that does not return until it is let go, so that rings fill up.
class BlockedSink : public FrameSink {
  public:
    BlockedSink(Bytes& bytes, std::atomic<bool>& blocked) : m_bytes(bytes), m_blocked(blocked) {}
    Status write(std::span<const std::uint8_t> bytes) override {
        m_blocked.wait(true);
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return {};
    }
    Status flush() override { return {}; }

  private:
    Bytes& m_bytes;
    std::atomic<bool>& m_blocked;
};

TEST(HostCollector, CountsWhatDidNotFit) {
    Bytes bytes;
    std::atomic<bool> blocked{false};
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<BlockedSink>(bytes, blocked));
    StreamWriter writer(std::move(sinks));
    ASSERT_TRUE(writer.begin(header()));
    constexpr std::uint64_t kSpans = 10000;
    std::uint64_t recorded = 0, dropped = 0;
    {
        HostCollector collector(writer, {1024, 2, 10});
        const TrackId track = collector.addTrack("main", TrackKind::Thread);
        const TrackId memory = collector.addTrack("memory", TrackKind::Counter);
        blocked = true;
        for (std::uint64_t i = 0; i < kSpans; ++i)
            collector.record({track, static_cast<std::int64_t>(i), 1, 0, 0, 0, 0});
        for (int i = 0; i < 100; ++i)
            collector.counter(memory, i, i);
        blocked = false;
        blocked.notify_all();
        collector.stop();
        recorded = collector.recorded();
        dropped = collector.dropped();
    }
    EXPECT_GT(dropped, 0u);
    Trace trace;
    readBack(bytes, trace);
    EXPECT_EQ(trace.spanCount(), recorded);
    EXPECT_EQ(trace.spanCount() + trace.counterCount() + dropped, kSpans + 100);
    EXPECT_EQ(trace.quality().droppedEvents, dropped);
}

TEST(HostCollector, ThreadsBeyondTheLimitAreCounted) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    ASSERT_TRUE(writer->begin(header()));
    HostCollector collector(*writer, {1024, 1, 10});
    const TrackId track = collector.addTrack("main", TrackKind::Thread);
    collector.record({track, 0, 1, 0, 0, 0, 0});
    std::thread([&] { collector.record({track, 1, 1, 0, 0, 0, 0}); }).join();
    EXPECT_EQ(collector.recorded(), 1u);
    EXPECT_EQ(collector.dropped(), 1u);
}

TEST(HostCollector, TwoCollectorsDoNotMix) {
    Bytes first, second;
    const auto firstWriter = writerInto(first), secondWriter = writerInto(second);
    ASSERT_TRUE(firstWriter->begin(header()));
    ASSERT_TRUE(secondWriter->begin(header()));
    {
        HostCollector a(*firstWriter), b(*secondWriter);
        const TrackId trackA = a.addTrack("a", TrackKind::Thread),
                      trackB = b.addTrack("b", TrackKind::Thread);
        for (int i = 0; i < 100; ++i) {
            a.record({trackA, i, 1, 0, 0, 0, 0});
            if (i % 2)
                b.record({trackB, i, 1, 0, 0, 0, 0});
        }
    }
    Trace traceA, traceB;
    readBack(first, traceA);
    readBack(second, traceB);
    EXPECT_EQ(traceA.spanCount(), 100u);
    EXPECT_EQ(traceB.spanCount(), 50u);
}

TEST(SpanRing, HandsOverInOrder) {
    SpanRing ring(8);
    std::vector<Span> out;
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 8; ++i)
            EXPECT_NE(ring.push({0, round * 8 + i, 0, 0, 0, 0, 0}), SpanRing::Pushed::Dropped);
        EXPECT_EQ(ring.push({}), SpanRing::Pushed::Dropped);
        ring.drain(out);
    }
    ASSERT_EQ(out.size(), 40u);
    for (int i = 0; i < 40; ++i)
        EXPECT_EQ(out[static_cast<std::size_t>(i)].startNs, i);
    EXPECT_EQ(ring.dropped(), 5u);
}

} // namespace
} // namespace heteroscope::profiling
