// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/column_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace heteroscope::ui {

ColumnScroll::ColumnScroll(QWidget* column) {
    setWidget(column);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    takeWidthOfColumn();
}

bool ColumnScroll::eventFilter(QObject* object, QEvent* event) {
    const bool handled = QScrollArea::eventFilter(object, event);
    const QEvent::Type type = event->type();
    if (object == widget() && (type == QEvent::LayoutRequest || type == QEvent::Show ||
                               type == QEvent::StyleChange || type == QEvent::FontChange))
        takeWidthOfColumn();
    return handled;
}

// The scroll bar's width is always kept free: the column would else move when the bar comes.
void ColumnScroll::takeWidthOfColumn() {
    setMinimumWidth(widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
}

} // namespace heteroscope::ui

#include "moc_column_scroll.cpp"
