// SPDX-License-Identifier: GPL-3.0-or-later
// A card.
#include "ui/main_window/template_card.h"

#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {
constexpr int kIconSize = 30;
constexpr int kMinHeight = 96;
} // namespace

TemplateCard::TemplateCard(const QString& iconName, const QString& title, const QString& sentence,
                           QWidget* parent)
    : QPushButton(parent),
      m_icon(new QLabel(this)),
      m_call(makeLabel({}, "call", this)),
      m_iconName(iconName) {
    setRole(this, "card");
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    setCursor(Qt::PointingHandCursor);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 12, 14, 12);
    row->setSpacing(12);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    auto* name = makeLabel(title, "strong", this);
    name->setWordWrap(true);
    auto* text = makeLabel(sentence, "muted", this);
    text->setWordWrap(true);
    words->addWidget(name);
    words->addWidget(text);
    words->addStretch(1);
    row->addLayout(words, 1);
    m_call->hide();
    row->addWidget(m_call, 0, Qt::AlignVCenter);
    for (QLabel* label : {m_icon, name, text, m_call})
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    showIcon();
    connect(&Theme::instance(), &Theme::changed, this, &TemplateCard::showIcon);
}

void TemplateCard::setFeatured(const QString& call) {
    m_call->setText(call);
    m_call->show();
    setProperty("featured", true);
    restyle(this);
}

void TemplateCard::showIcon() {
    m_icon->setPixmap(
        ui::icon(m_iconName, IconTone::Accent).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}

QSize TemplateCard::sizeHint() const {
    return {280, std::max(kMinHeight, layout()->sizeHint().height())};
}

int TemplateCard::heightForWidth(int width) const {
    return std::max(kMinHeight, layout()->heightForWidth(width));
}

} // namespace heteroscope::ui

#include "moc_template_card.cpp"
