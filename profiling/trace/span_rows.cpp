// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/span_rows.h"

#include <algorithm>

namespace heteroscope::profiling {

namespace {

constexpr std::size_t kRowBytes =
    2 * sizeof(std::int64_t) + 3 * sizeof(std::uint32_t) + sizeof(std::uint16_t) + sizeof(std::uint8_t);

std::uint8_t hintOf(std::int16_t depth) {
    if (depth < 0)
        return kNoDepth;
    return static_cast<std::uint8_t>(std::min<int>(depth, kNoDepth - 1));
}

} // namespace

SpanRows::Segment::Segment(std::uint32_t length)
    : start(new std::int64_t[length]),
      duration(new std::int64_t[length]),
      name(new std::uint32_t[length]),
      category(new std::uint32_t[length]),
      args(new std::uint32_t[length]),
      lane(new std::atomic<std::uint16_t>[length]),
      depthHint(new std::uint8_t[length]) {}

std::uint32_t SpanRows::push(const Span& span) {
    const std::uint32_t row = m_size++;
    const SegmentPlace place = segmentOf(row);
    auto& segment = m_segments[place.segment];
    if (!segment) {
        segment = std::make_unique<Segment>(place.length);
        m_bytes.fetch_add(place.length * kRowBytes + sizeof(Segment), std::memory_order_relaxed);
    }
    segment->start[place.offset] = span.startNs;
    segment->duration[place.offset] = span.durationNs;
    segment->name[place.offset] = span.name;
    segment->category[place.offset] = span.category;
    segment->args[place.offset] = span.args;
    segment->depthHint[place.offset] = hintOf(span.depth);
    segment->lane[place.offset].store(0, std::memory_order_relaxed);
    return row;
}

} // namespace heteroscope::profiling
