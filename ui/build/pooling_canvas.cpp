// SPDX-License-Identifier: GPL-3.0-or-later
// Layout, steps and pointer of the pooling picture.
#include "ui/build/pooling_canvas.h"

#include <QLineEdit>
#include <QMouseEvent>

#include <algorithm>

namespace heteroscope::ui {

PoolingCanvas::PoolingCanvas(QWidget* parent) : QWidget(parent), m_edit(new QLineEdit(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setObjectName(QStringLiteral("pooling-canvas"));
    setAccessibleName(tr("Picture of the pooling"));
    m_edit->setAlignment(Qt::AlignCenter);
    m_edit->setFrame(false);
    m_edit->setAccessibleName(tr("Value of the cell"));
    m_edit->installEventFilter(this);
    m_edit->hide();
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PoolingCanvas::setPreview(PoolingPreview preview) {
    m_preview = std::move(preview);
    m_cursor.first =
        std::clamp<std::int64_t>(m_cursor.first, 0, std::max<std::int64_t>(m_preview.src().h - 1, 0));
    m_cursor.second =
        std::clamp<std::int64_t>(m_cursor.second, 0, std::max<std::int64_t>(m_preview.src().w - 1, 0));
    layOut();
}

void PoolingCanvas::setEditable(bool editable) {
    m_editable = editable;
    if (!editable)
        endEdit(false);
    setToolTip(editable ? tr("Arrows choose a cell, digits or F2 edit it, Ctrl+V pastes a block")
                        : tr("Arrows step, Space plays; click a result to see its window"));
    layOut();
}

void PoolingCanvas::setOrigin(std::int64_t outRow, std::int64_t outColumn) {
    m_origin = {outRow, outColumn};
    layOut();
}

void PoolingCanvas::layOut() {
    const int before = stepCount();
    m_layout = CanvasLayout(m_preview, size(), m_origin);
    m_step = std::clamp(m_step, 0, std::max(stepCount() - 1, 0));
    if (stepCount() != before)
        emit stepCountChanged();
    emit stepChanged(m_step);
    describe();
    update();
}

int PoolingCanvas::stepCount() const {
    return static_cast<int>(m_layout.rows().outCount * m_layout.columns().outCount);
}

std::pair<std::int64_t, std::int64_t> PoolingCanvas::outputOfStep(int step) const {
    const std::int64_t columns = std::max<std::int64_t>(m_layout.columns().outCount, 1);
    return {m_layout.rows().firstOut + step / columns, m_layout.columns().firstOut + step % columns};
}

void PoolingCanvas::setStep(int step) {
    step = std::clamp(step, 0, std::max(stepCount() - 1, 0));
    if (step == m_step)
        return;
    m_step = step;
    describe();
    emit stepChanged(step);
    update();
}

void PoolingCanvas::describe() {
    const auto [row, column] = outputOfStep(m_step);
    const auto window = m_preview.window(row, column);
    setAccessibleDescription(window ? tr("Window at row %1, column %2 gives %3")
                                          .arg(window->top)
                                          .arg(window->left)
                                          .arg(cellText(window->result))
                                    : QString());
}

void PoolingCanvas::paintEvent(QPaintEvent*) {
    if (m_preview.isEmpty())
        return;
    QPainter painter(this);
    CanvasState state;
    std::tie(state.outRow, state.outColumn) = outputOfStep(m_step);
    state.hasFocus = hasFocus();
    if (m_editable)
        state.cursor = m_cursor;
    CanvasPainter(painter, m_preview, m_layout, state).paint();
    if (hasFocus() && !m_editable) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Theme::instance().colors().accent, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
}

void PoolingCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void PoolingCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const QPointF at = event->position();
    const ShownAxis &rows = m_layout.rows(), &columns = m_layout.columns();
    if (m_layout.outputRect().contains(at)) {
        const QPointF inside = at - m_layout.outputRect().topLeft();
        const auto row = static_cast<std::int64_t>(inside.y() / m_layout.cell());
        const auto column = static_cast<std::int64_t>(inside.x() / m_layout.cell());
        setStep(static_cast<int>(row * columns.outCount + column));
        return;
    }
    if (!m_layout.inputRect().contains(at))
        return;
    const QPointF inside = at - m_layout.inputRect().topLeft();
    const std::int64_t row = rows.firstIn + static_cast<std::int64_t>(inside.y() / m_layout.cell());
    const std::int64_t column = columns.firstIn + static_cast<std::int64_t>(inside.x() / m_layout.cell());
    if (m_editable && m_preview.inside(row, column)) {
        endEdit(true);
        m_cursor = {row, column};
    }
    for (int step = 0; step < stepCount(); ++step) { // the first window that holds the cell
        const auto [outRow, outColumn] = outputOfStep(step);
        const auto& p = m_preview.params();
        const std::int64_t top = outRow * p.stride.h - p.padding.top,
                           left = outColumn * p.stride.w - p.padding.left;
        if (row >= top && row < top + p.kernel.h && column >= left && column < left + p.kernel.w) {
            setStep(step);
            break;
        }
    }
    update();
}

void PoolingCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (m_editable && m_layout.inputRect().contains(event->position()))
        beginEdit({});
}

void PoolingCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void PoolingCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace heteroscope::ui

#include "moc_pooling_canvas.cpp"
