// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard of the pooling picture: steps, cell cursor, editing in place.
#include "ui/build/pooling_canvas.h"

#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>

namespace heteroscope::ui {

void PoolingCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_editable ? cursorKey(event) || editKey(event) || stepKey(event) : stepKey(event))
        return;
    QWidget::keyPressEvent(event);
}

bool PoolingCanvas::stepKey(QKeyEvent* event) {
    const auto columns = static_cast<int>(m_layout.columns().outCount);
    switch (event->key()) {
    case Qt::Key_Space:
        emit playToggled();
        return true;
    case Qt::Key_Right:
    case Qt::Key_Left:
        setStep(m_step + (event->key() == Qt::Key_Right ? 1 : -1));
        return true;
    case Qt::Key_Down:
    case Qt::Key_Up:
        setStep(m_step + (event->key() == Qt::Key_Down ? columns : -columns));
        return true;
    case Qt::Key_Home:
    case Qt::Key_End:
        setStep(event->key() == Qt::Key_Home ? 0 : stepCount() - 1);
        return true;
    default:
        return false;
    }
}

bool PoolingCanvas::cursorKey(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        moveCursor(0, -1);
        return true;
    case Qt::Key_Right:
        moveCursor(0, 1);
        return true;
    case Qt::Key_Up:
        moveCursor(-1, 0);
        return true;
    case Qt::Key_Down:
        moveCursor(1, 0);
        return true;
    case Qt::Key_Home:
        moveCursor(0, -m_cursor.second);
        return true;
    case Qt::Key_End:
        moveCursor(0, m_preview.src().w);
        return true;
    default:
        return false;
    }
}

bool PoolingCanvas::editKey(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste)) {
        emit pasteRequested(m_cursor.first, m_cursor.second);
        return true;
    }
    if (event->key() == Qt::Key_F2 || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        beginEdit({});
        return true;
    }
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) {
        emit cellEdited(m_cursor.first, m_cursor.second, QStringLiteral("0"));
        return true;
    }
    const QString text = event->text();
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && text.size() == 1 &&
        (text[0].isDigit() || text[0] == QLatin1Char('-') || text[0] == QLatin1Char('.'))) {
        beginEdit(text);
        return true;
    }
    return false;
}

void PoolingCanvas::moveCursor(std::int64_t rows, std::int64_t columns) {
    m_cursor.first =
        std::clamp<std::int64_t>(m_cursor.first + rows, 0, std::max<std::int64_t>(m_preview.src().h - 1, 0));
    m_cursor.second = std::clamp<std::int64_t>(m_cursor.second + columns, 0,
                                               std::max<std::int64_t>(m_preview.src().w - 1, 0));
    if (!m_layout.showsInput(m_cursor.first, m_cursor.second)) {
        const auto& p = m_preview.params();
        const std::int64_t halfRows = m_layout.rows().outCount / 2,
                           halfColumns = m_layout.columns().outCount / 2;
        setOrigin(std::max<std::int64_t>(m_cursor.first / p.stride.h - halfRows, 0),
                  std::max<std::int64_t>(m_cursor.second / p.stride.w - halfColumns, 0));
    }
    update();
}

void PoolingCanvas::beginEdit(const QString& text) {
    const auto cell = m_preview.cell(m_cursor.first, m_cursor.second);
    if (!cell || !m_layout.showsInput(m_cursor.first, m_cursor.second))
        return;
    const QRectF rect = m_layout.inputCell(m_cursor.first, m_cursor.second);
    const int width = std::max(static_cast<int>(rect.width()), 44);
    m_edit->setGeometry(QRect(static_cast<int>(rect.center().x()) - width / 2,
                              static_cast<int>(rect.top()) + 1, width, static_cast<int>(rect.height()) - 2));
    m_edit->setText(text.isEmpty() ? QString::number(cell->value, 'g', 10) : text);
    m_edit->show();
    m_edit->setFocus();
    if (text.isEmpty())
        m_edit->selectAll();
}

void PoolingCanvas::endEdit(bool keep) {
    if (!m_edit->isVisible())
        return;
    const QString text = m_edit->text();
    m_edit->hide();
    setFocus();
    if (keep)
        emit cellEdited(m_cursor.first, m_cursor.second, text);
}

bool PoolingCanvas::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut && m_edit->isVisible())
        endEdit(true);
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool back = key == Qt::Key_Backtab;
    if (key == Qt::Key_Escape) {
        endEdit(false);
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Down || key == Qt::Key_Up) {
        endEdit(true);
        moveCursor(key == Qt::Key_Up ? -1 : 1, 0);
        return true;
    }
    if (key == Qt::Key_Tab || back) {
        endEdit(true);
        moveCursor(0, back ? -1 : 1);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscope::ui
