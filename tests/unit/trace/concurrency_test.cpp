// SPDX-License-Identifier: Apache-2.0
// One writer appends and publishes, late spans included, while two readers query. Run under the thread
// sanitizer as well.
#include "profiling/trace/trace.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace heteroscope::profiling {
namespace {

void readEverything(const Trace& trace, const std::atomic<bool>& done) {
    std::uint64_t lastCount = 0, lastRevision = 0;
    while (!done.load()) {
        const std::uint64_t revision = trace.revision(), count = trace.spanCount();
        EXPECT_GE(revision, lastRevision);
        EXPECT_GE(count, lastCount);
        lastRevision = revision;
        lastCount = count;
        for (TrackId track = 0; track < trace.trackCount(); ++track) {
            std::vector<DrawSpan> out;
            for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane)
                trace.query(track, lane, trace.startNs(), trace.endNs() + 1, 5000.0, out);
            for (const DrawSpan& span : out)
                EXPECT_TRUE(trace.span(span.longest));
            std::vector<CounterBin> bins;
            trace.queryCounter(track, trace.startNs(), trace.endNs(), 5000.0, bins);
            EXPECT_LE(trace.busyNs(track, 0, 1000000), 1000000);
        }
        for (const SpanRef hit : trace.search("late", 5))
            EXPECT_EQ(trace.string(trace.span(hit)->name), "late");
        EXPECT_LE(trace.statistics(0, 1 << 30, {}).size(), 3u);
        (void)trace.flowsOf({0, 0, 5});
        (void)trace.memoryBytes();
        (void)trace.quality();
    }
}

TEST(Trace, OneWriterTwoReaders) {
    Trace trace;
    std::atomic<bool> done{false};
    std::thread first(readEverything, std::cref(trace), std::cref(done));
    std::thread second(readEverything, std::cref(trace), std::cref(done));
    const StringId a = trace.intern("a"), b = trace.intern("b"), late = trace.intern("late");
    constexpr int kTracks = 3, kSpans = 60000;
    for (int t = 0; t < kTracks; ++t)
        trace.addTrack({});
    for (int i = 0; i < kSpans; ++i) {
        const TrackId track = static_cast<TrackId>(i % kTracks);
        const SpanRef ref = trace.append({track, i * 10, 8, i % 2 ? a : b, 0, 0, -1});
        trace.appendCounter(track, i * 10 - (i % 97 == 0 ? 500 : 0), i);
        if (i % 1000 == 999)
            trace.append({track, i * 10 - 3000, 2500, late, 0, 0, -1});
        if (i % 3 == 0)
            trace.appendFlow({ref, {0, 0, static_cast<std::uint32_t>(i / kTracks)}});
        if (i % 500 == 0) {
            trace.intern("text " + std::to_string(i));
            DataQuality quality;
            quality.droppedEvents = static_cast<std::uint64_t>(i);
            trace.setQuality(quality);
            trace.publish();
        }
    }
    trace.publish();
    done = true;
    first.join();
    second.join();
    EXPECT_EQ(trace.spanCount(), static_cast<std::uint64_t>(kSpans + kSpans / 1000));
}

} // namespace
} // namespace heteroscope::profiling
