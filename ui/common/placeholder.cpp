// SPDX-License-Identifier: GPL-3.0-or-later
// The empty, busy and error state of a view.
#include "ui/common/placeholder.h"

#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {
constexpr int kIconSize = 48;
constexpr int kTextWidth = 460;
} // namespace

Placeholder::Placeholder(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_title(makeLabel({}, "heading", this)),
      m_advice(makeLabel({}, "muted", this)),
      m_busy(new QProgressBar(this)),
      m_buttons(new QHBoxLayout) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(Theme::kSpacing);
    column->addStretch(2);
    column->addWidget(m_icon, 0, Qt::AlignHCenter);
    column->addWidget(m_title, 0, Qt::AlignHCenter);
    column->addWidget(m_advice, 0, Qt::AlignHCenter);
    column->addWidget(m_busy, 0, Qt::AlignHCenter);
    column->addSpacing(Theme::kSpacing);
    column->addLayout(m_buttons);
    column->addStretch(3);
    m_title->setAlignment(Qt::AlignCenter);
    m_advice->setAlignment(Qt::AlignCenter);
    m_advice->setWordWrap(true);
    m_advice->setFixedWidth(kTextWidth);
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    m_busy->setFixedSize(220, 6);
    m_busy->hide();
    m_buttons->setAlignment(Qt::AlignHCenter);
    m_buttons->setSpacing(Theme::kSpacing);
    connect(&Theme::instance(), &Theme::changed, this,
            [this] { setContent(m_iconName, m_title->text(), m_advice->text()); });
}

void Placeholder::setContent(const QString& iconName, const QString& title, const QString& advice) {
    m_iconName = iconName;
    if (!iconName.isEmpty())
        m_icon->setPixmap(
            icon(iconName, IconTone::Muted).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    m_title->setText(title);
    m_advice->setText(advice);
    m_advice->setFixedHeight(std::max(0, m_advice->heightForWidth(kTextWidth)));
    m_advice->setVisible(!advice.isEmpty());
    setAccessibleName(title);
    setAccessibleDescription(advice);
}

QPushButton* Placeholder::addButton(const QString& text, const QString& iconName, bool primary) {
    auto* button = new QPushButton(text, this);
    if (!iconName.isEmpty())
        button->setIcon(icon(iconName, primary ? IconTone::AccentText : IconTone::Text));
    if (primary)
        setRole(button, "primary");
    m_buttons->addWidget(button);
    return button;
}

void Placeholder::clearButtons() {
    deleteChildren(m_buttons);
}

void Placeholder::setButtonsVisible(bool visible) {
    for (int i = 0; i < m_buttons->count(); ++i)
        m_buttons->itemAt(i)->widget()->setVisible(visible);
}

void Placeholder::setBusy(bool busy) {
    m_busy->setVisible(busy);
}

} // namespace heteroscope::ui

#include "moc_placeholder.cpp"
