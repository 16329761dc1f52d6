// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the rows: ruler, range, selection, search hits, flows and notes.
#include "ui/timeline/overlay.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

/// Middle of a pixel, so that a line one pixel wide is crisp.
double crisp(double v) {
    return std::floor(v) + 0.5;
}

QFont smaller(QFont font, double by) {
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() - by);
    else
        font.setPixelSize(std::max(8, font.pixelSize() - static_cast<int>(by)));
    return font;
}

QColor translucent(QColor color, double alpha) {
    color.setAlphaF(alpha);
    return color;
}

} // namespace

std::optional<QRectF> spanRect(const TimelineState& state, profiling::SpanRef reference) {
    const profiling::SpanRef ref = state.trace() ? state.trace()->locate(reference) : profiling::SpanRef{};
    const auto span = ref.valid() ? state.trace()->span(ref) : std::nullopt;
    const TrackLayout& layout = state.layout();
    bool pinned = false;
    const Row* row = span ? layout.rowOf(ref.track, &pinned) : nullptr;
    if (!row)
        return std::nullopt;
    const int offset = pinned ? 0 : scrollTop(layout) - state.scrollY();
    const bool exact = row->track == ref.track && ref.lane < row->lanes;
    const double y = exact ? layout.laneTop(*row, ref.lane) : row->y + 1;
    const double height = exact ? layout.laneBarHeight() : row->height - 2;
    constexpr double kFar = 1e5; // painting engines dislike coordinates far outside
    const double left = std::max(-kFar, state.axis().toPixel(span->startNs));
    const double right = std::min(kFar, state.axis().toPixel(span->startNs + span->durationNs));
    return QRectF(left, y + offset, std::max(1.0, right - left), height);
}

Overlay::Overlay(QPainter& painter, const TimelineState& state, const ThemeColors& colors, const QFont& font,
                 double height)
    : m_painter(painter), m_state(state), m_colors(colors), m_font(font), m_height(height) {}

void Overlay::clipToRows(bool pinned) const {
    const double top = pinned ? 0.0 : scrollTop(m_state.layout());
    m_painter.setClipRect(QRectF(0.0, top, width(), std::max(0.0, m_height - top)), Qt::IntersectClip);
}

void Overlay::paintRuler(const TickSet& ticks) const {
    const QFont font = smaller(m_font, 0.5);
    const QFontMetricsF metrics(font);
    m_painter.fillRect(QRectF(0.0, -kRulerHeight, width(), kRulerHeight), m_colors.raised);
    m_painter.setFont(font);
    const double baseline = -kRulerHeight + kNoteStrip + metrics.ascent() + 1.0;
    for (const TimeTick& tick : ticks.ticks) {
        const double at = crisp(x(tick.ns));
        m_painter.setPen(QPen(m_colors.mutedText, 1.0));
        m_painter.drawLine(QPointF(at, tick.major ? -9.0 : -5.0), QPointF(at, -1.0));
        const double half = metrics.horizontalAdvance(tick.label) / 2.0;
        if (!tick.major || at - half < 2.0 || at + half > width() - 2.0)
            continue;
        m_painter.setPen(m_colors.text);
        m_painter.drawText(QPointF(at - half, baseline), tick.label);
    }
    if (!ticks.base.isEmpty()) {
        m_painter.setPen(m_colors.mutedText);
        m_painter.drawText(QPointF(6.0, -kRulerHeight + metrics.ascent() + 2.0),
                           ticks.base + QStringLiteral(" +"));
    }
    m_painter.setPen(QPen(m_colors.border, 1.0));
    m_painter.drawLine(QPointF(0.0, -0.5), QPointF(width(), -0.5));
}

void Overlay::paintRange() const {
    if (!m_state.range())
        return;
    const double left = std::clamp(x(m_state.range()->startNs), -2.0, width() + 2.0);
    const double right = std::clamp(x(m_state.range()->endNs), -2.0, width() + 2.0);
    const QColor veil = translucent(m_colors.window, 0.5);
    m_painter.fillRect(QRectF(0.0, 0.0, left, m_height), veil);
    m_painter.fillRect(QRectF(right, 0.0, width() - right, m_height), veil);
    m_painter.fillRect(QRectF(left, -12.0, right - left, 11.0), translucent(m_colors.accent, 0.35));
    m_painter.setPen(QPen(m_colors.accent, 1.0));
    for (const double at : {left, right})
        m_painter.drawLine(QPointF(crisp(at), -12.0), QPointF(crisp(at), m_height));
    const QString text = formatDuration(m_state.range()->lengthNs());
    const QFontMetricsF metrics(m_font);
    const double textWidth = metrics.horizontalAdvance(text) + 10.0;
    const double middle = std::clamp((left + right) / 2.0, textWidth / 2.0,
                                     std::max(textWidth / 2.0, width() - textWidth / 2.0));
    const QRectF chip(middle - textWidth / 2.0, -kRulerHeight + 1.0, textWidth, kNoteStrip - 2.0);
    m_painter.fillRect(chip, m_colors.accent);
    m_painter.setFont(m_font);
    m_painter.setPen(m_colors.accentText);
    m_painter.drawText(chip, Qt::AlignCenter, text);
}

void Overlay::paintNotes() const {
    const QFont font = smaller(m_font, 0.5);
    const QFontMetricsF metrics(font);
    m_painter.setFont(font);
    for (const Note& note : m_state.notes()) {
        const double at = crisp(x(note.timeNs));
        if (at < -200.0 || at > width())
            continue;
        m_painter.setPen(QPen(m_colors.warning, 1.0));
        m_painter.drawLine(QPointF(at, -kRulerHeight + 2.0), QPointF(at, m_height));
        const QString text = metrics.elidedText(note.text, Qt::ElideRight, 180.0);
        const QRectF flag(at, -kRulerHeight + 2.0, metrics.horizontalAdvance(text) + 10.0, kNoteStrip - 3.0);
        m_painter.fillRect(flag, m_colors.warning);
        m_painter.setPen(m_colors.warning.lightnessF() > 0.5 ? QColor(16, 18, 22) : QColor(Qt::white));
        m_painter.drawText(flag.adjusted(5, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    }
}

void Overlay::paintHits() const {
    constexpr std::size_t kMostMarks = 4000; // beyond, the fading of the other spans shows where hits are
    const auto& hits = m_state.hits();
    if (hits.empty() || hits.size() > kMostMarks)
        return;
    const QColor mark = m_colors.warning;
    for (const profiling::SpanRef ref : hits) {
        const auto rect = spanRect(m_state, ref);
        if (!rect || rect->right() < 0.0 || rect->left() > width() || rect->bottom() < 0.0 ||
            rect->top() > m_height)
            continue;
        m_painter.save();
        clipToRows(m_state.layout().isPinned(ref.track));
        m_painter.fillRect(QRectF(rect->left(), rect->top() - 1.0, std::max(2.0, rect->width()), 2.0), mark);
        m_painter.restore();
    }
}

void Overlay::paintFlow(const profiling::Flow& flow) const {
    const auto from = spanRect(m_state, flow.from);
    const auto to = spanRect(m_state, flow.to);
    if (!from || !to)
        return;
    // From where the launch ends to where the work starts; when it starts earlier, straight down from there.
    const QPointF end(to->left(), to->center().y());
    const bool inside = to->left() >= from->left() && to->left() < from->right();
    const bool below = to->center().y() > from->center().y();
    const QPointF start(inside                      ? to->left()
                        : to->left() < from->left() ? from->left()
                                                    : from->right(),
                        !inside ? from->center().y()
                        : below ? from->bottom()
                                : from->top());
    const double bend = std::clamp(std::abs(end.x() - start.x()) / 2.0, 18.0, 120.0);
    const QPointF leave = inside ? QPointF(-bend / 2.0, (end.y() - start.y()) / 2.0) : QPointF(bend, 0.0);
    QPainterPath path(start);
    path.cubicTo(start + leave, end - QPointF(bend, 0.0), end);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_colors.surface, 4.0));
    m_painter.drawPath(path);
    m_painter.setPen(QPen(m_colors.accent, 1.6));
    m_painter.drawPath(path);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_colors.accent);
    m_painter.drawPolygon(QPolygonF({end, end + QPointF(-8.0, -4.0), end + QPointF(-8.0, 4.0)}));
    m_painter.drawEllipse(start, 2.5, 2.5);
}

void Overlay::paintFlows() const {
    if (!m_state.selected().valid() || !m_state.trace())
        return;
    m_painter.save();
    m_painter.setClipRect(QRectF(0.0, 0.0, width(), m_height), Qt::IntersectClip);
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (const profiling::Flow& flow : m_state.trace()->flowsOf(m_state.selected()))
        paintFlow(flow);
    m_painter.restore();
}

void Overlay::paintSelection() const {
    const auto rect = m_state.selected().valid() ? spanRect(m_state, m_state.selected()) : std::nullopt;
    if (!rect)
        return;
    m_painter.save();
    clipToRows(m_state.layout().isPinned(m_state.selected().track));
    m_painter.setBrush(Qt::NoBrush);
    constexpr double kThin = 6.0; // the frame stands around a thin span, so that its colour stays visible
    const double grow = rect->width() < kThin ? 3.0 : 0.0;
    const QRectF outline = QRectF(std::floor(rect->left()), rect->top(),
                                  std::max(2.0, std::round(rect->width())), rect->height())
                               .adjusted(-grow, 0.0, grow, 0.0);
    m_painter.setPen(QPen(m_colors.surface, 4.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    m_painter.drawRect(outline.adjusted(0.0, 0.0, -1.0, 0.0));
    m_painter.setPen(QPen(m_colors.text, 2.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    m_painter.drawRect(outline.adjusted(0.0, 0.0, -1.0, 0.0));
    m_painter.restore();
}

void Overlay::paintCounterScales(const DrawList& list) const {
    const QFont font = smaller(m_font, 1.0);
    const QFontMetricsF metrics(font);
    for (const CounterSlice& slice : list.counters) {
        const TrackInfo* info = m_state.layout().track(slice.track);
        if (slice.activity || !info || slice.count == 0)
            continue;
        m_painter.save();
        clipToRows(slice.pinned);
        m_painter.setFont(font);
        const QString text = formatValue(slice.high, info->unit);
        const QRectF box(3.0, slice.y - 1.0, metrics.horizontalAdvance(text) + 6.0, metrics.height());
        m_painter.fillRect(box, translucent(m_colors.surface, 0.75));
        m_painter.setPen(m_colors.mutedText);
        m_painter.drawText(box, Qt::AlignCenter, text);
        m_painter.restore();
    }
}

void Overlay::paintCursor(std::int64_t ns) const {
    const double at = crisp(x(ns));
    m_painter.setPen(QPen(translucent(m_colors.text, 0.45), 1.0, Qt::DashLine));
    m_painter.drawLine(QPointF(at, 0.0), QPointF(at, m_height));
    const QFont font = smaller(m_font, 0.5);
    const QFontMetricsF metrics(font);
    const QString text = formatTime(ns - m_state.axis().limitStartNs(), m_state.axis().nsPerPixel());
    const double textWidth = metrics.horizontalAdvance(text) + 8.0;
    const double left = std::clamp(at - textWidth / 2.0, 0.0, std::max(0.0, width() - textWidth));
    const QRectF box(left, -kRulerHeight + kNoteStrip, textWidth, metrics.height() + 2.0);
    m_painter.fillRect(box, m_colors.surface);
    m_painter.setPen(QPen(m_colors.border, 1.0));
    m_painter.drawRect(box);
    m_painter.setFont(font);
    m_painter.setPen(m_colors.text);
    m_painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace heteroscope::ui
