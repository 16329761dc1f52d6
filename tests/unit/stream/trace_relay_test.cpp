// SPDX-License-Identifier: Apache-2.0
// Timelines of several streams joined into one: each below a group of its own, nothing lost or mixed up.
#include "profiling/stream/trace_relay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

class Memory final : public FrameSink {
  public:
    explicit Memory(std::vector<std::uint8_t>& bytes) : m_bytes(bytes) {}
    Status write(std::span<const std::uint8_t> bytes) override {
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return {};
    }
    Status flush() override { return {}; }

  private:
    std::vector<std::uint8_t>& m_bytes;
};

std::unique_ptr<StreamWriter> relayWriterInto(std::vector<std::uint8_t>& bytes) {
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<Memory>(bytes));
    auto writer = std::make_unique<StreamWriter>(std::move(sinks));
    EXPECT_TRUE(writer->begin({}));
    return writer;
}

/// A worker's stream: a group with a row and a counter, a copy row without group; `mark` makes it unlike
/// others.
std::vector<std::uint8_t> workerStream(const std::string& mark) {
    std::vector<std::uint8_t> bytes;
    const auto writer = relayWriterInto(bytes);
    EXPECT_TRUE(writer->strings({1, {"worker", "row " + mark, "bytes", "copies"}}));
    EXPECT_TRUE(writer->tracks({{0, kNoTrack, TrackKind::Group, 1, 0, 0},
                                {1, 0, TrackKind::Thread, 2, 0, 1},
                                {2, 0, TrackKind::Counter, 3, 3, 2},
                                {3, kNoTrack, TrackKind::Copy, 4, 0, -2}}));
    EXPECT_TRUE(writer->strings({5, {"op " + mark, "category " + mark}}));
    EXPECT_TRUE(writer->args(1, {{{5, "value " + mark}}}));
    const std::vector<Span> spans = {{1, 10, 5, 5, 6, 1, 0}, {1, 20, 5, 5, 0, 0, 0}, {3, 12, 1, 4, 6, 1, 0}};
    EXPECT_TRUE(writer->spans(spans));
    const std::vector<CounterPoint> points = {{1, 2.0}, {3, 4.0}};
    EXPECT_TRUE(writer->counters(2, points));
    const std::vector<Flow> flows = {{{1, 0, 1}, {3, 0, 0}}};
    EXPECT_TRUE(writer->flows(flows));
    DataQuality quality;
    quality.clipped = 3;
    quality.notes = {"note " + mark};
    EXPECT_TRUE(writer->dataQuality(quality));
    return bytes;
}

/// Applies every frame to a trace, and passes it on where there is a relay.
void feedAll(const std::vector<std::uint8_t>& bytes, Trace& trace, TraceRelay* relay) {
    StreamReader reader("stream");
    TraceBuilder builder(trace);
    reader.feed(bytes);
    while (true) {
        const auto frame = reader.next();
        ASSERT_TRUE(frame) << frame.error().sentence();
        if (!*frame)
            break;
        const Status applied = builder.apply(**frame);
        ASSERT_TRUE(applied) << applied.error().sentence();
        if (relay && isTraceFrame((*frame)->kind)) {
            const Status passed = relay->pass(**frame);
            ASSERT_TRUE(passed) << passed.error().sentence();
        }
    }
    trace.publish();
}

std::string pathOf(const Trace& trace, TrackId id) {
    const Track track = trace.track(id);
    return (track.parent == kNoTrack ? "" : pathOf(trace, track.parent) + "/") + trace.string(track.name);
}

std::vector<std::string> contents(const Trace& trace) {
    std::vector<std::string> all;
    trace.forEachSpan([&](SpanRef ref, const Span& span) {
        std::string text = pathOf(trace, ref.track) + " " + trace.string(span.name) + " " +
                           trace.string(span.category) + " " + std::to_string(span.startNs);
        for (const auto& [key, value] : trace.args(span.args))
            text += " " + key + "=" + value;
        for (const Flow& flow : trace.flowsOf(ref))
            text += " flow " + pathOf(trace, flow.from.track) + ">" + pathOf(trace, flow.to.track);
        all.push_back(text);
        return true;
    });
    trace.forEachCounter([&](TrackId id, const CounterPoint& point) {
        all.push_back(pathOf(trace, id) + " " + trace.string(trace.track(id).unit) + " " +
                      std::to_string(point.timeNs));
        return true;
    });
    return all;
}

TEST(TraceRelay, PutsEachStreamBelowAGroup) {
    std::vector<std::uint8_t> bytes;
    const auto writer = relayWriterInto(bytes);
    TraceRelay relay(*writer);
    for (const std::string mark : {"A", "B", "C"}) {
        relay.beginStream("process " + mark);
        Trace own;
        feedAll(workerStream(mark), own, &relay);
    }
    Trace joined;
    feedAll(bytes, joined, nullptr);
    std::vector<std::string> expected;
    for (const std::string mark : {"A", "B", "C"}) {
        const std::string top = "process " + mark, row = top + "/row " + mark;
        const std::string flow = " flow " + row + ">" + top + "/copies";
        expected.insert(expected.end(),
                        {row + " op " + mark + " category " + mark + " 10 op " + mark + "=value " + mark,
                         row + " op " + mark + "  20" + flow,
                         top + "/copies copies category " + mark + " 12 op " + mark + "=value " + mark + flow,
                         top + "/bytes bytes 1", top + "/bytes bytes 3"});
    }
    EXPECT_THAT(contents(joined), ::testing::UnorderedElementsAreArray(expected));
    EXPECT_EQ(joined.quality().clipped, 9u);
    EXPECT_THAT(joined.quality().notes,
                ::testing::ElementsAre("process A, note A", "process B, note B", "process C, note C"));
}

TEST(TraceRelay, KeepsRowsBeforeTheOthersThatAskForIt) {
    std::vector<std::uint8_t> bytes;
    Trace worker;
    const auto writer = relayWriterInto(bytes);
    TraceRelay relay(*writer);
    relay.beginStream("first");
    feedAll(workerStream("a"), worker, &relay);
    relay.beginStream("second");
    Trace other;
    feedAll(workerStream("b"), other, &relay);
    Trace joined;
    feedAll(bytes, joined, nullptr);
    int early = 0;
    for (TrackId id = 0; id < joined.trackCount(); ++id) {
        const Track track = joined.track(id);
        const bool copies = joined.string(track.name) == "copies";
        EXPECT_EQ(track.sortKey, copies ? -2 : static_cast<std::int32_t>(id));
        early += copies ? 1 : 0;
    }
    EXPECT_EQ(early, 2);
}

TEST(TraceRelay, AStreamWithoutTimelineLeavesNoGroup) {
    std::vector<std::uint8_t> bytes;
    const auto writer = relayWriterInto(bytes);
    TraceRelay relay(*writer);
    relay.beginStream("process A");
    relay.beginStream("process B");
    Trace own, joined;
    feedAll(workerStream("B"), own, &relay);
    feedAll(bytes, joined, nullptr);
    EXPECT_EQ(pathOf(joined, 0), "process B");
    EXPECT_EQ(joined.quality().clipped, 3u);
}

} // namespace
} // namespace heteroscope::profiling
