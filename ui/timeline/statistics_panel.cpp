// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the chosen range (or the whole recording), computed beside the window's thread.
#include "ui/timeline/statistics_panel.h"

#include "ui/common/table_header.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"
#include "ui/timeline/time_format.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPointer>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QThreadPool>
#include <QToolButton>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {
enum Scope { ShownTracks, AllTracks, SelectedTrack };
constexpr int kDelayMs = 120;
} // namespace

StatisticsPanel::StatisticsPanel(TimelineState* state, Kind kind, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_kind(kind),
      m_names(new NameStatisticsModel(this)),
      m_tracks(new TrackStatisticsModel(this)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_scope(new QComboBox(this)),
      m_summary(makeLabel({}, "muted", this)),
      m_table(new QTableView(this)) {
    setObjectName(kind == Kind::Names ? QStringLiteral("statisticsByName")
                                      : QStringLiteral("statisticsByTrack"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildBar();
    buildTable();
    column->addWidget(m_table, 1);
    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, &StatisticsPanel::start);
    for (const auto signal : {&TimelineState::traceChanged, &TimelineState::rangeChanged})
        connect(state, signal, this, &StatisticsPanel::schedule);
    connect(state, &TimelineState::dataChanged, this, &StatisticsPanel::scheduleGrowth);
    connect(state, &TimelineState::rowsChanged, this, [this] {
        // The same signal tells of scrolling, which changes no row.
        if (m_scope->currentIndex() == ShownTracks && m_state->layout().version() != m_counted)
            schedule();
    });
    connect(state, &TimelineState::selectionChanged, this, [this] {
        if (m_scope->currentIndex() == SelectedTrack)
            schedule();
    });
    connect(m_scope, &QComboBox::currentIndexChanged, this, &StatisticsPanel::schedule);
}

void StatisticsPanel::buildBar() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Theme::kSpacing, Theme::kSpacing / 2, Theme::kSpacing, Theme::kSpacing / 2);
    row->setSpacing(Theme::kSpacing);
    m_scope->setAccessibleName(tr("Tracks counted"));
    m_scope->addItems({tr("Shown tracks"), tr("All tracks"), tr("Track of the selection")});
    m_summary->setObjectName(QStringLiteral("statisticsSummary"));
    row->addWidget(m_scope);
    row->addWidget(m_summary, 1);
    for (const bool csv : {false, true}) {
        auto* copy = new QToolButton(this);
        copy->setText(csv ? tr("Copy CSV") : tr("Copy TSV"));
        copy->setToolTip(csv ? tr("The table as comma-separated values") : tr("The table for a spreadsheet"));
        connect(copy, &QToolButton::clicked, this, [this, csv] {
            QApplication::clipboard()->setText(text(csv ? CellTable::Form::Csv : CellTable::Form::Tsv));
        });
        row->addWidget(copy);
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

void StatisticsPanel::buildTable() {
    m_sorted->setSortRole(Qt::UserRole);
    if (m_kind == Kind::Names)
        m_sorted->setSourceModel(m_names);
    else
        m_sorted->setSourceModel(m_tracks);
    setRole(m_table, "plain");
    m_table->setHorizontalHeader(new TableHeader(m_table));
    m_table->setObjectName(QStringLiteral("statisticsTable"));
    m_table->setAccessibleName(m_kind == Kind::Names ? tr("Statistics by name") : tr("Statistics by track"));
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->setIconSize(QSize(10, 10));
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->sortByColumn(m_kind == Kind::Names ? int(NameStatisticsModel::Total)
                                                : int(TrackStatisticsModel::Busy),
                          Qt::DescendingOrder);
    connect(m_table, &QTableView::activated, this, &StatisticsPanel::activate);
    auto* copy = new QAction(tr("Copy"), m_table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this,
            [this] { QApplication::clipboard()->setText(text(CellTable::Form::Tsv)); });
    m_table->addAction(copy);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void StatisticsPanel::activate(const QModelIndex& index) {
    const QModelIndex source = m_sorted->mapToSource(index);
    if (m_kind == Kind::Names)
        emit searchRequested(m_names->statistics().names[static_cast<std::size_t>(source.row())].name);
    else
        m_state->revealTrack(m_names->statistics().busy[static_cast<std::size_t>(source.row())].track);
}

QString StatisticsPanel::text(CellTable::Form form) const {
    return tableText(*m_sorted, form);
}

void StatisticsPanel::showEvent(QShowEvent*) {
    schedule();
}

void StatisticsPanel::schedule() {
    if (isVisible())
        m_delay.start(kDelayMs);
}

/// A growing trace is counted again now and then: the counting takes a fifth of one processor at most.
void StatisticsPanel::scheduleGrowth() {
    constexpr int kRest = 4;
    if (!isVisible() || m_delay.isActive() || m_running)
        return;
    m_delay.start(std::max(kDelayMs, static_cast<int>(kRest * m_lastMs)));
}

std::vector<std::pair<profiling::TrackId, QString>> StatisticsPanel::tracks() const {
    std::vector<profiling::TrackId> ids;
    const TrackLayout& layout = m_state->layout();
    if (m_scope->currentIndex() == ShownTracks)
        ids = layout.shownTracks();
    else if (m_scope->currentIndex() == AllTracks)
        for (const TrackInfo& info : layout.tracks())
            ids.push_back(info.id);
    else if (m_state->selected().valid())
        ids.push_back(m_state->selected().track);
    std::vector<std::pair<profiling::TrackId, QString>> named;
    for (const profiling::TrackId id : ids)
        if (const TrackInfo* info = layout.track(id);
            info && info->kind != profiling::TrackKind::Counter && info->lanes > 0)
            named.emplace_back(id, layout.path(id));
    return named;
}

void StatisticsPanel::start() {
    if (m_running) {
        m_again = true; // the answer on its way is for an older question
        return;
    }
    if (!m_state->trace())
        return show({});
    m_running = true;
    m_clock.start();
    m_counted = m_state->layout().version();
    m_again = false;
    const auto trace = m_state->trace();
    const bool whole = !m_state->range();
    const TimeRange range = m_state->range().value_or(TimeRange{trace->startNs(), trace->endNs()});
    QThreadPool::globalInstance()->start([self = QPointer(this), trace, range, whole, list = tracks()] {
        RangeStatistics result = computeStatistics(*trace, range, whole, list);
        QMetaObject::invokeMethod(
            qApp,
            [self, result = std::move(result)]() mutable {
                if (self)
                    self->show(std::move(result));
            },
            Qt::QueuedConnection);
    });
}

void StatisticsPanel::show(RangeStatistics statistics) {
    m_running = false;
    m_lastMs = m_clock.isValid() ? m_clock.elapsed() : 0;
    const QString where = statistics.whole ? tr("Whole recording") : tr("Range");
    m_summary->setText(tr("%1, %2 on %3 tracks; durations are cut to it")
                           .arg(where, formatDuration(statistics.range.lengthNs()))
                           .arg(statistics.tracks));
    m_tracks->setStatistics(statistics);
    m_names->setStatistics(std::move(statistics));
    if (m_again)
        return start();
    emit ready();
}

} // namespace heteroscope::ui

#include "moc_statistics_panel.cpp"
