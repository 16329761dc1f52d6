// SPDX-License-Identifier: GPL-3.0-or-later
// Explanation of the focused field.
#include "ui/build/hint_panel.h"

#include "ui/common/widgets.h"

#include <QVBoxLayout>

namespace heteroscope::ui {

HintPanel::HintPanel(QWidget* parent) : QFrame(parent) {
    setRole(this, "panel");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(2);
    m_title = makeLabel({}, "strong");
    m_text = makeLabel({}, "muted");
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(m_title);
    column->addWidget(m_text, 1);
    setFixedHeight(2 * 8 + 5 * fontMetrics().lineSpacing() + 6);
    showHint({tr("Build an experiment"),
              {},
              tr("Every field explains itself here. Change one and watch the picture.")});
}

void HintPanel::showHint(const Hint& hint) {
    m_title->setText(hint.range.isEmpty() ? hint.title
                                          : QStringLiteral("%1  (%2)").arg(hint.title, hint.range));
    m_text->setText(hint.text);
}

} // namespace heteroscope::ui

#include "moc_hint_panel.cpp"
