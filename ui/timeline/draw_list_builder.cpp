// SPDX-License-Identifier: GPL-3.0-or-later
// From the store's queries to a draw list: one query a visible lane, counter or collapsed group.
#include "ui/timeline/draw_list.h"
#include "ui/timeline/lane_queries.h"
#include "ui/timeline/time_format.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

using profiling::CounterBin;
using profiling::DrawSpan;
using profiling::TrackId;
using profiling::TrackKind;

int scrollTop(const TrackLayout& layout) {
    return layout.pinnedRows().empty() ? 0 : layout.pinnedHeight() + kPinnedGap;
}

namespace {

class Builder {
  public:
    Builder(const profiling::Trace& trace, const TrackLayout& layout, const DrawOptions& options,
            SpanPalette& palette)
        : m_trace(trace),
          m_layout(layout),
          m_options(options),
          m_palette(palette),
          m_startNs(options.axis.startNs()),
          m_endNs(options.axis.endNs() + 1),
          m_nsPerStep(options.axis.nsPerPixel() * options.step) {
        m_list.axis = options.axis;
        m_list.top = scrollTop(layout);
        m_list.height = options.height;
        m_list.step = options.step;
    }

    DrawList build() {
        addRows(m_layout.pinnedRows(), 0, true);
        addRows(m_layout.rows(), m_list.top - m_options.scrollY, false);
        fillLanes();
        return std::move(m_list);
    }

  private:
    void addRows(const std::vector<Row>& rows, int offset, bool pinned) {
        const int from = pinned ? 0 : m_list.top;
        for (const Row& row : rows) {
            const int y = row.y + offset;
            if (y + row.height <= from)
                continue;
            if (y >= m_options.height)
                break;
            addRow(row, offset, pinned);
        }
    }

    void addRow(const Row& row, int offset, bool pinned) {
        const TrackInfo& info = *m_layout.track(row.track);
        const bool group = row.lanes == 0 && info.kind != TrackKind::Counter;
        m_list.bands.push_back({row.track, row.y + offset, row.height, pinned, group});
        if (info.kind == TrackKind::Counter)
            addCounter(row, offset, pinned);
        else if (row.summary)
            addActivity(row, offset, pinned);
        for (int lane = 0; lane < row.lanes; ++lane)
            addLane(row, lane, offset, pinned);
    }

    void addLane(const Row& row, int lane, int offset, bool pinned) {
        const LaneSlice slice{row.track,
                              static_cast<std::uint16_t>(lane),
                              pinned,
                              m_layout.laneTop(row, lane) + offset,
                              m_layout.laneBarHeight(),
                              0,
                              0};
        if (slice.y >= m_options.height || slice.y + slice.height <= (pinned ? 0 : m_list.top))
            return;
        m_list.lanes.push_back(slice);
        m_queries.push_back({slice.track, slice.lane, {}});
    }

    void fillLanes() {
        runQueries(m_trace, m_startNs, m_endNs, m_nsPerStep, m_queries);
        std::size_t total = 0;
        for (const LaneQuery& query : m_queries)
            total += query.spans.size();
        m_list.spans.reserve(total);
        m_list.colors.reserve(total);
        for (std::size_t lane = 0; lane < m_queries.size(); ++lane)
            fillLane(static_cast<std::uint32_t>(lane), m_queries[lane].spans);
    }

    void fillLane(std::uint32_t lane, const std::vector<DrawSpan>& spans) {
        m_list.lanes[lane].first = m_list.spans.size();
        m_list.lanes[lane].count = spans.size();
        const double labelNs = kMinLabelPixels * m_options.axis.nsPerPixel();
        for (const DrawSpan& span : spans) {
            if (span.count == 1 && static_cast<double>(span.endNs - span.startNs) >= labelNs)
                m_list.labels.push_back({lane, static_cast<std::uint32_t>(m_list.spans.size())});
            m_list.colors.push_back(colorOf(span));
            m_list.spans.push_back(span);
        }
    }

    QRgb colorOf(const DrawSpan& span) {
        QRgb color = m_palette.color(span.category, span.name);
        if (m_options.wanted && !m_options.wanted(span.name))
            return blend(color, m_options.background, 0.22);
        if (span.count == 1)
            return color;
        // Joined spans fade with the share of time between them that is idle; few steps keep exports small.
        const double length = static_cast<double>(std::max<std::int64_t>(1, span.endNs - span.startNs));
        const double busy = std::clamp(static_cast<double>(span.busyNs) / length, 0.0, 1.0);
        return blend(color, m_options.background, 0.4 + 0.6 * std::ceil(busy * 4.0) / 4.0);
    }

    void addCounter(const Row& row, int offset, bool pinned) {
        constexpr int kPadding = 4;
        CounterSlice slice{row.track,
                           pinned,
                           false,
                           row.y + offset + kPadding,
                           row.height - 2 * kPadding,
                           0.0,
                           1.0,
                           m_options.counterColor,
                           m_list.bins.size(),
                           0};
        m_bins.clear();
        m_trace.queryCounter(row.track, m_startNs, m_endNs, m_nsPerStep, m_bins);
        double low = 0.0, high = 0.0;
        for (const CounterBin& bin : m_bins) {
            low = std::min(low, bin.min);
            high = std::max(high, bin.max);
        }
        const QString& unit = m_layout.track(row.track)->unit;
        slice.low = low < 0.0 ? -scaleCeiling(-low, unit) : 0.0;
        slice.high = high > 0.0 ? scaleCeiling(high, unit) : low < 0.0 ? 0.0 : 1.0;
        slice.count = m_bins.size();
        m_list.bins.insert(m_list.bins.end(), m_bins.begin(), m_bins.end());
        m_list.counters.push_back(slice);
    }

    void collectLeaves(TrackId id, std::vector<TrackId>& out) const {
        const TrackInfo* info = m_layout.track(id);
        if (info->kind != TrackKind::Counter && info->lanes > 0)
            out.push_back(id);
        for (const TrackId child : m_layout.children(id))
            collectLeaves(child, out);
    }

    /// Share of the hidden tracks that are busy, in columns of three pixels.
    void addActivity(const Row& row, int offset, bool pinned) {
        constexpr double kColumn = 3.0;
        constexpr int kPadding = 4;
        std::vector<TrackId> leaves;
        collectLeaves(row.track, leaves);
        const double columnNs = std::max(1.0, kColumn * m_options.axis.nsPerPixel());
        const auto columns = static_cast<std::size_t>(m_options.axis.width() / kColumn) + 2;
        std::vector<double> busy(columns, 0.0);
        for (const TrackId leaf : leaves) {
            m_found.clear();
            m_trace.query(leaf, 0, m_startNs, m_endNs, columnNs, m_found);
            for (const DrawSpan& span : m_found)
                spread(span, columnNs, busy);
        }
        CounterSlice slice{row.track,
                           pinned,
                           true,
                           row.y + offset + kPadding,
                           row.height - 2 * kPadding,
                           0.0,
                           1.0,
                           m_options.counterColor,
                           m_list.bins.size(),
                           columns};
        const double whole = columnNs * static_cast<double>(std::max<std::size_t>(1, leaves.size()));
        for (std::size_t i = 0; i < columns; ++i) {
            const double share = std::min(1.0, busy[i] / whole);
            m_list.bins.push_back({m_startNs + static_cast<std::int64_t>(static_cast<double>(i) * columnNs),
                                   share, share, share, 1});
        }
        m_list.counters.push_back(slice);
    }

    /// Adds a span's busy time to the columns it covers, in proportion.
    void spread(const DrawSpan& span, double columnNs, std::vector<double>& busy) const {
        const double from = static_cast<double>(span.startNs - m_startNs);
        const double to = static_cast<double>(span.endNs - m_startNs);
        const double density = static_cast<double>(span.busyNs) / std::max(1.0, to - from);
        const double last = static_cast<double>(busy.size());
        const auto begin = static_cast<std::size_t>(std::clamp(from / columnNs, 0.0, last));
        const auto end = static_cast<std::size_t>(std::clamp(std::ceil(to / columnNs), 0.0, last));
        for (std::size_t i = begin; i < end; ++i) {
            const double left = std::max(from, static_cast<double>(i) * columnNs);
            const double right = std::min(to, static_cast<double>(i + 1) * columnNs);
            busy[i] += density * std::max(0.0, right - left);
        }
    }

    const profiling::Trace& m_trace;
    const TrackLayout& m_layout;
    const DrawOptions& m_options;
    SpanPalette& m_palette;
    std::int64_t m_startNs, m_endNs;
    double m_nsPerStep;
    DrawList m_list;
    std::vector<LaneQuery> m_queries; ///< one a lane of m_list
    std::vector<DrawSpan> m_found;
    std::vector<CounterBin> m_bins;
};

} // namespace

DrawList buildDrawList(const profiling::Trace& trace, const TrackLayout& layout, const DrawOptions& options,
                       SpanPalette& palette) {
    return Builder(trace, layout, options, palette).build();
}

} // namespace heteroscope::ui
