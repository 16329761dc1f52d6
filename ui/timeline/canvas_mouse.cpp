// SPDX-License-Identifier: GPL-3.0-or-later
// The mouse on a timeline: zoom at the cursor, drag to pan, select spans and ranges, tips and menus.
#include "compute/base/cell_table.h"
#include "ui/common/format.h"
#include "ui/timeline/overlay.h"
#include "ui/timeline/timeline_canvas.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace heteroscope::ui {

namespace {
constexpr double kGrab = 5.0; // pixels beside a range's edge that take hold of it
constexpr double kNotch = 120.0;
} // namespace

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    const Qt::KeyboardModifiers keys = event->modifiers();
    const double notches = (turn.y() != 0 ? turn.y() : turn.x()) / kNotch;
    if (keys & Qt::ControlModifier)
        m_state->setScrollY(m_state->scrollY() -
                            static_cast<int>(notches * 3 * m_state->layout().metrics().lane));
    else if ((keys & Qt::ShiftModifier) || turn.y() == 0)
        m_state->panBy(-notches * width() * 0.1);
    else
        m_state->zoomAt(event->position().x(), std::pow(1.25, notches));
    event->accept();
}

TimelineCanvas::Drag TimelineCanvas::rangeEdgeAt(double x) const {
    if (!m_state->range())
        return Drag::None;
    if (std::abs(x - m_state->axis().toPixel(m_state->range()->startNs)) < kGrab)
        return Drag::RangeStart;
    return std::abs(x - m_state->axis().toPixel(m_state->range()->endNs)) < kGrab ? Drag::RangeEnd
                                                                                  : Drag::None;
}

void TimelineCanvas::beginDrag(QMouseEvent* event) {
    const QPointF at = event->position();
    m_pressed = m_last = at;
    m_pressedNs = m_state->axis().toNs(at.x());
    const bool ruler = at.y() < kRulerHeight;
    if (event->button() == Qt::MiddleButton)
        m_drag = Drag::Pan;
    else if (event->modifiers() & Qt::ShiftModifier)
        m_drag = Drag::Range;
    else if (ruler)
        m_drag = rangeEdgeAt(at.x()) != Drag::None ? rangeEdgeAt(at.x()) : Drag::Range;
    else
        m_drag = Drag::Press;
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    if (!m_state->trace() || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton))
        return QWidget::mousePressEvent(event);
    setFocus(Qt::MouseFocusReason);
    beginDrag(event);
}

void TimelineCanvas::dragTo(const QPointF& at) {
    const std::int64_t ns = m_state->axis().toNs(at.x());
    const auto& range = m_state->range();
    switch (m_drag) {
    case Drag::None:
        break;
    case Drag::Press:
        if ((at - m_pressed).manhattanLength() < QApplication::startDragDistance() / 2.0)
            break;
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
        [[fallthrough]];
    case Drag::Pan:
        if (at.x() != m_last.x())
            m_state->panBy(m_last.x() - at.x());
        m_state->setScrollY(m_state->scrollY() + static_cast<int>(std::lround(m_last.y() - at.y())));
        m_last = at;
        break;
    case Drag::Range:
        if (std::abs(at.x() - m_pressed.x()) >= 2.0)
            m_state->setRange(TimeRange{m_pressedNs, ns});
        break;
    case Drag::RangeStart:
        m_state->setRange(TimeRange{std::min(ns, range->endNs), range->endNs});
        break;
    case Drag::RangeEnd:
        m_state->setRange(TimeRange{range->startNs, std::max(ns, range->startNs)});
        break;
    }
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!m_state->trace())
        return;
    const QPointF at = event->position();
    m_mouse = at;
    if (m_drag != Drag::None) {
        QToolTip::hideText();
        dragTo(at);
    } else {
        showTip(at, event->globalPosition().toPoint());
        updateCursor(at, event->modifiers());
    }
    m_state->setHover(m_state->axis().toNs(at.x()));
}

void TimelineCanvas::updateCursor(const QPointF& at, Qt::KeyboardModifiers modifiers) {
    if (at.y() < kRulerHeight)
        setCursor(rangeEdgeAt(at.x()) != Drag::None ? Qt::SizeHorCursor : Qt::IBeamCursor);
    else
        setCursor(modifiers & Qt::ShiftModifier ? Qt::IBeamCursor : Qt::ArrowCursor);
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    updateCursor(event->position(), event->modifiers());
    if (drag == Drag::Press) {
        const Hit hit = hitAt(event->position());
        m_state->select(hit.span ? hit.span->longest : profiling::SpanRef{}, false);
    } else if (drag == Drag::Range && std::abs(event->position().x() - m_pressed.x()) < 2.0) {
        m_state->setRange(std::nullopt); // a click in the ruler takes the range away
    }
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    m_drag = Drag::None;
    if (!m_state->trace() || event->button() != Qt::LeftButton)
        return;
    if (event->position().y() < kNoteStrip) {
        for (const Note& note : m_state->notes()) {
            const double offset = event->position().x() - m_state->axis().toPixel(note.timeNs);
            if (offset >= -2.0 && offset < 60.0)
                return editNote(note.timeNs);
        }
        return editNote(m_state->axis().toNs(event->position().x()));
    }
    const Hit hit = hitAt(event->position());
    if (hit.span)
        m_state->zoomToSpan(hit.span->longest);
}

void TimelineCanvas::leaveEvent(QEvent*) {
    m_mouse.reset();
    m_state->setHover(std::nullopt);
}

QString TimelineCanvas::tipFor(const Hit& hit) const {
    const profiling::Trace& trace = *m_state->trace();
    const QString track = m_state->layout().path(hit.track).toHtmlEscaped();
    const TrackInfo* info = m_state->layout().track(hit.track);
    if (hit.counter && hit.activity)
        return tr("<b>%1</b><br>%2 % of the tracks inside are busy")
            .arg(track)
            .arg(hit.counter->max * 100.0, 0, 'f', 0);
    if (hit.counter) {
        const QString value = formatValue(hit.counter->last, info ? info->unit : QString());
        QString text = tr("<b>%1</b><br>%2").arg(track, value.toHtmlEscaped());
        if (hit.counter->count > 1)
            text += tr("<br>%1 samples in this pixel, %2 to %3")
                        .arg(hit.counter->count)
                        .arg(formatValue(hit.counter->min, info->unit),
                             formatValue(hit.counter->max, info->unit));
        return text;
    }
    if (!hit.span)
        return {};
    const profiling::DrawSpan& span = *hit.span;
    const QString name = QString::fromStdString(trace.string(span.name)).left(300).toHtmlEscaped();
    const QString category = fromStd(trace.string(span.category)).left(300).toHtmlEscaped();
    const double length = static_cast<double>(span.endNs - span.startNs);
    const QString where = category.isEmpty() ? track : tr("%1 · %2").arg(category, track);
    if (span.count == 1)
        return QStringLiteral("<b>%1</b><br>%2<br>%3").arg(name, formatDuration(length), where);
    return tr("<b>%1 spans</b> in %2, busy %3 %<br>longest: %4<br>%5")
        .arg(span.count)
        .arg(formatDuration(length))
        .arg(100.0 * static_cast<double>(span.busyNs) / std::max(1.0, length), 0, 'f', 0)
        .arg(name, where);
}

void TimelineCanvas::showTip(const QPointF& at, const QPoint& global) {
    const QString tip = tipFor(hitAt(at));
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(global + QPoint(12, 12),
                           QStringLiteral("<p style='white-space:pre'>%1</p>").arg(tip), this);
}

void TimelineCanvas::fillSpanMenu(QMenu& menu, const Hit& hit) {
    const auto ref = hit.span->longest;
    const auto span = m_state->trace()->span(ref);
    const QString name = QString::fromStdString(m_state->trace()->string(hit.span->name));
    menu.addAction(tr("Zoom to span"), this, [this, ref] { m_state->zoomToSpan(ref); });
    if (span)
        menu.addAction(tr("Make it the range"), this, [this, span = *span] {
            m_state->setRange(TimeRange{span.startNs, span.startNs + span.durationNs});
        });
    menu.addAction(tr("Search for this name"), this, [this, name] { emit searchRequested(name); });
    menu.addAction(tr("Copy name"), this, [name] { // a cell, wherever it is pasted
        CellTable cell(CellTable::Form::Tsv);
        cell.cell(name.toStdString());
        QApplication::clipboard()->setText(QString::fromStdString(cell.text()));
    });
    menu.addSeparator();
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_state->trace())
        return;
    const Hit hit = hitAt(event->pos());
    const std::int64_t ns = m_state->axis().toNs(event->pos().x());
    QMenu menu(this);
    if (hit.span)
        fillSpanMenu(menu, hit);
    menu.addAction(tr("Add note here"), this, [this, ns] { editNote(ns); });
    if (m_state->range())
        menu.addAction(tr("Clear range"), this, [this] { m_state->setRange(std::nullopt); });
    if (hit.track != profiling::kNoTrack) {
        const bool pinned = m_state->layout().isPinned(hit.track);
        menu.addAction(pinned ? tr("Unpin track") : tr("Pin track to the top"), this, [this, hit, pinned] {
            m_state->editLayout([&](TrackLayout& layout) { layout.setPinned(hit.track, !pinned); });
        });
    }
    menu.exec(event->globalPos());
}

} // namespace heteroscope::ui
