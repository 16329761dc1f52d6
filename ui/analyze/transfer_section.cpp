// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/transfer_section.h"

#include "ui/analyze/report_table.h"
#include "ui/analyze/size_histogram.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {

constexpr int kMostRows = 9;

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
                               {tr("Direction"), tr("Host memory"), tr("Copies"), tr("Bytes"), tr("Mean"),
                                tr("Time"), tr("Of wall time"), tr("Under kernels"), tr("Rate"), tr("Best")},
                               2);
    const auto explain = [this](int column, const QString& text) {
        m_groups->headerItem()->setToolTip(column, text);
    };
    explain(5, tr("Time in which such a copy ran; copies at the same time count once"));
    explain(7, tr("Part of that time in which a kernel ran as well"));
    explain(8, tr("Bytes over that time"));
    explain(9, tr("The best rate of one copy of at least 1 MiB in this direction: what the link "
                  "can do; a dash when there was no such copy"));
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
    m_ops = makeReportTable(
        "transferOps", tr("Transfers by operation"),
        {tr("Operation"), tr("Phase"), tr("Copies"), tr("Bytes"), tr("Time"), tr("Of wall time")}, 2);
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
        addTransfers(m_groups, tr("selected range"), *m_inRange);
    } else {
        addTransfers(m_groups, tr("whole recording"), m_reading->report.transfers);
        for (const profiling::RunFigures& run : m_reading->report.figures)
            addTransfers(m_groups, QString::fromStdString(run.name), run.transfers);
    }
    fitReportTable(m_groups, kMostRows);
}

void TransferSection::fillOps(const profiling::TransferBreakdown& transfers) {
    m_ops->clear();
    for (const profiling::OpTransfers& op : transfers.phases) {
        const double share =
            transfers.wallNs > 0 ? static_cast<double>(op.busyNs) / static_cast<double>(transfers.wallNs) : 0;
        addReportRow(m_ops,
                     {op.op.empty() ? tr("outside of operations") : QString::fromStdString(op.op),
                      QString::fromStdString(op.phase), countText(op.count),
                      byteText(static_cast<double>(op.bytes)), spanTimeText(op.busyNs), shareText(share)});
    }
    fitReportTable(m_ops, kMostRows);
}

} // namespace heteroscope::ui
