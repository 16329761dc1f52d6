// SPDX-License-Identifier: GPL-3.0-or-later
// The names beside the rows: painting and menu.
#include "ui/timeline/track_header.h"

#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/timeline/draw_list.h"
#include "ui/timeline/raster_painter.h"
#include "ui/timeline/time_format.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace heteroscope::ui {

using profiling::kNoTrack;
using profiling::TrackId;
using profiling::TrackKind;

namespace {
constexpr int kIndent = 14;
constexpr int kCaret = 16;
constexpr int kPin = 16;
} // namespace

TrackHeader::TrackHeader(TimelineState* state, QWidget* parent) : QWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("trackHeader"));
    setAccessibleName(tr("Tracks"));
    setAccessibleDescription(
        tr("Up and Down choose a track, Left and Right collapse and expand it, Space pins it, "
           "Alt with Up or Down moves it, Delete hides it."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    const auto repaintSoon = [this] { update(); };
    connect(state, &TimelineState::traceChanged, this,
            [this] { m_current = m_hovered = m_dragged = kNoTrack; });
    connect(state, &TimelineState::rowsChanged, this, repaintSoon);
    connect(state, &TimelineState::selectionChanged, this, [this] {
        if (m_state->selected().valid())
            setCurrentTrack(m_state->selected().track);
    });
    connect(&Theme::instance(), &Theme::changed, this, repaintSoon);
}

void TrackHeader::setCurrentTrack(TrackId track) {
    m_current = track;
    update();
}

QRect TrackHeader::areaOf(const Row& row) const {
    const int offset = row.pinned ? 0 : scrollTop(m_state->layout()) - m_state->scrollY();
    return {0, row.y + offset, width(), row.height};
}

QRect TrackHeader::caretRect(const Row& row, const QRect& area) const {
    const int line = std::min(area.height(), m_state->layout().metrics().group);
    return {4 + row.level * kIndent, area.top() + (line - kCaret) / 2, kCaret, kCaret};
}

QRect TrackHeader::pinRect(const QRect& area) const {
    const int line = std::min(area.height(), m_state->layout().metrics().group);
    return {area.right() - kPin - 5, area.top() + (line - kPin) / 2, kPin, kPin};
}

void TrackHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.surface);
    const TrackLayout& layout = m_state->layout();
    const int top = scrollTop(layout);
    paintSection(painter, layout.rows(), top - m_state->scrollY(), top);
    if (top > 0) {
        painter.setClipping(false);
        painter.fillRect(QRect(0, 0, width(), top), colors.surface);
        paintSection(painter, layout.pinnedRows(), 0, 0);
        painter.setClipping(false);
        painter.fillRect(QRect(0, top - kPinnedGap, width(), kPinnedGap), colors.border);
    }
    painter.setClipping(false);
    painter.setPen(colors.border);
    painter.drawLine(width() - 1, 0, width() - 1, height());
}

void TrackHeader::paintSection(QPainter& painter, const std::vector<Row>& rows, int offset,
                               int clipTop) const {
    painter.setClipRect(QRect(0, clipTop, width(), height() - clipTop));
    for (const Row& row : rows) {
        const QRect area(0, row.y + offset, width(), row.height);
        if (area.bottom() >= clipTop && area.top() < height())
            paintRow(painter, row, area);
    }
}

QString TrackHeader::peakText(const TrackInfo& info) const {
    const auto trace = m_state->trace();
    std::vector<profiling::CounterBin> bins;
    if (trace)
        trace->queryCounter(info.id, trace->startNs(), trace->endNs() + 1,
                            double(trace->endNs() - trace->startNs() + 1), bins);
    double peak = 0.0;
    for (const profiling::CounterBin& bin : bins)
        peak = std::max({peak, bin.max, -bin.min});
    return bins.empty() ? QString() : tr("peak %1").arg(formatValue(peak, info.unit));
}

void TrackHeader::paintCaret(QPainter& painter, const Row& row, const QRect& area) const {
    const QPointF center = QRectF(caretRect(row, area)).center();
    const QPolygonF down({{-4, -2}, {4, -2}, {0, 3}}), right({{-2, -4}, {3, 0}, {-2, 4}});
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().colors().mutedText);
    painter.drawPolygon((row.collapsed ? right : down).translated(center));
    painter.restore();
}

void TrackHeader::paintRow(QPainter& painter, const Row& row, const QRect& area) const {
    const ThemeColors& colors = Theme::instance().colors();
    const TrackInfo* info = m_state->layout().track(row.track);
    const RowColors rows = rowColors(Theme::instance().isDark());
    const bool group = info->kind == TrackKind::Group || !m_state->layout().children(row.track).empty();
    if (row.track == m_current && hasFocus())
        painter.fillRect(area, colors.selection);
    else if (row.track == m_hovered || row.track == m_current)
        painter.fillRect(area, colors.hover);
    else if (row.lanes == 0 && group)
        painter.fillRect(area, QColor(rows.group));
    if (row.expandable)
        paintCaret(painter, row, area);
    const bool pin = row.pinned || row.track == m_hovered;
    if (pin)
        icon(QStringLiteral("pin"), row.pinned ? IconTone::Accent : IconTone::Muted)
            .paint(&painter, pinRect(area));
    QFont font = painter.font();
    font.setWeight(group && row.level == 0 ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(info->kind == TrackKind::Overhead ? colors.mutedText : colors.text);
    const int left = caretRect(row, area).right() + 4;
    const int line = std::min(area.height(), m_state->layout().metrics().group);
    const QRect text(left, area.top(), (pin ? pinRect(area).left() : area.right()) - left - 6, line);
    const QString name = info->name.isEmpty() ? tr("Track %1").arg(info->id) : info->name;
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(name, Qt::ElideMiddle, text.width()));
    if (info->kind == TrackKind::Counter && !info->unit.isEmpty() && area.height() > line + 12) {
        painter.setPen(colors.mutedText);
        painter.drawText(QRect(left, area.top() + line - 4, text.width(), line),
                         Qt::AlignVCenter | Qt::AlignLeft, peakText(*info));
    }
    painter.setPen(QColor(rows.border));
    painter.drawLine(area.left(), area.bottom(), area.right(), area.bottom());
}

void TrackHeader::fillMenu(QMenu& menu, TrackId track) {
    const TrackLayout& layout = m_state->layout();
    const auto edit = [this](const std::function<void(TrackLayout&)>& change) {
        return [this, change] { m_state->editLayout(change); };
    };
    if (track != kNoTrack) {
        const bool pinned = layout.isPinned(track);
        menu.addAction(pinned ? tr("Unpin") : tr("Pin to the top"),
                       edit([=](TrackLayout& l) { l.setPinned(track, !pinned); }));
        menu.addAction(tr("Hide"), edit([=](TrackLayout& l) { l.setHidden(track, true); }));
        menu.addAction(tr("Move up"), edit([=](TrackLayout& l) { l.move(track, -1); }));
        menu.addAction(tr("Move down"), edit([=](TrackLayout& l) { l.move(track, 1); }));
        menu.addSeparator();
    }
    menu.addAction(tr("Collapse all"), edit([](TrackLayout& l) { l.setAllCollapsed(true); }));
    menu.addAction(tr("Expand all"), edit([](TrackLayout& l) { l.setAllCollapsed(false); }));
    QAction* all = menu.addAction(tr("Show hidden tracks"), edit([](TrackLayout& l) { l.showAll(); }));
    all->setEnabled(layout.hasHidden());
}

void TrackHeader::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const Row* row = byKey ? nullptr : rowAt(event->y());
    QMenu menu(this);
    fillMenu(menu, row ? row->track : byKey ? m_current : kNoTrack);
    menu.exec(event->globalPos());
}

} // namespace heteroscope::ui

#include "moc_track_header.cpp"
