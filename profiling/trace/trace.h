// SPDX-License-Identifier: Apache-2.0
// The columnar, append-only trace store.
//
// Threads: exactly one writer thread (append* and define*); any number of reader threads at the same time
// (everything const). Readers see a prefix of what was appended: chunks are published with release/acquire,
// no lock is taken by a query. `revision()` grows with each publication. Times are nanoseconds on the
// recording's clock. A track is a row; a lane is a sub-row of a track (nesting depth, or overlap) in which
// spans do not overlap. Queries go through an implicit in-order forest per lane and cost O(pixels * log n),
// whatever the number of spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::profiling {

using TrackId = std::uint32_t;
using StringId = std::uint32_t; ///< 0 is the empty string
constexpr TrackId kNoTrack = 0xffffffffu;

enum class TrackKind : std::uint8_t { Group, Thread, Stream, Counter, Copy, Overhead };

struct Track {
    TrackId id = 0;
    TrackId parent = kNoTrack;
    TrackKind kind = TrackKind::Thread;
    StringId name = 0;
    StringId unit = 0; ///< counters
    std::int32_t sortKey = 0;
};

/// One span as recorded. `args` refers to an argument set (name -> value text), 0 for none.
struct Span {
    TrackId track = 0;
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    StringId name = 0;
    StringId category = 0;
    std::uint32_t args = 0;
    std::int16_t depth =
        -1; ///< nesting depth on the track when the recorder knows it; -1: the store works it out
};

/// Address of a span: stable for the life of the store. `index` counts the spans of a track in order of
/// arrival; `lane` is where the span lay when the reference was made (a late span may move it: see locate()).
struct SpanRef {
    TrackId track = kNoTrack;
    std::uint16_t lane = 0;
    std::uint32_t index = 0;
    /// The same span, in whichever lane.
    bool operator==(const SpanRef& other) const { return track == other.track && index == other.index; }
    bool valid() const { return track != kNoTrack; }
};

/// One thing to draw: a span, or several that share less than a pixel.
struct DrawSpan {
    std::int64_t startNs = 0, endNs = 0;
    std::int64_t busyNs = 0; ///< sum of the durations inside
    std::uint32_t count = 1; ///< 1: exactly one span
    SpanRef longest;         ///< the span itself, or the longest of the group
    StringId name = 0;       ///< of the longest
    StringId category = 0;
};

struct CounterPoint {
    std::int64_t timeNs = 0;
    double value = 0.0;
};

/// One pixel column of a counter.
struct CounterBin {
    std::int64_t timeNs = 0;
    double min = 0, max = 0, last = 0;
    std::uint32_t count = 0;
};

struct Flow {
    SpanRef from, to;
};

struct SpanStats {
    StringId name = 0;
    StringId category = 0;
    std::uint64_t count = 0;
    std::int64_t totalNs = 0, minNs = 0, maxNs = 0; ///< durations clipped to the range
};

/// What was lost or odd in the recording: shown as a badge, never hidden.
struct DataQuality {
    std::uint64_t droppedEvents = 0, zeroTimestamps = 0, outOfOrder = 0, clipped = 0;
    /// Pairs of a cause and its effect on a device, whose times two clocks gave
    /// (collectors/gpu/causal_order.h), and those of them with the effect first.
    std::uint64_t causalPairs = 0, causalViolations = 0;
    std::vector<std::string> notes;
    bool clean() const {
        return !droppedEvents && !zeroTimestamps && !outOfOrder && !clipped && !causalViolations &&
               notes.empty();
    }
};

/// Times beyond this (73 years from 0) are cut, so that differences and ends never wrap.
inline constexpr std::int64_t kMaxTraceTimeNs = std::int64_t{1} << 61;
/// Of one stream or run file, groups included: readers refuse more.
inline constexpr std::size_t kMaxTracks = 16384;

class Trace {
  public:
    Trace();
    ~Trace();
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    // --- writer ---
    StringId intern(std::string_view text);
    TrackId addTrack(Track track); ///< `id` is assigned; the parent must exist
    std::uint32_t addArgs(const std::vector<std::pair<StringId, std::string>>& args);
    /// Any order; in start order per track is fastest. Late spans are merged in at the next publish().
    SpanRef append(const Span& span);
    void appendBatch(const Span* spans, std::size_t count);
    void appendCounter(TrackId track, std::int64_t timeNs, double value);
    void appendFlow(const Flow& flow);
    void setQuality(DataQuality quality);
    /// Makes all appended so far visible to readers. Call at least every 100 ms while live and once at the
    /// end.
    void publish();

    // --- readers ---
    std::uint64_t revision() const;
    std::uint32_t trackCount() const;
    Track track(TrackId id) const;
    std::uint32_t stringCount() const;
    std::string string(StringId id) const;
    std::uint16_t laneCount(TrackId track) const;
    std::uint64_t spanCount() const;
    std::uint64_t spanCount(TrackId track) const;
    std::uint64_t counterCount() const;
    std::int64_t startNs() const; ///< earliest start; 0 when empty
    std::int64_t endNs() const;   ///< latest end; 0 when empty
    std::size_t memoryBytes() const;
    DataQuality quality() const;

    /// The span; its `depth` is the lane it lies in now. Nothing for a reference that is not published.
    std::optional<Span> span(SpanRef ref) const;
    /// The same reference with the lane it lies in now; invalid when it is not published.
    SpanRef locate(SpanRef ref) const;
    std::vector<std::pair<std::string, std::string>> args(std::uint32_t id) const;
    /// Spans of a lane that touch [t0, t1), in order; runs of spans narrower than `nsPerPixel` are joined.
    void query(TrackId track, std::uint16_t lane, std::int64_t t0, std::int64_t t1, double nsPerPixel,
               std::vector<DrawSpan>& out) const;
    /// Bins of points in [t0, t1), after the last point before t0 (the value in force there) as a bin of its
    /// own.
    void queryCounter(TrackId track, std::int64_t t0, std::int64_t t1, double nsPerPixel,
                      std::vector<CounterBin>& out) const;
    /// The span that covers `timeNs` (or the nearest within `slackNs`).
    SpanRef at(TrackId track, std::uint16_t lane, std::int64_t timeNs, std::int64_t slackNs) const;
    /// Statistics by name of the spans that touch [t0, t1) on the given tracks (empty: all), largest total
    /// first.
    std::vector<SpanStats> statistics(std::int64_t t0, std::int64_t t1,
                                      const std::vector<TrackId>& tracks) const;
    /// Time of [t0, t1) in which at least one span of the track is open: the union, never above t1 - t0.
    std::int64_t busyNs(TrackId track, std::int64_t t0, std::int64_t t1) const;
    /// Spans whose name contains `text` (case-insensitive), in time order, at most `limit`.
    std::vector<SpanRef> search(std::string_view text, std::size_t limit) const;
    /// Flows that start or end at a span.
    std::vector<Flow> flowsOf(SpanRef ref) const;
    /// Every flow, in order of arrival; stops when it returns false.
    void forEachFlow(const std::function<bool(const Flow&)>& visit) const;
    std::uint64_t flowCount() const;
    /// Calls `visit` for each span in lane order (`depth` is its lane); stops when it returns false. For
    /// exporters.
    void forEachSpan(const std::function<bool(SpanRef, const Span&)>& visit) const;
    /// The same for one track, in order of start, longer spans first, outer ones before equal inner ones: an
    /// enclosing span comes before what it encloses. One publication, whatever the writer adds meanwhile.
    void forEachSpanByStart(TrackId track, const std::function<bool(SpanRef, const Span&)>& visit) const;
    void forEachCounter(const std::function<bool(TrackId, const CounterPoint&)>& visit) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::profiling
