// SPDX-License-Identifier: GPL-3.0-or-later
// Filter, table and export buttons.
#include "ui/analyze/run_table_page.h"

#include "ui/analyze/run_table_model.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

namespace heteroscope::ui {

RunTablePage::RunTablePage(QWidget* parent)
    : QWidget(parent),
      m_filter(new QLineEdit),
      m_view(new QTableView),
      m_count(makeLabel({}, "muted")),
      m_model(new RunTableModel(this)),
      m_rows(new RunFilterModel(this)) {
    m_rows->setSourceModel(m_model);
    m_view->setModel(m_rows);
    m_view->setObjectName(QStringLiteral("runTable"));
    m_view->setAccessibleName(tr("All runs"));
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder);
    m_view->setAlternatingRowColors(true);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->verticalHeader()->hide();
    m_view->horizontalHeader()->setSectionsMovable(true);
    m_filter->setPlaceholderText(tr("Filter: words that a row must contain"));
    m_filter->setAccessibleName(tr("Filter of the runs"));
    m_filter->setObjectName(QStringLiteral("runFilter"));
    m_filter->setClearButtonEnabled(true);
    auto* csv = new QPushButton(icon(QStringLiteral("export")), tr("CSV"));
    auto* latex = new QPushButton(icon(QStringLiteral("export")), tr("LaTeX"));
    csv->setAccessibleName(tr("Export the table as CSV"));
    latex->setAccessibleName(tr("Export the table as LaTeX"));
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_count);
    bar->addWidget(csv);
    bar->addWidget(latex);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kSpacing);
    layout->addLayout(bar);
    layout->addWidget(m_view, 1);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_rows->setFilterText(text);
        updateCount();
    });
    connect(csv, &QPushButton::clicked, this,
            [this] { emit exportRequested(toCsv(), QStringLiteral("csv")); });
    connect(latex, &QPushButton::clicked, this,
            [this] { emit exportRequested(toLatex(), QStringLiteral("tex")); });
    auto* copyKey = new QShortcut(QKeySequence::Copy, m_view, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &RunTablePage::copy);
}

void RunTablePage::setInput(const ChartInput& input) {
    const int columns = m_model->columnCount();
    m_model->setTable(buildRunTable(input));
    m_caption = input.a ? input.a->caption : QString();
    if (columns != m_model->columnCount())
        m_view->resizeColumnsToContents();
    updateCount();
}

QByteArray RunTablePage::toCsv() const {
    return runTableToCsv(m_rows->shownTable());
}

QByteArray RunTablePage::toLatex() const {
    return runTableToLatex(m_rows->shownTable(), m_caption);
}

void RunTablePage::copy() {
    RunTable chosen;
    const RunTable shown = m_rows->shownTable();
    chosen.columns = shown.columns;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
        chosen.rows.push_back(shown.rows[static_cast<std::size_t>(index.row())]);
    const RunTable& table = chosen.rows.empty() ? shown : chosen;
    QApplication::clipboard()->setText(QString::fromUtf8(runTableToCsv(table)));
    emit statusMessage(tr("Copied %n row(s) as CSV", nullptr, static_cast<int>(table.rows.size())));
}

void RunTablePage::updateCount() {
    m_count->setText(tr("%1 of %2 runs").arg(m_rows->rowCount()).arg(m_model->rowCount()));
}

} // namespace heteroscope::ui

#include "moc_run_table_page.cpp"
