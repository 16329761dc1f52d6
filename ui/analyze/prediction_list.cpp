// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/prediction_list.h"

#include "ui/analyze/report_table.h"
#include "ui/common/format.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

PredictionList::PredictionList(QWidget* parent)
    : QWidget(parent),
      m_what(makeLabel({}, "muted")),
      m_all(new QPushButton(tr("Show All"))),
      m_list(makeReportTable("predictionList", tr("Examples and what was predicted for them"),
                             {tr("Result"), tr("True"), tr("Predicted"), tr("Probability"), tr("Example")},
                             3)) {
    m_what->setObjectName(QStringLiteral("predictionWhat"));
    m_what->setWordWrap(true);
    m_all->setObjectName(QStringLiteral("predictionAll"));
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_what, 1);
    bar->addWidget(m_all);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Theme::kSpacing, 0, 0);
    layout->setSpacing(Theme::kSpacing / 2);
    layout->addLayout(bar);
    layout->addWidget(m_list, 1);
    connect(m_all, &QPushButton::clicked, this, &PredictionList::showAll);
}

void PredictionList::setEvaluation(const TrainingEvaluation& evaluation) {
    m_evaluation.part = evaluation.part;
    m_evaluation.epoch = evaluation.epoch;
    m_evaluation.classes = evaluation.classes;
    m_evaluation.samples = evaluation.samples;
    std::stable_sort(m_evaluation.samples.begin(), m_evaluation.samples.end(),
                     [](const PredictionSample& a, const PredictionSample& b) {
                         return (a.actual != a.predicted) > (b.actual != b.predicted);
                     });
    fill();
}

void PredictionList::showCell(int actual, int predicted) {
    m_cell = {actual, predicted};
    fill();
}

void PredictionList::showAll() {
    m_cell.reset();
    fill();
}

QString PredictionList::className(std::int64_t index) const {
    return index >= 0 && index < static_cast<std::int64_t>(m_evaluation.classes.size())
               ? fromStd(m_evaluation.classes[static_cast<std::size_t>(index)])
               : QString::number(index);
}

void PredictionList::fill() {
    m_list->clear();
    int shown = 0;
    for (const PredictionSample& sample : m_evaluation.samples) {
        if (m_cell && (sample.actual != m_cell->first || sample.predicted != m_cell->second))
            continue;
        ++shown;
        const bool right = sample.actual == sample.predicted;
        auto* row = addReportRow(m_list, {right ? tr("right") : tr("wrong"), className(sample.actual),
                                          className(sample.predicted),
                                          QStringLiteral("%1 %").arg(100 * sample.probability, 0, 'f', 1),
                                          QString::number(sample.example)});
        const ThemeColors& colors = Theme::instance().colors();
        row->setForeground(0, right ? colors.good : colors.error);
    }
    for (int column = 0; column < m_list->columnCount(); ++column) {
        m_list->resizeColumnToContents(column);
        m_list->setColumnWidth(column, m_list->columnWidth(column) + Theme::kSpacing);
    }
    const auto all = m_evaluation.samples.size();
    m_what->setText(m_cell ? tr("%1 predicted as %2: %3 of the %4 examples that were recorded")
                                 .arg(className(m_cell->first), className(m_cell->second))
                                 .arg(shown)
                                 .arg(all)
                    : all > 0
                        ? tr("%1 examples for %2 after epoch %3; the number is their place in that part")
                              .arg(all)
                              .arg(fromStd(m_evaluation.part))
                              .arg(m_evaluation.epoch)
                        : tr("No predictions were recorded yet."));
    m_all->setVisible(m_cell.has_value());
}

} // namespace heteroscope::ui
