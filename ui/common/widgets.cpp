// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for themed widgets.
#include "ui/common/widgets.h"

#include <QLayout>
#include <QStyle>

namespace heteroscope::ui {

void setRole(QWidget* widget, const char* role) {
    widget->setProperty("role", QString::fromLatin1(role));
}

void restyle(QWidget* widget) {
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    setRole(label, role);
    return label;
}

void deleteChildren(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

} // namespace heteroscope::ui
