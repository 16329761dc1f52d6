// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/layer_table.h"

#include "profiling/analysis/figures.h"
#include "ui/analyze/report_table.h"
#include "ui/charts/layer_rows.h"
#include "ui/charts/target_style.h"
#include "ui/common/figure_text.h"
#include "ui/common/format.h"
#include "ui/common/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace heteroscope::ui {
namespace {

using profiling::LayerPhase;
using profiling::LayerPhaseTime;
using profiling::LayerTime;
using profiling::RunLayerTimes;
using Runs = std::vector<const RunLayerTimes*>;

constexpr int kFirstTime = 2;

/// A layer that any of the runs has, or a reorder between layouts.
struct Row {
    std::string name;
    QString type;
};

std::vector<Row> rowsOf(const Runs& runs, const ChartOptions& options) {
    std::vector<Row> rows;
    std::set<std::string> known;
    for (const RunLayerTimes* run : runs)
        for (const LayerTime& layer : run->layers)
            if ((layer.isLayer || layer.isReorder) && isLayerOfType(layer, options.layerType) &&
                known.insert(layer.name).second)
                rows.push_back({layer.name, QString::fromStdString(layer.type)});
    return rows;
}

std::vector<LayerPhase> phasesOf(const ChartOptions& options) {
    if (options.layerPhase)
        return {*options.layerPhase};
    return {LayerPhase::Forward, LayerPhase::Backward};
}

const LayerPhaseTime* timeOf(const RunLayerTimes* run, const std::string& layer, LayerPhase phase) {
    const LayerTime* time = run != nullptr ? run->find(layer) : nullptr;
    return time != nullptr && (*time)[phase].measured() ? &(*time)[phase] : nullptr;
}

/// The network's table has these two directions.
const profiling::Figure& figureOf(LayerPhase phase) {
    return phase == LayerPhase::Forward ? profiling::figure("layer_forward")
                                        : profiling::figure("layer_backward");
}

QStringList nameTitles() {
    return {figureTitle(profiling::figure("layer_name")), figureTitle(profiling::figure("layer_type"))};
}

QString cellText(const LayerPhaseTime& time, const LayerPhaseTime* reference) {
    const QString text = millisecondsText(time.ms.median);
    return reference == nullptr || time.ms.median <= 0
               ? text
               : QStringLiteral("%1   %2").arg(text, formatSpeedup(reference->ms.median / time.ms.median));
}

QString cellDetail(const LayerPhaseTime& time) {
    return time.ms.hasInterval ? LayerTable::tr("95 % interval of the median %1, %2 passes")
                                     .arg(intervalText(time.ms.ci95))
                                     .arg(time.passes)
                               : LayerTable::tr("%1 passes: too few for an interval").arg(time.passes);
}

} // namespace

void CellBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const double share = index.data(kShareRole).toDouble();
    if (share > 0) {
        QColor color = index.data(kColorRole).value<QColor>();
        color.setAlphaF(0.35F); // the text stays readable
        QRectF bar = QRectF(option.rect).adjusted(3, 3, -3, -3);
        bar.setWidth(std::max(1.0, bar.width() * share));
        painter->fillRect(bar, color);
    }
    QStyledItemDelegate::paint(painter, option, index);
}

LayerTable::LayerTable(QWidget* parent)
    : QWidget(parent),
      m_table(makeReportTable("layerTable", tr("Times of layers by target"), nameTitles(), kFirstTime)) {
    m_table->setItemDelegate(new CellBarDelegate(m_table));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
}

void LayerTable::setInput(const ChartInput& input) {
    const Runs all = layerRunsAtPoint(input);
    const RunLayerTimes* reference = nullptr;
    Runs runs;
    for (const RunLayerTimes* run : all) {
        if (run->reason.empty())
            runs.push_back(run);
        if (input.a && run->target == input.a->results.reference)
            reference = run;
    }
    const auto phases = phasesOf(input.options);
    const auto rows = rowsOf(runs, input.options);
    const std::vector<std::string> targets =
        input.a ? studyTargets(input.a->study) : std::vector<std::string>();
    QStringList titles = nameTitles();
    double most = 0;
    for (const RunLayerTimes* run : runs)
        for (const LayerPhase phase : phases) {
            titles << QStringLiteral("%1\n%2").arg(targetLabel(run->target, targets),
                                                   figureTitle(figureOf(phase)));
            for (const Row& row : rows)
                if (const auto* time = timeOf(run, row.name, phase))
                    most = std::max(most, time->ms.median);
        }
    m_table->clear();
    m_table->setColumnCount(static_cast<int>(titles.size()));
    m_table->setHeaderLabels(titles);
    for (int column = kFirstTime; column < titles.size(); ++column)
        m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    for (const Row& row : rows) {
        QTreeWidgetItem* item = addReportRow(m_table, {QString::fromStdString(row.name), row.type});
        int column = kFirstTime;
        for (const RunLayerTimes* run : runs)
            for (const LayerPhase phase : phases) {
                const int at = column++;
                const auto* time = timeOf(run, row.name, phase);
                if (time == nullptr)
                    continue;
                item->setText(
                    at, cellText(*time, run == reference ? nullptr : timeOf(reference, row.name, phase)));
                item->setToolTip(at, cellDetail(*time));
                item->setData(at, CellBarDelegate::kShareRole, most > 0 ? time->ms.median / most : 0);
                item->setData(at, CellBarDelegate::kColorRole,
                              Theme::targetColor(QString::fromStdString(run->target)));
            }
    }
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->resizeColumnToContents(column);
        m_table->setColumnWidth(column, m_table->columnWidth(column) + 2 * Theme::kSpacing);
    }
}

} // namespace heteroscope::ui

#include "moc_layer_table.cpp"
