// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a draw list into an image, row of pixels by row of pixels.
#include "ui/timeline/raster_painter.h"

#include "ui/common/theme.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace heteroscope::ui {

RowColors rowColors(bool dark) {
    const ThemeColors colors = Theme::colorsFor(dark);
    const QRgb surface = colors.surface.rgb();
    return {surface, blend(colors.border.rgb(), surface, 0.28), blend(colors.border.rgb(), surface, 0.65),
            blend(colors.grid.rgb(), surface, 0.6), colors.border.rgb()};
}

QRgb textOn(QRgb fill) {
    const auto linear = [](int v) {
        const double x = v / 255.0;
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    const double luminance =
        0.2126 * linear(qRed(fill)) + 0.7152 * linear(qGreen(fill)) + 0.0722 * linear(qBlue(fill));
    constexpr double kEvenContrast = 0.179; // where black and white read equally well
    return luminance > kEvenContrast ? qRgb(16, 18, 22) : qRgb(255, 255, 255);
}

namespace {

class Raster {
  public:
    Raster(QImage& image, const DrawList& list, const TickSet& ticks, const RowColors& colors,
           LabelCache& labels)
        : m_image(image),
          m_list(list),
          m_colors(colors),
          m_labels(labels),
          m_width(image.width()),
          m_top(device(list.top)) {
        m_plain.assign(static_cast<std::size_t>(m_width), colors.background);
        m_shaded.assign(static_cast<std::size_t>(m_width), colors.group);
        for (const TimeTick& tick : ticks.ticks) {
            const double x = list.axis.toPixel(tick.ns) / list.step;
            if (!tick.major || x < 0 || x >= m_width)
                continue;
            m_plain[static_cast<std::size_t>(x)] = colors.grid;
            m_shaded[static_cast<std::size_t>(x)] = colors.grid;
        }
    }

    void paint() {
        fill(0, m_image.height(), m_plain);
        for (const RowBand& band : m_list.bands)
            paintBand(band);
        for (const LaneSlice& lane : m_list.lanes)
            paintLane(lane);
        for (const CounterSlice& counter : m_list.counters)
            paintCounter(counter);
        for (const DrawLabel& label : m_list.labels)
            paintLabel(label);
        paintPinnedGap();
    }

  private:
    int device(double y) const { return static_cast<int>(std::lround(y / m_list.step)); }
    QRgb* line(int y) { return reinterpret_cast<QRgb*>(m_image.scanLine(y)); }

    struct Stripe {
        int from, to;
    };
    /// Device rows of a slice that are inside the picture and its section.
    Stripe stripe(int y, int height, bool pinned) const {
        return {std::max(device(y), pinned ? 0 : m_top), std::min(device(y + height), m_image.height())};
    }

    void fill(int from, int to, const std::vector<QRgb>& colors) {
        for (int y = from; y < to; ++y)
            std::memcpy(line(y), colors.data(), colors.size() * sizeof(QRgb));
    }

    void paintBand(const RowBand& band) {
        const Stripe rows = stripe(band.y, band.height, band.pinned);
        if (band.group)
            fill(rows.from, rows.to, m_shaded);
        const int edge = device(band.y + band.height) - 1;
        if (edge >= rows.from && edge < rows.to)
            std::fill_n(line(edge), m_width, m_colors.border);
    }

    void paintLane(const LaneSlice& lane) {
        const Stripe rows = stripe(lane.y, lane.height, lane.pinned);
        if (rows.from >= rows.to || lane.count == 0)
            return;
        m_line = m_plain;
        for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
            const PixelExtent extent = spanExtent(m_list.axis, m_list.step, m_list.spans[i]);
            const int left = std::max(0, extent.left);
            const int right = std::min(m_width, extent.right);
            if (left < right)
                std::fill(m_line.begin() + left, m_line.begin() + right, m_list.colors[i]);
        }
        fill(rows.from, rows.to, m_line);
    }

    void paintCounter(const CounterSlice& slice) {
        const Stripe rows = stripe(slice.y, slice.height, slice.pinned);
        const double scale =
            (device(slice.y + slice.height) - device(slice.y) - 1) / (slice.high - slice.low);
        const int bottom = device(slice.y + slice.height) - 1;
        const auto row = [&](double value) {
            return bottom - static_cast<int>(std::lround((value - slice.low) * scale));
        };
        const QRgb base = slice.activity ? m_colors.group : m_colors.background;
        const QRgb area = blend(slice.color, base, slice.activity ? 0.55 : 0.3);
        const int zero = row(std::clamp(0.0, slice.low, slice.high));
        int previous = zero;
        for (std::size_t i = slice.first; i < slice.first + slice.count; ++i) {
            const profiling::CounterBin& bin = m_list.bins[i];
            const int left = column(bin.timeNs);
            const int right = i + 1 < slice.first + slice.count ? column(m_list.bins[i + 1].timeNs)
                                                                : column(m_list.axis.limitEndNs());
            for (int x = left; x < std::max(right, left + 1) && x < m_width; ++x) {
                const int last = row(bin.last);
                fillColumn(x, std::min(last, zero), std::max(last, zero) + (slice.activity ? 0 : 1), rows,
                           area);
                int high = x == left ? row(bin.max) : last, low = x == left ? row(bin.min) : last;
                if (x == left) { // joins the step with the value before
                    high = std::min(high, previous);
                    low = std::max(low, previous);
                }
                if (!slice.activity)
                    fillColumn(x, high, low + 1, rows, slice.color);
                previous = last;
            }
        }
    }

    int column(std::int64_t ns) const {
        return static_cast<int>(std::clamp(m_list.axis.toPixel(ns) / m_list.step, 0.0, double(m_width)));
    }

    void fillColumn(int x, int from, int to, Stripe rows, QRgb color) {
        for (int y = std::max(from, rows.from); y < std::min(to, rows.to); ++y)
            line(y)[x] = color;
    }

    void paintLabel(const DrawLabel& label) {
        constexpr double kInset = 4.0;
        const LaneSlice& lane = m_list.lanes[label.lane];
        const profiling::DrawSpan& span = m_list.spans[label.span];
        // The text of a span that starts left of the window stays readable at the window's edge.
        const double left = std::max(0.0, m_list.axis.toPixel(span.startNs)) + kInset;
        const double right = std::min(m_list.axis.width(), m_list.axis.toPixel(span.endNs)) - kInset;
        const QImage* mask = m_labels.mask(span.name, right - left);
        if (!mask)
            return;
        const int height = device(lane.y + lane.height) - device(lane.y);
        const int y = device(lane.y) + (height - mask->height()) / 2;
        stamp(*mask, device(left), y, stripe(lane.y, lane.height, lane.pinned),
              textOn(m_list.colors[label.span]));
    }

    void stamp(const QImage& mask, int x, int y, Stripe rows, QRgb color) {
        const int columns = std::min(mask.width(), m_width - x);
        for (int i = std::max(0, rows.from - y); i < mask.height() && y + i < rows.to; ++i) {
            const uchar* coverage = mask.constScanLine(i);
            QRgb* out = line(y + i) + x;
            for (int c = 0; c < columns; ++c)
                if (coverage[c])
                    out[c] = mix(color, out[c], coverage[c]);
        }
    }

    static QRgb mix(QRgb over, QRgb under, unsigned coverage) {
        const unsigned rest = 255 - coverage;
        const auto channel = [&](int shift) {
            const unsigned value = ((over >> shift) & 255) * coverage + ((under >> shift) & 255) * rest;
            return ((value + 127) / 255) << shift;
        };
        return 0xff000000u | channel(16) | channel(8) | channel(0);
    }

    void paintPinnedGap() {
        if (m_list.top == 0)
            return;
        for (int y = device(m_list.top - kPinnedGap); y < std::min(m_top, m_image.height()); ++y)
            std::fill_n(line(y), m_width, m_colors.pinnedGap);
    }

    QImage& m_image;
    const DrawList& m_list;
    const RowColors& m_colors;
    LabelCache& m_labels;
    int m_width, m_top;
    std::vector<QRgb> m_plain, m_shaded, m_line;
};

} // namespace

void paintRaster(QImage& image, const DrawList& list, const TickSet& ticks, const RowColors& colors,
                 LabelCache& labels) {
    Raster(image, list, ticks, colors, labels).paint();
}

} // namespace heteroscope::ui
