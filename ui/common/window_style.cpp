// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/window_style.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

namespace heteroscope::ui {

namespace {

/// Whatever windows lie between.
QWidget* topmost(QWidget* widget) {
    while (QWidget* const above = widget->parentWidget())
        widget = above;
    return widget;
}

} // namespace

WindowStyle::WindowStyle(QObject* application) : QObject(application) {
    application->installEventFilter(this);
}

void WindowStyle::setSheet(const QString& sheet) {
    if (sheet == m_sheet)
        return;
    m_sheet = sheet;
    for (QWidget* const window : QApplication::topLevelWidgets())
        if (window->parentWidget() == nullptr && window->testAttribute(Qt::WA_WState_Polished))
            style(window);
}

void WindowStyle::style(QWidget* window) {
    if (window->styleSheet() != m_sheet) // Qt styles all anew for the same one, too
        window->setStyleSheet(m_sheet);
}

bool WindowStyle::eventFilter(QObject* object, QEvent* event) {
    if (!object->isWidgetType())
        return false;
    auto* const widget = static_cast<QWidget*>(object);
    if (event->type() == QEvent::Polish) {
        // What is asked for its size while it has no window yet is styled with the window that it comes into.
        if (QWidget* const window = topmost(widget); window->testAttribute(Qt::WA_WState_ExplicitShowHide))
            style(window);
    } else if (event->type() == QEvent::ParentChange) {
        if (widget->parentWidget() == nullptr) {
            if (widget->testAttribute(Qt::WA_WState_Polished))
                style(widget);
        } else if (widget->styleSheet() == m_sheet) {
            widget->setStyleSheet(QString()); // it was a window
        }
    }
    return false;
}

} // namespace heteroscope::ui
