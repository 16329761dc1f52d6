// SPDX-License-Identifier: Apache-2.0
// What a Trace is made of. Readers reach the spans and points of a track only through its published view,
// and hold a Reclaimer::Reading while they do.
#pragma once

#include "profiling/trace/counter_lane.h"
#include "profiling/trace/flow_index.h"
#include "profiling/trace/reclaim.h"
#include "profiling/trace/text_store.h"
#include "profiling/trace/trace.h"
#include "profiling/trace/track_spans.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace heteroscope::profiling {

/// What readers see of a track; immutable.
struct TrackView {
    std::uint32_t rows = 0;
    std::vector<LaneView> lanes;
    CounterView counter;
};

struct TrackData {
    TrackData(Track definition, std::atomic<std::size_t>& bytes) : info(definition), spans(bytes) {}
    ~TrackData() { delete view.load(); }

    const Track info;
    TrackSpans spans;
    CounterLane counter;
    bool dirty = false;
    std::atomic<const TrackView*> view{nullptr};
};

/// Extent and number of what was appended.
struct Extent {
    std::int64_t start = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    void cover(std::int64_t from, std::int64_t to) {
        start = std::min(start, from);
        end = std::max(end, to);
    }
};

struct Trace::Impl {
    Impl() : quality(new DataQuality) {}
    ~Impl() { delete quality.load(); }

    Reclaimer reclaimer;
    StringTable strings;
    ArgsTable args;
    SegmentedVector<std::unique_ptr<TrackData>> tracks;
    FlowIndex flows;
    std::vector<TrackId> dirty; ///< tracks with something unpublished

    Extent written;
    std::uint64_t spansWritten = 0, pointsWritten = 0, clipped = 0;
    DataQuality given; ///< as set by the recorder; what the store itself saw is added
    bool qualityChanged = false;

    std::atomic<std::size_t> bytes{0};
    std::atomic<std::uint64_t> revision{0}, spanCount{0}, pointCount{0};
    std::atomic<std::int64_t> start{0}, end{0};
    std::atomic<const DataQuality*> quality;

    /// Reader, inside a Reading: the track and its view, or null when there is none.
    const TrackData* find(TrackId track) const {
        return track < tracks.size() ? tracks[track].get() : nullptr;
    }
    static const TrackView* viewOf(const TrackData* data) {
        return data ? data->view.load(std::memory_order_acquire) : nullptr;
    }
    TrackData* writable(TrackId track);
    void markDirty(TrackData& data);
    Span sane(const Span& span);
    void publishTrack(TrackData& data);
    void publishQuality();
};

/// Whether a text contains another, ASCII letters in either case.
bool containsIgnoringCase(std::string_view text, std::string_view part);

} // namespace heteroscope::profiling
