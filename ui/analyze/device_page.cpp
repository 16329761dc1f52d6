// SPDX-License-Identifier: GPL-3.0-or-later
// Advice, split of time and transfers of a recording.
#include "ui/analyze/device_page.h"

#include "profiling/analysis/figures.h"
#include "ui/analyze/report_table.h"
#include "ui/analyze/sample_parts_section.h"
#include "ui/analyze/transfer_section.h"
#include "ui/common/figure_text.h"
#include "ui/common/phrase_text.h"
#include "ui/common/placeholder.h"
#include "ui/common/share_bar.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QStackedLayout>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <vector>

namespace heteroscope::ui {

namespace {

using profiling::figure;
using profiling::TimePart;

constexpr int kBarColumn = 2, kFirstPartColumn = 3, kMostRuns = 6;

/// A column of a share of the wall time: of a part, or of what of launch is for copies.
struct ShareColumn {
    const profiling::Figure* figure;
    std::optional<TimePart> part;
};

std::vector<ShareColumn> shareColumns() {
    std::vector<ShareColumn> columns;
    for (std::size_t i = 0; i < profiling::kTimeParts; ++i) {
        const auto part = static_cast<TimePart>(i);
        columns.push_back({&profiling::figureOf(part), part});
        if (part == TimePart::Launch)
            columns.push_back({&figure("launch_of_copies"), std::nullopt});
    }
    return columns;
}

QStringList timeTitles() {
    QStringList titles{figureTitle(figure("run_number")), figureTitle(figure("traced_wall")),
                       DevicePage::tr("Parts")};
    for (const ShareColumn& column : shareColumns())
        titles << figureTitle(*column.figure);
    return titles;
}

} // namespace

DevicePage::DevicePage(QWidget* parent)
    : QWidget(parent),
      m_reporter(new DeviceReporter(this)),
      m_stack(new QStackedLayout(this)),
      m_placeholder(new Placeholder(this)) {
    m_stack->addWidget(m_placeholder);
    m_stack->addWidget(buildTables());
    connect(m_reporter, &DeviceReporter::ready, this, [this](const DeviceReadingPtr& reading) {
        setReading(reading);
        emit readingReady(reading);
        emit busyChanged();
    });
    connect(m_reporter, &DeviceReporter::rangeReady, this, [this](const RangeTransfersPtr& transfers) {
        m_transfers->setRange(m_reporter->range(), transfers);
        emit busyChanged();
    });
    connect(m_transfers, &TransferSection::wholeRequested, this, [this] { setRange(std::nullopt); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { setReading(m_reading); });
    showEmpty();
}

QWidget* DevicePage::buildTables() {
    m_parts = new SamplePartsSection;
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, Theme::kSpacing, 0);
    column->setSpacing(Theme::kSpacing);
    column->addWidget(m_gpu = buildGpuTables(), 1);
    column->addWidget(m_parts);
    column->addStretch(0);
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

QWidget* DevicePage::buildGpuTables() {
    m_advice = new QListWidget;
    m_advice->setObjectName(QStringLiteral("deviceAdvice"));
    m_advice->setAccessibleName(tr("Advice: Enter shows the place in the timeline"));
    m_advice->setWordWrap(true);
    m_advice->setAlternatingRowColors(true);
    m_advice->setSpacing(Theme::kSpacing / 4);
    connect(m_advice, &QListWidget::itemActivated, this, &DevicePage::jump);
    m_times = makeReportTable("deviceTimes", tr("Where the wall time of each run went"), timeTitles(),
                              kFirstPartColumn);
    m_times->setItemDelegateForColumn(kBarColumn, new ShareBarDelegate(m_times));
    m_times->header()->resizeSection(kBarColumn, 120);
    m_transfers = new TransferSection;
    auto* tables = new QWidget;
    auto* column = new QVBoxLayout(tables);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::kSpacing);
    column->addWidget(makeLabel(tr("Advice"), "heading"));
    auto* hint = makeLabel(tr("Enter or a double click shows the place in the timeline."), "muted");
    hint->setWordWrap(true); // the longest line must not widen the window
    column->addWidget(hint);
    m_advice->setMinimumHeight(170);
    column->addWidget(m_advice, 1);
    column->addWidget(makeLabel(tr("Wall time of the traced samples on GPUs"), "heading"));
    column->addWidget(m_times);
    m_scales = makeLabel({}, "muted");
    m_scales->setObjectName(QStringLiteral("deviceScales"));
    m_scales->setWordWrap(true);
    column->addWidget(m_scales);
    column->addWidget(m_transfers);
    return tables;
}

void DevicePage::setSession(std::shared_ptr<StudySession> session) {
    m_reporter->setSession(std::move(session));
    setReading({});
}

void DevicePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_reporter->setWanted(true);
    if (!m_reading)
        showEmpty();
}

void DevicePage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_reporter->setWanted(m_readAlways);
}

void DevicePage::setReadAlways(bool always) {
    m_readAlways = always;
    m_reporter->setWanted(always || isVisible());
}

void DevicePage::showEmpty() {
    const bool waiting = m_reporter->hasSession() && !m_reading;
    m_placeholder->setBusy(waiting);
    if (waiting)
        m_placeholder->setContent(QStringLiteral("analyze"), tr("Reading the recording"),
                                  tr("Transfers, times and advice appear when it is read."));
    else
        m_placeholder->setContent(QStringLiteral("analyze"), tr("No work was recorded"),
                                  tr("Run an experiment with tracing on, or open a recording of one."));
    m_stack->setCurrentIndex(0);
}

void DevicePage::setReading(const DeviceReadingPtr& reading) {
    m_reading = reading;
    const bool onGpu = m_reading && m_reading->report.work.any();
    if (!onGpu && (!m_reading || m_reading->parts.empty())) {
        showEmpty();
        return;
    }
    m_gpu->setVisible(onGpu);
    if (onGpu) {
        fillAdvice();
        fillTimes();
        m_transfers->setReading(m_reading);
    }
    m_parts->setParts(m_reading->parts);
    m_stack->setCurrentIndex(1);
}

void DevicePage::fillAdvice() {
    const int current = m_advice->currentRow(); // a live list keeps its place
    m_advice->clear();
    for (const profiling::Advice& advice : m_reading->report.advice) {
        auto* item = new QListWidgetItem(phraseText(advice.sentences), m_advice);
        item->setToolTip(phraseText(advice.basis));
    }
    if (m_reading->report.advice.empty())
        (new QListWidgetItem(tr("No rule found anything."), m_advice))->setFlags(Qt::NoItemFlags);
    m_advice->setCurrentRow(std::min(current, m_advice->count() - 1));
}

void DevicePage::fillTimes() {
    m_times->clear();
    const std::vector<ShareColumn> columns = shareColumns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const int column = kFirstPartColumn + static_cast<int>(i);
        m_times->headerItem()->setToolTip(column, figureMeaning(*columns[i].figure));
        if (columns[i].part)
            m_times->headerItem()->setIcon(column, shareIcon(static_cast<int>(*columns[i].part)));
    }
    QStringList scales;
    for (std::size_t run = 0; run < m_reading->report.times.size(); ++run) {
        const profiling::DeviceTimeSplit& split = m_reading->report.times[run].total;
        QStringList cells{phraseText(m_reading->report.figures[run].name), spanTimeText(split.wallNs),
                          QString()};
        QList<QVariant> shares;
        for (const ShareColumn& column : columns) {
            if (column.part)
                shares << split.share(*column.part);
            cells << shareText(column.part ? split.share(*column.part)
                                           : split.shareOf(split.launchOfCopiesNs));
        }
        if (const profiling::Phrase scale = m_reading->report.figures[run].sampleTimesText(); !scale.empty())
            scales << phraseText(m_reading->report.figures[run].name) + QStringLiteral(": ") +
                          phraseText(scale);
        addReportRow(m_times, cells)->setData(kBarColumn, ShareBarDelegate::kSharesRole, shares);
    }
    fitReportTable(m_times, kMostRuns, kBarColumn);
    m_scales->setText(scales.join(QLatin1Char('\n')));
    m_scales->setVisible(!scales.isEmpty());
}

void DevicePage::setRange(std::optional<profiling::NsRange> range) {
    m_transfers->setRange(range, nullptr);
    m_reporter->setRange(range);
}

void DevicePage::jump(const QListWidgetItem* item) {
    const auto row = static_cast<std::size_t>(m_advice->row(item));
    if (!m_reading || row >= m_reading->report.advice.size())
        return;
    const profiling::Place& place = m_reading->report.advice[row].place;
    const bool whole = place.range.lengthNs() == 0;
    emit showTimelineRequested(whole ? m_reading->trace->startNs() : place.range.startNs,
                               whole ? m_reading->trace->endNs() : place.range.endNs, place.track);
}

} // namespace heteroscope::ui

#include "moc_device_page.cpp"
