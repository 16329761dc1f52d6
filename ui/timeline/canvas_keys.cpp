// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard on a timeline: everything the mouse does can be done without it.
#include "ui/timeline/overlay.h"
#include "ui/timeline/timeline_canvas.h"

#include <QKeyEvent>

namespace heteroscope::ui {

namespace {
constexpr double kStep = 0.12; // of the width, a pan by key
constexpr double kZoom = 1.35;
constexpr double kFine = 0.25; // with Shift
} // namespace

bool TimelineCanvas::event(QEvent* event) {
    // Tab walks along the spans while one is selected; Esc lets go of it, and Tab leaves the timeline again.
    if (event->type() == QEvent::KeyPress && m_state->selected().valid()) {
        const auto* press = static_cast<QKeyEvent*>(event);
        if (press->key() == Qt::Key_Tab || press->key() == Qt::Key_Backtab) {
            m_state->selectNeighbour(press->key() == Qt::Key_Tab);
            return true;
        }
    }
    return QWidget::event(event);
}

/// Zooms at the mouse when it is over the rows, else at the selected span, else in the middle.
double TimelineCanvas::zoomPixel() const {
    if (m_mouse)
        return m_mouse->x();
    if (const auto span = m_state->selectedSpan()) {
        const double x = m_state->axis().toPixel(span->startNs + span->durationNs / 2);
        if (x >= 0.0 && x <= width())
            return x;
    }
    return width() / 2.0;
}

std::int64_t TimelineCanvas::noteTime() const {
    if (m_state->hoverNs())
        return *m_state->hoverNs();
    if (const auto span = m_state->selectedSpan())
        return span->startNs;
    return m_state->axis().toNs(width() / 2.0);
}

void TimelineCanvas::cancelOne() {
    if (m_state->range())
        m_state->setRange(std::nullopt);
    else if (m_state->selected().valid())
        m_state->select({}, false);
    else if (!m_state->searchText().isEmpty())
        emit searchRequested(QString());
}

bool TimelineCanvas::navigate(QKeyEvent* event) {
    const double scale = event->modifiers() & Qt::ShiftModifier ? kFine : 1.0;
    const int page = m_state->viewHeight() - scrollTop(m_state->layout()) - m_state->layout().metrics().lane;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_state->zoomAt(zoomPixel(), 1.0 + (kZoom - 1.0) * scale);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_state->zoomAt(zoomPixel(), 1.0 / (1.0 + (kZoom - 1.0) * scale));
        return true;
    case Qt::Key_A:
    case Qt::Key_Left:
        m_state->panBy(-width() * kStep * scale);
        return true;
    case Qt::Key_D:
    case Qt::Key_Right:
        m_state->panBy(width() * kStep * scale);
        return true;
    case Qt::Key_PageUp:
        m_state->setScrollY(m_state->scrollY() - page);
        return true;
    case Qt::Key_PageDown:
        m_state->setScrollY(m_state->scrollY() + page);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int by = event->key() == Qt::Key_Up ? -1 : 1;
        if (m_state->selected().valid())
            m_state->selectVertically(by);
        else
            m_state->setScrollY(m_state->scrollY() + by * 2 * m_state->layout().metrics().lane);
        return true;
    }
    default:
        return false;
    }
}

bool TimelineCanvas::act(QKeyEvent* event) {
    const auto span = m_state->selectedSpan();
    switch (event->key()) {
    case Qt::Key_F:
        m_state->fitSelection();
        return true;
    case Qt::Key_Home:
    case Qt::Key_0:
        m_state->fitAll();
        return true;
    case Qt::Key_End:
        m_state->setFollowing(true);
        return true;
    case Qt::Key_Period:
    case Qt::Key_Comma:
        m_state->selectNeighbour(event->key() == Qt::Key_Period);
        return true;
    case Qt::Key_M:
        if (span)
            m_state->setRange(TimeRange{span->startNs, span->startNs + span->durationNs});
        return true;
    case Qt::Key_N:
        editNote(noteTime());
        return true;
    case Qt::Key_P:
        if (span)
            m_state->editLayout(
                [&](TrackLayout& layout) { layout.setPinned(span->track, !layout.isPinned(span->track)); });
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_state->selected().valid())
            m_state->selectNeighbour(true);
        emit spanActivated();
        return true;
    case Qt::Key_Escape:
        cancelOne();
        return true;
    default:
        return false;
    }
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (m_state->trace() && plain && (navigate(event) || act(event)))
        return event->accept();
    QWidget::keyPressEvent(event);
}

} // namespace heteroscope::ui
