// SPDX-License-Identifier: GPL-3.0-or-later
// The whole recording in one strip with the visible window as a frame that can be dragged.
#include "ui/timeline/minimap.h"

#include "ui/common/theme.h"
#include "ui/timeline/raster_painter.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {
constexpr double kEdge = 5.0; // pixels beside the frame's edges that take hold of them
constexpr int kRebuildMs = 250;
constexpr std::size_t kMostMarks = 5000;
} // namespace

Minimap::Minimap(TimelineState* state, QWidget* parent) : QWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Overview of the whole recording"));
    setToolTip(tr("Drag the frame to move, its edges to zoom; drag elsewhere to choose a new window."));
    setMouseTracking(true);
    setFixedHeight(sizeHint().height());
    m_rebuild.setSingleShot(true);
    m_rebuild.setInterval(kRebuildMs);
    const auto refresh = [this] {
        m_stale = true;
        update();
    };
    const auto recolor = [this, refresh] {
        m_palette.reset();
        refresh();
    };
    connect(&m_rebuild, &QTimer::timeout, this, refresh);
    connect(state, &TimelineState::traceChanged, this, recolor);
    connect(&Theme::instance(), &Theme::changed, this, recolor);
    connect(state, &TimelineState::dataChanged, this, [this] {
        if (!m_rebuild.isActive())
            m_rebuild.start();
    });
    connect(state, &TimelineState::rowsChanged, this, [this] {
        const TrackLayout& layout = m_state->layout(); // scrolling changes nothing of it
        if (m_version != layout.version() && m_order != layout.tracksInOrder()) {
            m_stale = true;
            update();
        }
        m_version = layout.version();
    });
    for (const auto signal : {&TimelineState::viewChanged, &TimelineState::rangeChanged,
                              &TimelineState::searchChanged, &TimelineState::notesChanged})
        connect(state, signal, this, [this] { update(); });
}

void Minimap::resizeEvent(QResizeEvent*) {
    m_stale = true;
}

void Minimap::rebuild() {
    m_stale = false;
    const double ratio = devicePixelRatioF();
    m_image = QImage(size() * ratio, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(ratio);
    m_image.fill(rowColors(Theme::instance().isDark()).background);
    if (m_state->isEmpty())
        return;
    m_whole = TimeAxis();
    m_whole.setWidth(m_image.width());
    m_whole.setLimits(m_state->trace()->startNs(), m_state->trace()->endNs());
    m_whole.fit();
    paintStripes(m_whole);
    m_whole.setWidth(width());
    m_whole.fit();
}

/// One stripe a track (several share one when there are more tracks than room), in the order and the colours
/// of the rows.
void Minimap::paintStripes(const TimeAxis& whole) {
    const profiling::Trace& trace = *m_state->trace();
    if (!m_palette)
        m_palette = std::make_unique<SpanPalette>(trace, Theme::instance().isDark());
    const TrackLayout& layout = m_state->layout();
    m_order = layout.tracksInOrder();
    std::vector<profiling::TrackId> tracks = m_order;
    std::erase_if(tracks, [&](profiling::TrackId id) {
        const TrackInfo* info = layout.track(id);
        return info->kind == profiling::TrackKind::Counter || info->lanes == 0 || trace.spanCount(id) == 0;
    });
    const QRgb background = rowColors(Theme::instance().isDark()).background;
    const double height = m_image.height() - 2.0;
    const double stripe =
        tracks.empty() ? height : std::min(height / static_cast<double>(tracks.size()), 14.0);
    const double above = 1.0 + (height - stripe * static_cast<double>(tracks.size())) / 2.0;
    std::vector<profiling::DrawSpan> spans;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        spans.clear();
        trace.query(tracks[i], 0, whole.startNs(), whole.endNs() + 1, whole.nsPerPixel(), spans);
        const int top = static_cast<int>(above + stripe * static_cast<double>(i));
        const int gap = stripe >= 4.0 ? 1 : 0;
        const int bottom =
            std::max(top + 1, static_cast<int>(above + stripe * static_cast<double>(i + 1)) - gap);
        for (const profiling::DrawSpan& span : spans) {
            const PixelExtent extent = spanExtent(whole, 1.0, span);
            const double length = static_cast<double>(std::max<std::int64_t>(1, span.endNs - span.startNs));
            const double busy = std::min(1.0, static_cast<double>(span.busyNs) / length);
            const QRgb color =
                blend(m_palette->color(span.category, span.name), background, 0.35 + 0.6 * busy);
            const int left = std::max(0, extent.left), right = std::min(m_image.width(), extent.right);
            for (int y = top; y < std::min(bottom, m_image.height()) && left < right; ++y)
                std::fill(reinterpret_cast<QRgb*>(m_image.scanLine(y)) + left,
                          reinterpret_cast<QRgb*>(m_image.scanLine(y)) + right, color);
        }
    }
}

QRectF Minimap::frame() const {
    const double left = std::clamp(m_whole.toPixel(m_state->axis().startNs()), 0.0, double(width()));
    const double right = std::clamp(m_whole.toPixel(m_state->axis().endNs()), 0.0, double(width()));
    constexpr double kNarrowest = 6.0;
    const double spare = std::max(0.0, kNarrowest - (right - left)) / 2.0;
    return QRectF(left - spare, 0.0, right - left + 2.0 * spare, height());
}

void Minimap::paintEvent(QPaintEvent*) {
    if (m_stale || m_image.devicePixelRatio() != devicePixelRatioF())
        rebuild();
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_image);
    if (!m_state->isEmpty()) {
        const QRectF window = frame();
        QColor veil = colors.window;
        veil.setAlphaF(0.62f);
        painter.fillRect(QRectF(0, 0, window.left(), height()), veil);
        painter.fillRect(QRectF(window.right(), 0, width() - window.right(), height()), veil);
        QColor mark = colors.accent;
        mark.setAlphaF(0.35f);
        if (const auto& range = m_state->range()) {
            const double left = m_whole.toPixel(range->startNs);
            painter.fillRect(QRectF(left, 0, std::max(2.0, m_whole.toPixel(range->endNs) - left), height()),
                             mark);
        }
        const auto& hits = m_state->hits();
        const std::size_t step = hits.size() / kMostMarks + 1;
        for (std::size_t i = 0; i < hits.size(); i += step)
            if (const auto span = m_state->trace()->span(hits[i]))
                painter.fillRect(QRectF(std::floor(m_whole.toPixel(span->startNs)), height() - 6, 1, 5),
                                 colors.warning);
        for (const Note& note : m_state->notes())
            painter.fillRect(QRectF(std::floor(m_whole.toPixel(note.timeNs)), 0, 2, height()),
                             colors.warning);
        painter.setPen(QPen(colors.accent, 1.5));
        painter.drawRoundedRect(window.adjusted(1, 1, -1, -1), 2, 2);
    }
    painter.setPen(colors.border);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

Minimap::Drag Minimap::partAt(double x) const {
    const QRectF window = frame();
    if (std::abs(x - window.left()) < kEdge)
        return Drag::Left;
    if (std::abs(x - window.right()) < kEdge)
        return Drag::Right;
    const bool whole = m_state->axis().rangeNs() >= 0.98 * m_whole.rangeNs();
    return window.left() < x && x < window.right() && !whole ? Drag::Move : Drag::New;
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_state->isEmpty())
        return;
    m_pressed = event->position().x();
    m_drag = partAt(m_pressed);
    m_grabbed = m_pressed - frame().left();
}

void Minimap::dragTo(double x) {
    const TimeAxis& axis = m_state->axis();
    const std::int64_t ns = m_whole.toNs(x);
    if (m_drag == Drag::Move)
        m_state->panBy(axis.toPixel(m_whole.toNs(x - m_grabbed)));
    else if (m_drag == Drag::Left && ns < axis.endNs())
        m_state->showRange({ns, axis.endNs()});
    else if (m_drag == Drag::Right && ns > axis.startNs())
        m_state->showRange({axis.startNs(), ns});
    else if (m_drag == Drag::New && std::abs(x - m_pressed) > 3.0)
        m_state->showRange({std::min(m_whole.toNs(m_pressed), ns), std::max(m_whole.toNs(m_pressed), ns)});
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (m_drag != Drag::None)
        return dragTo(x);
    const Drag part = partAt(x);
    setCursor(part == Drag::Move  ? Qt::OpenHandCursor
              : part == Drag::New ? Qt::CrossCursor
                                  : Qt::SizeHorCursor);
}

void Minimap::mouseReleaseEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (m_drag == Drag::New && std::abs(x - m_pressed) <= 3.0) // a click centres the window there
        m_state->panBy(m_state->axis().toPixel(m_whole.toNs(x)) - m_state->axis().width() / 2.0);
    m_drag = Drag::None;
}

void Minimap::wheelEvent(QWheelEvent* event) {
    if (m_state->isEmpty())
        return;
    const double at = m_state->axis().toPixel(m_whole.toNs(event->position().x()));
    m_state->zoomAt(std::clamp(at, 0.0, m_state->axis().width()),
                    std::pow(1.25, event->angleDelta().y() / 120.0));
    event->accept();
}

} // namespace heteroscope::ui

#include "moc_minimap.cpp"
