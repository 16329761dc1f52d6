// SPDX-License-Identifier: GPL-3.0-or-later
// Shortens its text when it paints, not before: the font comes from the style sheet.
#include "ui/common/elided_label.h"

#include <QEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace heteroscope::ui {

namespace {
constexpr int kLeastWidth = 80;
}

ElidedLabel::ElidedLabel(int mostWidth, QWidget* parent) : QLabel(parent), m_mostWidth(mostWidth) {
    setTextFormat(Qt::PlainText);
}

bool ElidedLabel::isElided() const {
    return fontMetrics().horizontalAdvance(text()) > contentsRect().width();
}

QSize ElidedLabel::sizeHint() const {
    const QSize whole = QLabel::sizeHint();
    return {std::min(whole.width(), m_mostWidth), whole.height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {std::min(kLeastWidth, sizeHint().width()), QLabel::sizeHint().height()};
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::ToolTip)
        setToolTip(isElided() ? text() : QString());
    return QLabel::event(event);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), int(alignment()), palette(), isEnabled(),
                          fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()),
                          foregroundRole());
}

} // namespace heteroscope::ui

#include "moc_elided_label.cpp"
