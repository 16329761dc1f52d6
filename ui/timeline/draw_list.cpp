// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and hit test of a draw list, and the colours of spans.
#include "ui/timeline/draw_list.h"

#include "ui/common/theme.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

using profiling::StringId;

QRgb blend(QRgb over, QRgb under, double share) {
    const int weight = static_cast<int>(share * 256.0 + 0.5);
    const auto mix = [weight](int a, int b) { return (a * weight + b * (256 - weight) + 128) >> 8; };
    return qRgb(mix(qRed(over), qRed(under)), mix(qGreen(over), qGreen(under)),
                mix(qBlue(over), qBlue(under)));
}

PixelExtent spanExtent(const TimeAxis& axis, double step, const profiling::DrawSpan& span) {
    constexpr double kFar = 1e6; // far outside any picture, and safe as an int
    constexpr int kRoomForGap = 4;
    const auto device = [&](std::int64_t ns) { // rounds without a call, as this runs for every piece drawn
        return static_cast<int>(std::clamp(axis.toPixel(ns) / step, -kFar, kFar) + kFar + 0.5) -
               static_cast<int>(kFar);
    };
    PixelExtent extent{device(span.startNs), device(span.endNs)};
    if (extent.right - extent.left >= kRoomForGap)
        --extent.right;
    extent.right = std::max(extent.right, extent.left + 1);
    return extent;
}

namespace {

/// A counter keeps its value until the next sample.
std::optional<profiling::CounterBin> binAt(const DrawList& list, const CounterSlice& slice, std::int64_t ns) {
    const auto begin = list.bins.begin() + static_cast<std::ptrdiff_t>(slice.first);
    const auto end = begin + static_cast<std::ptrdiff_t>(slice.count);
    const auto after = std::upper_bound(
        begin, end, ns, [](std::int64_t t, const profiling::CounterBin& bin) { return t < bin.timeNs; });
    if (after == begin)
        return std::nullopt;
    return *(after - 1);
}

std::optional<profiling::DrawSpan> spanAt(const DrawList& list, const LaneSlice& slice, double x) {
    const int pixel = static_cast<int>(std::floor(x / list.step));
    const auto begin = list.spans.begin() + static_cast<std::ptrdiff_t>(slice.first);
    const auto end = begin + static_cast<std::ptrdiff_t>(slice.count);
    // Later pieces are drawn over earlier ones, so the last that starts at or before the pixel is on top.
    auto after = std::upper_bound(begin, end, pixel, [&](int p, const profiling::DrawSpan& span) {
        return p < spanExtent(list.axis, list.step, span).left;
    });
    if (after == begin)
        return std::nullopt;
    const profiling::DrawSpan& span = *(after - 1);
    if (pixel >= spanExtent(list.axis, list.step, span).right)
        return std::nullopt;
    return span;
}

} // namespace

Hit hitTest(const DrawList& list, double x, double y) {
    Hit hit;
    const auto covers = [&](const auto& slice) {
        return y >= slice.y && y < slice.y + slice.height && (slice.pinned || y >= list.top);
    };
    for (const RowBand& band : list.bands)
        if (covers(band))
            hit.track = band.track;
    for (const LaneSlice& lane : list.lanes)
        if (covers(lane))
            hit.span = spanAt(list, lane, x);
    for (const CounterSlice& counter : list.counters)
        if (covers(counter)) {
            hit.counter = binAt(list, counter, list.axis.toNs(x));
            hit.activity = counter.activity;
        }
    return hit;
}

QRgb SpanPalette::lookUp(StringId category, StringId name) const {
    return Theme::spanColor(QString::fromStdString(m_trace.string(category)),
                            QString::fromStdString(m_trace.string(name)), m_dark)
        .rgb();
}

QRgb SpanPalette::color(StringId category, StringId name) {
    constexpr StringId kDirect = 1u << 20; // names beyond go through the map
    if (name < kDirect) {
        if (name >= m_byName.size())
            m_byName.resize(std::max<std::size_t>(name + 1, m_byName.size() * 2));
        Entry& entry = m_byName[name];
        if (entry.color == 0)
            entry = {category, lookUp(category, name)};
        if (entry.category == category)
            return entry.color;
    }
    const auto [found, added] = m_others.try_emplace((std::uint64_t{category} << 32) | name, 0);
    if (added)
        found->second = lookUp(category, name);
    return found->second;
}

} // namespace heteroscope::ui
