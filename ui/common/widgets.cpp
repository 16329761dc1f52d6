// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for themed widgets.
#include "ui/common/widgets.h"

#include <QEvent>
#include <QLayout>
#include <QStyle>

#include <utility>

namespace heteroscope::ui {

void setRole(QWidget* widget, const char* role) {
    widget->setProperty("role", QString::fromLatin1(role));
}

void restyle(QWidget* widget) {
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

void whenStyled(QWidget* widget, std::function<void()> measure) {
    class Filter : public QObject {
      public:
        Filter(QWidget* parent, std::function<void()> measure)
            : QObject(parent), m_measure(std::move(measure)) {
            parent->installEventFilter(this);
        }
        bool eventFilter(QObject*, QEvent* event) override {
            // Some widgets keep their size hint until they have seen the change of style themselves: when
            // shown they have.
            const QEvent::Type type = event->type();
            if (type == QEvent::StyleChange || type == QEvent::FontChange || type == QEvent::Show)
                m_measure();
            return false;
        }

      private:
        std::function<void()> m_measure;
    };
    measure();
    new Filter(widget, std::move(measure));
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
