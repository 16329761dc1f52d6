// SPDX-License-Identifier: GPL-3.0-or-later
// What the visible rows look like at one zoom, joined to at most about one piece a pixel. The screen, the hit
// test and the vector export all read the same list. A value type without widgets.
#pragma once

#include "profiling/trace/trace.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/track_layout.h"

#include <QRgb>
#include <QString>

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heteroscope::ui {

/// A stretch of one row from the left to the right edge. y counts from the top of the rows' area.
struct RowBand {
    profiling::TrackId track = profiling::kNoTrack;
    int y = 0, height = 0;
    bool pinned = false, group = false;
};

struct LaneSlice {
    profiling::TrackId track = profiling::kNoTrack;
    std::uint16_t lane = 0;
    bool pinned = false;
    int y = 0, height = 0;
    std::size_t first = 0, count = 0; ///< into DrawList::spans and colors
};

/// A counter, or the activity of a collapsed group (share of its tracks that are busy, 0 to 1).
struct CounterSlice {
    profiling::TrackId track = profiling::kNoTrack;
    bool pinned = false, activity = false;
    int y = 0, height = 0;
    double low = 0.0, high = 1.0; ///< values at the bottom and the top
    QRgb color = 0;
    std::size_t first = 0, count = 0; ///< into DrawList::bins
};

struct DrawLabel {
    std::uint32_t lane = 0, span = 0; ///< into lanes and spans
};

struct DrawList {
    TimeAxis axis;
    int top = 0;       ///< y where unpinned rows start; they are clipped there
    int height = 0;    ///< of the rows' area
    double step = 1.0; ///< device-independent pixels a device pixel
    std::vector<RowBand> bands;
    std::vector<LaneSlice> lanes;
    std::vector<profiling::DrawSpan> spans;
    std::vector<QRgb> colors;
    std::vector<CounterSlice> counters;
    std::vector<profiling::CounterBin> bins;
    std::vector<DrawLabel> labels;
};

/// Left and right edge of a span as drawn, in whole device pixels: never narrower than one, and one pixel
/// shorter than its time where it is wide enough, so that neighbours stay apart.
struct PixelExtent {
    int left = 0, right = 0;
};
PixelExtent spanExtent(const TimeAxis& axis, double step, const profiling::DrawSpan& span);

struct Hit {
    profiling::TrackId track = profiling::kNoTrack;
    std::optional<profiling::DrawSpan> span;
    std::optional<profiling::CounterBin> counter;
    bool activity = false;
};
/// What is drawn at a position of the rows' area.
Hit hitTest(const DrawList& list, double x, double y);

/// Colours of span names, looked up once each. Belongs to one trace and one brightness.
class SpanPalette {
  public:
    SpanPalette(const profiling::Trace& trace, bool dark) : m_trace(trace), m_dark(dark) {}
    QRgb color(profiling::StringId category, profiling::StringId name);

  private:
    struct Entry {
        profiling::StringId category = 0;
        QRgb color = 0;
    };
    QRgb lookUp(profiling::StringId category, profiling::StringId name) const;

    const profiling::Trace& m_trace;
    bool m_dark;
    std::vector<Entry> m_byName;
    std::unordered_map<std::uint64_t, QRgb> m_others;
};

struct DrawOptions {
    TimeAxis axis;
    double step = 1.0;
    int scrollY = 0;
    int height = 0; ///< of the rows' area; rows outside are left out
    QRgb background = 0xffffffff;
    QRgb counterColor = 0xff808080;
    /// When set, spans whose name is not wanted fade into the background.
    std::function<bool(profiling::StringId)> wanted;
};

constexpr double kMinLabelPixels = 28.0;
constexpr int kPinnedGap = 4; ///< between pinned and scrolling rows

/// y of the scrolling section.
int scrollTop(const TrackLayout& layout);
DrawList buildDrawList(const profiling::Trace& trace, const TrackLayout& layout, const DrawOptions& options,
                       SpanPalette& palette);
QRgb blend(QRgb over, QRgb under, double share);

} // namespace heteroscope::ui
