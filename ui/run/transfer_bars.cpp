// SPDX-License-Identifier: GPL-3.0-or-later
// Bars of the transfers so far.
#include "ui/run/transfer_bars.h"

#include "compute/core/target.h"
#include "profiling/analysis/figures.h"
#include "ui/common/figure_text.h"
#include "ui/common/share_bar.h"
#include "ui/common/table_header.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

using profiling::figure;

constexpr int kRowHeight = 24, kMostRows = 5;

bool usesGpu(const profiling::Study& study) {
    return std::any_of(study.runs.begin(), study.runs.end(),
                       [](const profiling::StudyRun& run) { return compute::namesGpu(run.target); });
}

} // namespace

TransferBars::TransferBars(QWidget* parent)
    : QWidget(parent), m_summary(makeLabel({}, "muted", this)), m_table(new QTableWidget(0, Columns, this)) {
    setObjectName(QStringLiteral("transferBars"));
    m_timer.setSingleShot(true);
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &TransferBars::showNow);
    makeTable();
    auto* title = new QHBoxLayout;
    title->setContentsMargins(TableHeader::kCellMargin, Theme::kSpacing, TableHeader::kCellMargin,
                              Theme::kSpacing / 2);
    title->setSpacing(2 * Theme::kSpacing);
    title->addWidget(makeLabel(tr("Transfers"), "strong", this));
    title->addWidget(m_summary, 1);
    m_summary->setObjectName(QStringLiteral("transferSummary"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(title);
    column->addWidget(m_table);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAttribute(Qt::WA_StyledBackground); // the theme's surface, as the tables around it
    setRole(this, "panel");
    showNow();
}

void TransferBars::makeTable() {
    m_table->setObjectName(QStringLiteral("transferTable"));
    m_table->setAccessibleName(tr("Transfers so far by direction and host memory"));
    setRole(m_table, "plain");
    m_table->setHorizontalHeader(new TableHeader(m_table));
    m_table->setHorizontalHeaderLabels({figureTitle(figure("transfer_direction")),
                                        figureTitle(figure("transfer_memory")),
                                        {},
                                        figureTitle(figure("transfer_share")),
                                        figureTitle(figure("transfer_bytes")),
                                        figureTitle(figure("transfer_count")),
                                        figureTitle(figure("transfer_time")),
                                        figureTitle(figure("transfer_rate"))});
    m_table->horizontalHeaderItem(Share)->setToolTip(figureMeaning(figure("transfer_share")));
    m_table->horizontalHeaderItem(Time)->setToolTip(figureMeaning(figure("transfer_time")));
    m_table->horizontalHeaderItem(Rate)->setToolTip(figureMeaning(figure("transfer_rate")));
    m_table->setItemDelegateForColumn(ShareBar, new ShareBarDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setMinimumSectionSize(kRowHeight);
    const int widths[] = {150, 120, 240, 110, 110, 110, 110, 110};
    for (int column = 0; column < Columns; ++column) {
        m_widest[static_cast<std::size_t>(column)] = widths[column];
        m_table->setColumnWidth(column, widths[column]);
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            (column > ShareBar ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    m_table->horizontalHeader()->setSectionResizeMode(ShareBar, QHeaderView::Stretch);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
}

void TransferBars::setSession(std::shared_ptr<StudySession> session) {
    if (m_session)
        m_session->disconnect(this);
    m_session = std::move(session);
    if (m_session) {
        connect(m_session.get(), &StudySession::traceGrew, this, &TransferBars::changed);
        connect(m_session.get(), &StudySession::studyChanged, this, &TransferBars::changed);
        connect(m_session.get(), &StudySession::stateChanged, this, &TransferBars::showNow);
    }
    showNow();
}

void TransferBars::changed() {
    if (!m_timer.isActive())
        m_timer.start();
}

void TransferBars::showNow() {
    m_timer.stop();
    setVisible(m_session && usesGpu(m_session->study()));
    if (!m_session)
        return;
    const profiling::LiveTransfers& now = m_session->transfers();
    m_table->setVisible(now.count > 0);
    const bool live = m_session->state() == StudySession::State::Live;
    if (now.count == 0) {
        m_summary->setText(live ? tr("No copy between host and device has been recorded yet.")
                                : tr("No copy between host and device was recorded."));
        return;
    }
    const QString text = live ? tr("%1 in %2 copies; a copy runs in %3 of %4 so far")
                              : tr("%1 in %2 copies; a copy ran in %3 of %4");
    m_summary->setText(text.arg(
        byteText(static_cast<double>(now.bytes)), countText(now.count),
        shareText(now.wallNs > 0 ? static_cast<double>(now.busyNs) / static_cast<double>(now.wallNs) : 0.0),
        spanTimeText(now.wallNs)));
    fill(now);
}

void TransferBars::fill(const profiling::LiveTransfers& now) {
    const int rows = static_cast<int>(now.groups.size());
    const bool fewer = m_table->rowCount() != rows;
    m_table->setRowCount(rows);
    for (int row = 0; row < rows; ++row) {
        const profiling::LiveTransferGroup& group = now.groups[static_cast<std::size_t>(row)];
        const double share = group.shareOf(now.wallNs);
        const QString texts[] = {routeText(group.route),
                                 hostMemoryText(group.memory),
                                 {},
                                 shareText(share),
                                 byteText(static_cast<double>(group.bytes)),
                                 countText(group.count),
                                 spanTimeText(group.busyNs),
                                 rateText(group.gbPerS())};
        for (int column = 0; column < Columns; ++column) {
            QTableWidgetItem* item = m_table->item(row, column);
            if (item == nullptr) {
                item = new QTableWidgetItem;
                item->setTextAlignment((column > ShareBar ? Qt::AlignRight : Qt::AlignLeft) |
                                       Qt::AlignVCenter);
                m_table->setItem(row, column, item);
            }
            item->setText(texts[column]);
        }
        m_table->item(row, ShareBar)->setData(ShareBarDelegate::kSharesRole, QList<QVariant>{share});
    }
    fitWidths();
    if (fewer)
        fitHeight();
}

/// Texts take what they need of the bar's room. No column becomes narrower while figures change.
void TransferBars::fitWidths() {
    const QAbstractItemView* const view = m_table; // in a table the hint is protected
    for (int column = 0; column < Columns; ++column) {
        const int wanted =
            std::max(view->sizeHintForColumn(column), m_table->horizontalHeader()->sectionSizeHint(column));
        int& widest = m_widest[static_cast<std::size_t>(column)];
        if (column == ShareBar || wanted <= widest)
            continue;
        widest = wanted;
        m_table->setColumnWidth(column, wanted);
    }
}

void TransferBars::fitHeight() {
    const int rows = std::min(m_table->rowCount(), kMostRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows * kRowHeight +
                            2 * m_table->frameWidth());
    m_table->setVerticalScrollBarPolicy(m_table->rowCount() > kMostRows ? Qt::ScrollBarAsNeeded
                                                                        : Qt::ScrollBarAlwaysOff);
}

} // namespace heteroscope::ui

#include "moc_transfer_bars.cpp"
