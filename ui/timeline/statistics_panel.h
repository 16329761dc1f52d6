// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the chosen range (or the whole recording), computed beside the window's thread. GUI thread.
#pragma once

#include "ui/timeline/statistics_model.h"
#include "ui/timeline/timeline_state.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace heteroscope::ui {

class StatisticsPanel : public QWidget {
    Q_OBJECT
  public:
    enum class Kind { Names, Tracks };

    /// `state` outlives the panel.
    StatisticsPanel(TimelineState* state, Kind kind, QWidget* parent = nullptr);
    bool isBusy() const { return m_running || m_delay.isActive(); }
    QString text(CellTable::Form form) const;

  signals:
    void ready();
    void searchRequested(const QString& name); ///< double click on a name

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void buildBar();
    void buildTable();
    void schedule();
    void scheduleGrowth();
    void start();
    void show(RangeStatistics statistics);
    std::vector<std::pair<profiling::TrackId, QString>> tracks() const;
    void activate(const QModelIndex& index);

    TimelineState* m_state;
    Kind m_kind;
    NameStatisticsModel* m_names;
    TrackStatisticsModel* m_tracks;
    QSortFilterProxyModel* m_sorted;
    QComboBox* m_scope;
    QLabel* m_summary;
    QTableView* m_table;
    QTimer m_delay;
    QElapsedTimer m_clock;
    qint64 m_lastMs = 0; ///< what the last count took
    bool m_running = false, m_again = false;
    std::uint64_t m_counted = 0; ///< version of the layout in the table
};

} // namespace heteroscope::ui
