// SPDX-License-Identifier: Apache-2.0
// The recorded spans of one track, column by column, in the order of arrival. Rows never move or change; only
// the lane of a row may be reassigned while late spans are merged in.
#pragma once

#include "profiling/trace/segments.h"
#include "profiling/trace/trace.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace heteroscope::profiling {

/// A depth the recorder gave; kNoDepth: the store works it out.
constexpr std::uint8_t kNoDepth = 255;

class SpanRows {
  public:
    /// Writer. The readers learn of the row through the track's published view.
    std::uint32_t push(const Span& span);
    std::uint8_t depthHint(std::uint32_t row) const { return cell(&Segment::depthHint, row); }
    std::uint32_t written() const { return m_size; } ///< writer only

    std::int64_t start(std::uint32_t row) const { return cell(&Segment::start, row); }
    std::int64_t duration(std::uint32_t row) const { return cell(&Segment::duration, row); }
    std::int64_t end(std::uint32_t row) const {
        const SegmentPlace place = segmentOf(row);
        const Segment& segment = *m_segments[place.segment];
        return segment.start[place.offset] + segment.duration[place.offset];
    }
    struct Times {
        std::int64_t start, end;
    };
    Times times(std::uint32_t row) const {
        const SegmentPlace place = segmentOf(row);
        const Segment& segment = *m_segments[place.segment];
        const std::int64_t start = segment.start[place.offset];
        return {start, start + segment.duration[place.offset]};
    }
    StringId name(std::uint32_t row) const { return cell(&Segment::name, row); }
    StringId category(std::uint32_t row) const { return cell(&Segment::category, row); }
    std::uint32_t args(std::uint32_t row) const { return cell(&Segment::args, row); }
    std::uint16_t lane(std::uint32_t row) const {
        return cell(&Segment::lane, row).load(std::memory_order_relaxed);
    }
    void setLane(std::uint32_t row, std::uint16_t lane) {
        const SegmentPlace place = segmentOf(row);
        m_segments[place.segment]->lane[place.offset].store(lane, std::memory_order_relaxed);
    }
    std::size_t bytes() const { return m_bytes.load(std::memory_order_relaxed); }

  private:
    struct Segment {
        explicit Segment(std::uint32_t length);
        std::unique_ptr<std::int64_t[]> start, duration;
        std::unique_ptr<std::uint32_t[]> name, category, args;
        std::unique_ptr<std::atomic<std::uint16_t>[]> lane;
        std::unique_ptr<std::uint8_t[]> depthHint;
    };
    template <class T>
    const T& cell(std::unique_ptr<T[]> Segment::*column, std::uint32_t row) const {
        const SegmentPlace place = segmentOf(row);
        return ((*m_segments[place.segment]).*column)[place.offset];
    }

    std::array<std::unique_ptr<Segment>, kSegmentCount> m_segments;
    std::uint32_t m_size = 0;
    std::atomic<std::size_t> m_bytes{0};
};

} // namespace heteroscope::profiling
