// SPDX-License-Identifier: GPL-3.0-or-later
// Chart points as rows.
#include "ui/charts/chart_table_model.h"

#include "ui/charts/chart_input.h"
#include "ui/charts/chart_text.h"
#include "ui/common/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

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

bool isWhole(double value) {
    constexpr double kExact = 1e15; // beyond it not every whole number is one
    return value == std::floor(value) && std::abs(value) < kExact;
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

/// Of a comparison each side has its own number of samples.
bool countsBothSides(const ChartData& chart) {
    return std::any_of(chart.series.begin(), chart.series.end(), [](const ChartSeries& series) {
        return std::any_of(series.points.begin(), series.points.end(),
                           [](const ChartPoint& point) { return point.nOfA.has_value(); });
    });
}

QString countOf(std::size_t n) {
    return n > 0 ? QString::number(n) : QString();
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
                    QStringLiteral("q3") + unit};
    const bool both = countsBothSides(chart);
    table.header << (both ? QStringList{QStringLiteral("n_a"), QStringLiteral("n_b")}
                          : QStringList{QStringLiteral("n")});
    table.header << QStringLiteral("note");
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            QStringList row{series.id, xText(chart, point), exact(point.y)};
            row << intervalCells(point.interval) << intervalCells(point.quartiles);
            if (both)
                row << countOf(point.nOfA.value_or(0));
            row << countOf(point.n);
            row << (series.directLabels ? point.detail
                    : point.unclear     ? QStringLiteral("UNCLEAR")
                                        : QString());
            table.rows.push_back(row);
        }
    }
    return table;
}

ChartTableModel::Row ChartTableModel::rowOf(const ChartData& chart, const ChartSeries& series,
                                            const ChartPoint& point) {
    constexpr int kDigits = 4;
    const auto number = [](double value) { return Cell{significant(value, kDigits), exact(value)}; };
    const auto interval = [](const std::optional<Interval>& ends) {
        return ends ? Cell{QStringLiteral("[%1, %2]")
                               .arg(significant(ends->low, kDigits), significant(ends->high, kDigits)),
                           QStringLiteral("[%1, %2]").arg(exact(ends->low), exact(ends->high))}
                    : Cell{};
    };
    const auto same = [](const QString& text) { return Cell{text, text}; };
    const auto count = [](std::size_t n) {
        return n > 0 ? Cell{countText(static_cast<std::int64_t>(n)), countOf(n)} : Cell{};
    };
    const bool category = chart.x.scale == AxisScale::Category;
    const Cell x = category ? same(xText(chart, point))
                   : isWhole(point.x) // a size is not rounded
                       ? Cell{countText(static_cast<std::int64_t>(point.x)), exact(point.x)}
                       : number(point.x);
    return {same(series.id),
            x,
            number(point.y),
            interval(point.interval),
            interval(point.quartiles),
            count(point.nOfA.value_or(0)),
            count(point.n),
            same(series.directLabels ? point.detail
                 : point.unclear     ? verdictWord(Verdict::Unclear)
                                     : QString())};
}

void ChartTableModel::dropEmptyColumns() {
    for (int column = static_cast<int>(m_header.size()) - 1; column >= 0; --column) {
        const auto at = static_cast<std::size_t>(column);
        if (std::any_of(m_rows.begin(), m_rows.end(),
                        [at](const Row& row) { return !row[at].text.isEmpty(); }))
            continue;
        m_header.removeAt(column);
        for (Row& row : m_rows)
            row.erase(row.begin() + column);
    }
}

void ChartTableModel::setChart(const ChartData& chart) {
    beginResetModel();
    const QString y = quantity(chart.y), unit = unitOf(y);
    const bool both = countsBothSides(chart);
    m_header = {tr("Series"),
                quantity(chart.x),
                y,
                tr("95 % interval") + unit,
                tr("Quartiles") + unit,
                tr("n of A"),
                both ? tr("n of B") : tr("n"),
                tr("Note")};
    m_rows.clear();
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            m_rows.push_back(rowOf(chart, series, point));
    dropEmptyColumns();
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_header.size());
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && index.column() > 0)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const Cell& cell =
        m_rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    return role == Qt::DisplayRole   ? QVariant(cell.text)
           : role == Qt::ToolTipRole ? QVariant(cell.exact)
                                     : QVariant();
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && (role == Qt::DisplayRole || role == Qt::ToolTipRole))
        return m_header.value(section);
    return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
}

} // namespace heteroscope::ui

#include "moc_chart_table_model.cpp"
