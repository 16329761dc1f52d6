// SPDX-License-Identifier: GPL-3.0-or-later
// Card of named figures.
#include "ui/build/facts_panel.h"

#include "ui/common/widgets.h"

#include <QVBoxLayout>

namespace heteroscope::ui {

FactsPanel::FactsPanel(const QString& title, QWidget* parent)
    : QFrame(parent), m_grid(new QGridLayout), m_footnote(makeLabel({}, "muted")) {
    setRole(this, "card");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(6);
    column->addWidget(makeLabel(title, "strong"));
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid);
    m_footnote->setWordWrap(true);
    m_footnote->hide();
    column->addWidget(m_footnote);
    column->addStretch(1);
}

void FactsPanel::setFacts(const std::vector<Fact>& facts) {
    while (m_rows.size() < facts.size()) {
        Row row{makeLabel({}, "muted"), new QLabel};
        const int at = static_cast<int>(m_rows.size());
        row.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(row.name, at, 0);
        m_grid->addWidget(row.value, at, 1, Qt::AlignLeft);
        m_rows.push_back(row);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const bool used = i < facts.size();
        m_rows[i].name->setVisible(used);
        m_rows[i].value->setVisible(used);
        if (!used)
            continue;
        m_rows[i].name->setText(facts[i].name);
        m_rows[i].value->setText(facts[i].value);
        m_rows[i].name->setToolTip(facts[i].help);
        m_rows[i].value->setToolTip(facts[i].help);
        m_rows[i].value->setAccessibleName(facts[i].name + QStringLiteral(": ") + facts[i].value);
    }
}

void FactsPanel::setFootnote(const QString& text) {
    m_footnote->setVisible(!text.isEmpty());
    m_footnote->setText(text);
}

QString FactsPanel::valueOf(const QString& name) const {
    for (const Row& row : m_rows)
        if (row.name->text() == name && !row.name->isHidden())
            return row.value->text();
    return {};
}

} // namespace heteroscope::ui

#include "moc_facts_panel.cpp"
