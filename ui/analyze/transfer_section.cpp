// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/transfer_section.h"

#include "profiling/analysis/figures.h"
#include "ui/analyze/report_table.h"
#include "ui/analyze/size_histogram.h"
#include "ui/common/figure_text.h"
#include "ui/common/phrase_text.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <array>
#include <span>

namespace heteroscope::ui {

namespace {

using profiling::figure;

constexpr int kMostRows = 9;

constexpr std::array kGroupColumns{&figure("transfer_direction"), &figure("transfer_memory"),
                                   &figure("transfer_count"),     &figure("transfer_bytes"),
                                   &figure("transfer_mean_size"), &figure("transfer_time"),
                                   &figure("transfer_share"),     &figure("transfer_overlap"),
                                   &figure("transfer_rate"),      &figure("link_peak")};
constexpr std::array kOpColumns{&figure("transfer_operation"), &figure("transfer_phase"),
                                &figure("transfer_count"),     &figure("transfer_bytes"),
                                &figure("transfer_time"),      &figure("transfer_share")};

QStringList titlesOf(std::span<const profiling::Figure* const> columns) {
    QStringList titles;
    for (const profiling::Figure* column : columns)
        titles << figureTitle(*column);
    return titles;
}

void explainColumns(QTreeWidget* table, std::span<const profiling::Figure* const> columns) {
    for (std::size_t i = 0; i < columns.size(); ++i)
        table->headerItem()->setToolTip(static_cast<int>(i), figureMeaning(*columns[i]));
}

QString peakText(const profiling::TransferBreakdown& transfers, profiling::CopyRoute route) {
    const auto& peak = transfers.peaks[static_cast<std::size_t>(route)];
    return peak ? rateText(peak->gbPerS) : QStringLiteral("\u2013");
}

void addTransfers(QTreeWidget* table, const QString& what, const profiling::TransferBreakdown& transfers) {
    if (transfers.groups.empty())
        return;
    QTreeWidgetItem* part = addReportPart(table, what);
    for (const profiling::TransferGroup& group : transfers.groups)
        addReportRow(table,
                     {routeText(group.route), hostMemoryText(group.memory), countText(group.count),
                      byteText(static_cast<double>(group.bytes)), byteText(group.meanBytes()),
                      spanTimeText(group.busyNs), shareText(group.shareOf(transfers.wallNs)),
                      shareText(group.overlapShare()), rateText(group.gbPerS()),
                      peakText(transfers, group.route)},
                     part);
}

} // namespace

TransferSection::TransferSection(QWidget* parent) : QWidget(parent) {
    m_groups = makeReportTable("deviceTransfers", tr("Transfers by direction and host memory"),
                               titlesOf(kGroupColumns), 2);
    explainColumns(m_groups, kGroupColumns);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::kSpacing);
    column->addWidget(buildTitle());
    column->addWidget(m_groups);
    column->addWidget(buildLower());
}

QWidget* TransferSection::buildTitle() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * Theme::kSpacing);
    m_where = makeLabel({}, "muted");
    m_where->setObjectName(QStringLiteral("transferRange"));
    m_where->setWordWrap(true);
    m_whole = new QPushButton(tr("Whole Recording"));
    m_whole->setObjectName(QStringLiteral("clearTransferRange"));
    m_whole->setToolTip(tr("Count the whole recording again"));
    connect(m_whole, &QPushButton::clicked, this, &TransferSection::wholeRequested);
    row->addWidget(makeLabel(tr("Transfers"), "heading"));
    row->addWidget(m_where, 1);
    row->addWidget(m_whole);
    return bar;
}

QWidget* TransferSection::buildLower() {
    auto* lower = new QWidget;
    auto* row = new QHBoxLayout(lower);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * Theme::kSpacing);
    auto* left = new QVBoxLayout;
    left->setSpacing(Theme::kSpacing / 2);
    auto* title = new QHBoxLayout;
    m_measure = new QComboBox;
    m_measure->setObjectName(QStringLiteral("histogramMeasure"));
    m_measure->setAccessibleName(tr("What the bars count"));
    m_measure->addItems({tr("Copies"), tr("Bytes")});
    title->addWidget(makeLabel(tr("By size"), "strong"), 1);
    title->addWidget(m_measure);
    m_sizes = new SizeHistogram;
    connect(m_measure, &QComboBox::currentIndexChanged, m_sizes, [this](int index) {
        m_sizes->setMeasure(index == 0 ? SizeHistogram::Measure::Copies : SizeHistogram::Measure::Bytes);
    });
    left->addLayout(title);
    left->addWidget(m_sizes, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(Theme::kSpacing / 2);
    m_ops = makeReportTable("transferOps", tr("Transfers by operation"), titlesOf(kOpColumns), 2);
    explainColumns(m_ops, kOpColumns);
    right->addWidget(makeLabel(tr("By operation and phase"), "strong"));
    right->addWidget(m_ops);
    right->addStretch(1);
    row->addLayout(left, 4);
    row->addLayout(right, 5);
    return lower;
}

void TransferSection::setReading(const DeviceReadingPtr& reading) {
    m_reading = reading;
    show();
}

void TransferSection::setRange(std::optional<profiling::NsRange> range, RangeTransfersPtr transfers) {
    m_range = range;
    m_inRange = std::move(transfers);
    show();
}

void TransferSection::show() {
    showRange();
    if (!m_reading || (m_range && !m_inRange))
        return; // the figures of the range are on their way
    fillGroups();
    const profiling::TransferBreakdown& shown = m_range ? *m_inRange : m_reading->report.transfers;
    fillOps(shown);
    m_sizes->setTransfers(shown);
}

void TransferSection::showRange() {
    m_whole->setVisible(m_range.has_value());
    if (!m_range) {
        m_where->setText(tr("A range on the timeline can be looked at alone: select one there and press "
                            "Transfers Here."));
        return;
    }
    const std::int64_t start = m_reading ? m_range->startNs - m_reading->trace->startNs() : 0;
    m_where->setText(
        tr("In the selected %1 from %2 on").arg(spanTimeText(m_range->lengthNs()), spanTimeText(start)));
}

void TransferSection::fillGroups() {
    m_groups->clear();
    if (m_range) {
        addTransfers(m_groups, tr("selected range: %1 of wall time").arg(spanTimeText(m_inRange->wallNs)),
                     *m_inRange);
    } else {
        addTransfers(
            m_groups,
            tr("whole recording: %1 of wall time").arg(spanTimeText(m_reading->report.transfers.wallNs)),
            m_reading->report.transfers);
        for (const profiling::RunFigures& run : m_reading->report.figures)
            addTransfers(m_groups,
                         tr("%1, traced samples: %2 of wall time")
                             .arg(phraseText(run.name), spanTimeText(run.transfers.wallNs)),
                         run.transfers);
    }
    fitReportTable(m_groups, kMostRows);
}

void TransferSection::fillOps(const profiling::TransferBreakdown& transfers) {
    m_ops->clear();
    for (const profiling::OpTransfers& op : transfers.phases) {
        addReportRow(m_ops, {op.op.empty() ? tr("outside of operations") : QString::fromStdString(op.op),
                             QString::fromStdString(op.phase), countText(op.count),
                             byteText(static_cast<double>(op.bytes)), spanTimeText(op.busyNs),
                             shareText(op.shareOf(transfers.wallNs))});
    }
    fitReportTable(m_ops, kMostRows);
}

} // namespace heteroscope::ui

#include "moc_transfer_section.cpp"
