// SPDX-License-Identifier: GPL-3.0-or-later
// The names beside the rows: mouse and keyboard.
#include "ui/timeline/draw_list.h"
#include "ui/timeline/track_header.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>

namespace heteroscope::ui {

using profiling::kNoTrack;
using profiling::TrackId;

const Row* TrackHeader::rowAt(int y) const {
    const TrackLayout& layout = m_state->layout();
    const int top = scrollTop(layout);
    const bool pinned = y < top;
    const std::vector<Row>& rows = pinned ? layout.pinnedRows() : layout.rows();
    const int index = TrackLayout::rowAt(rows, pinned ? y : y - top + m_state->scrollY());
    return index < 0 ? nullptr : &rows[static_cast<std::size_t>(index)];
}

void TrackHeader::toggleCollapsed(TrackId track) {
    m_state->editLayout(
        [track](TrackLayout& layout) { layout.setCollapsed(track, !layout.isCollapsed(track)); });
}

void TrackHeader::togglePinned(TrackId track) {
    m_state->editLayout([track](TrackLayout& layout) { layout.setPinned(track, !layout.isPinned(track)); });
}

void TrackHeader::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const QPoint at = event->position().toPoint();
    const Row* row = rowAt(at.y());
    if (!row || event->button() != Qt::LeftButton)
        return;
    const TrackId track = row->track;
    const QRect area = areaOf(*row);
    setCurrentTrack(track);
    if (row->expandable && caretRect(*row, area).adjusted(-4, -4, 4, 4).contains(at))
        return toggleCollapsed(track);
    if (pinRect(area).adjusted(-4, -4, 4, 4).contains(at))
        return togglePinned(track);
    m_pressed = at;
    m_dragged = row->pinned ? kNoTrack : track;
}

void TrackHeader::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    const Row* row = rowAt(at.y());
    const TrackId hovered = row ? row->track : kNoTrack;
    if (hovered != m_hovered) {
        m_hovered = hovered;
        setToolTip(hovered == kNoTrack ? QString() : m_state->layout().path(hovered));
        update();
    }
    if (m_dragged == kNoTrack || !row || row->track == m_dragged)
        return;
    // Over a sibling: take its place.
    const TrackInfo* from = m_state->layout().track(m_dragged);
    const TrackInfo* to = m_state->layout().track(row->track);
    if (!from || !to || from->parent != to->parent)
        return;
    setCursor(Qt::ClosedHandCursor);
    const int by = at.y() > m_pressed.y() ? 1 : -1;
    const TrackId dragged = m_dragged;
    m_state->editLayout([&](TrackLayout& layout) { layout.move(dragged, by); });
    m_pressed = at;
}

void TrackHeader::mouseReleaseEvent(QMouseEvent*) {
    m_dragged = kNoTrack;
    unsetCursor();
}

void TrackHeader::mouseDoubleClickEvent(QMouseEvent* event) {
    const Row* row = rowAt(event->position().toPoint().y());
    if (row && row->expandable)
        toggleCollapsed(row->track);
}

void TrackHeader::leaveEvent(QEvent*) {
    m_hovered = kNoTrack;
    update();
}

void TrackHeader::wheelEvent(QWheelEvent* event) {
    m_state->setScrollY(m_state->scrollY() -
                        event->angleDelta().y() * 3 * m_state->layout().metrics().lane / 120);
    event->accept();
}

void TrackHeader::stepCurrent(int by) {
    std::vector<TrackId> order;
    for (const auto* rows : {&m_state->layout().pinnedRows(), &m_state->layout().rows()})
        for (const Row& row : *rows)
            order.push_back(row.track);
    if (order.empty())
        return;
    const auto at = std::find(order.begin(), order.end(), m_current);
    const auto index = at == order.end()
                           ? (by > 0 ? 0 : static_cast<std::ptrdiff_t>(order.size()) - 1)
                           : std::clamp<std::ptrdiff_t>(at - order.begin() + by, 0,
                                                        static_cast<std::ptrdiff_t>(order.size()) - 1);
    setCurrentTrack(order[static_cast<std::size_t>(index)]);
    m_state->revealTrack(m_current);
}

bool TrackHeader::actOnCurrent(QKeyEvent* event) {
    if (m_current == kNoTrack)
        return false;
    const TrackId track = m_current;
    const auto edit = [this](const std::function<void(TrackLayout&)>& change) {
        m_state->editLayout(change);
    };
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const bool collapse = event->key() == Qt::Key_Left;
        edit([=](TrackLayout& layout) { layout.setCollapsed(track, collapse); });
        return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        toggleCollapsed(track);
        return true;
    case Qt::Key_Space:
    case Qt::Key_P:
        togglePinned(track);
        return true;
    case Qt::Key_Delete:
        stepCurrent(1);
        edit([=](TrackLayout& layout) { layout.setHidden(track, true); });
        return true;
    default:
        return false;
    }
}

void TrackHeader::keyPressEvent(QKeyEvent* event) {
    const bool vertical = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    const int by = event->key() == Qt::Key_Up ? -1 : 1;
    if (vertical && (event->modifiers() & Qt::AltModifier)) {
        const TrackId track = m_current;
        m_state->editLayout([=](TrackLayout& layout) { layout.move(track, by); });
    } else if (vertical) {
        stepCurrent(by);
    } else if (!actOnCurrent(event)) {
        QWidget::keyPressEvent(event);
    }
}

} // namespace heteroscope::ui
