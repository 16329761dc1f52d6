// SPDX-License-Identifier: GPL-3.0-or-later
// Chart points as rows.
#include "ui/charts/chart_table_model.h"

#include "ui/charts/chart_text.h"

#include <QLocale>

namespace heteroscope::ui {

namespace {

QString exact(double value) {
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QStringList intervalCells(const std::optional<Interval>& interval) {
    return interval ? QStringList{exact(interval->low), exact(interval->high)}
                    : QStringList{QString(), QString()};
}

QString xText(const ChartData& chart, const ChartPoint& point) {
    const int index = categoryOf(point);
    if (chart.x.scale == AxisScale::Category && index >= 0 && index < chart.x.categories.size())
        return chart.x.categories[index];
    return exact(point.x);
}

/// What the axis shows, with its unit: numbers in a table have no scale.
QString quantity(const ChartAxis& axis) {
    QString text = axis.title;
    return text.remove(ChartText::tr("%1, log scale").arg(QString()));
}

/// " (ms)" of "Time per run (ms)"; empty without a unit.
QString unitOf(const QString& quantity) {
    const auto at = quantity.lastIndexOf(QLatin1String(" ("));
    return at > 0 && quantity.endsWith(QLatin1Char(')')) ? quantity.mid(at) : QString();
}

} // namespace

ChartTable chartTable(const ChartData& chart) {
    ChartTable table;
    const QString y = quantity(chart.y), unit = unitOf(y);
    table.header = {QStringLiteral("series"),
                    quantity(chart.x),
                    y,
                    QStringLiteral("ci95_low") + unit,
                    QStringLiteral("ci95_high") + unit,
                    QStringLiteral("q1") + unit,
                    QStringLiteral("q3") + unit,
                    QStringLiteral("n"),
                    QStringLiteral("note")};
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            QStringList row{series.id, xText(chart, point), exact(point.y)};
            row << intervalCells(point.interval) << intervalCells(point.quartiles);
            row << (point.n ? QString::number(point.n) : QString());
            row << (series.directLabels ? point.detail
                    : point.unclear     ? QStringLiteral("UNCLEAR")
                                        : QString());
            table.rows.push_back(row);
        }
    }
    return table;
}

void ChartTableModel::setChart(const ChartData& chart) {
    beginResetModel();
    m_table = chartTable(chart);
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.header.size());
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && index.column() > 0)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return m_table.rows[static_cast<std::size_t>(index.row())][index.column()];
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole)
        return {};
    return orientation == Qt::Horizontal ? QVariant(m_table.header.value(section)) : QVariant(section + 1);
}

} // namespace heteroscope::ui

#include "moc_chart_table_model.cpp"
