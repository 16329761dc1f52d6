// SPDX-License-Identifier: GPL-3.0-or-later
// The inline message.
#include "ui/common/message_bar.h"

#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace heteroscope::ui {

namespace {

struct ToneLook {
    const char* name;
    const char* iconName;
    IconTone iconTone;
};

ToneLook lookOf(MessageBar::Tone tone) {
    switch (tone) {
    case MessageBar::Tone::Good:
        return {"good", "good", IconTone::Good};
    case MessageBar::Tone::Warning:
        return {"warning", "warning", IconTone::Warning};
    case MessageBar::Tone::Error:
        return {"error", "error", IconTone::Error};
    case MessageBar::Tone::Info:
        break;
    }
    return {"info", "info", IconTone::Accent};
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_actions(new QHBoxLayout),
      m_close(new QToolButton(this)) {
    setRole(this, "message");
    setObjectName(QStringLiteral("messageBar"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 6, 6);
    row->setSpacing(Theme::kSpacing);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_close->setIcon(icon(QStringLiteral("close"), IconTone::Muted));
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(tr("Close message"));
    row->addWidget(m_icon, 0, Qt::AlignVCenter);
    row->addWidget(m_text, 1);
    row->addLayout(m_actions);
    row->addWidget(m_close, 0, Qt::AlignVCenter);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::clear);
    connect(&Theme::instance(), &Theme::changed, this, &MessageBar::showIcon);
    hide();
}

void MessageBar::showMessage(Tone tone, const QString& text, std::vector<Action> actions) {
    deleteChildren(m_actions);
    m_tone = tone;
    setProperty("tone", QString::fromLatin1(lookOf(tone).name));
    restyle(this);
    showIcon();
    m_text->setText(text);
    setAccessibleName(text);
    for (Action& action : actions) {
        auto* button = new QPushButton(action.text, this);
        if (tone == Tone::Good && m_actions->isEmpty())
            setRole(button, "primary"); // good news leads on
        m_actions->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, run = std::move(action.run)] {
            const auto keep = run; // clear() deletes the button and this function with it
            clear();
            keep();
        });
    }
    show();
}

void MessageBar::showIcon() {
    const ToneLook look = lookOf(m_tone);
    m_icon->setPixmap(
        icon(QString::fromLatin1(look.iconName), look.iconTone).pixmap(QSize(20, 20), devicePixelRatioF()));
}

void MessageBar::clear() {
    if (m_text->text().isEmpty())
        return;
    m_text->clear();
    hide();
    deleteChildren(m_actions);
    emit cleared();
}

QString MessageBar::text() const {
    return m_text->text();
}

} // namespace heteroscope::ui

#include "moc_message_bar.cpp"
