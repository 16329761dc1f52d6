// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of what happened in a range: by name, and by track. GUI thread.
#pragma once

#include "compute/base/cell_table.h"
#include "profiling/trace/trace.h"
#include "ui/timeline/timeline_state.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace heteroscope::ui {

struct NameRow {
    QString name, category;
    profiling::SpanStats stats;
};
struct TrackRow {
    QString path;
    profiling::TrackId track = profiling::kNoTrack;
    std::int64_t busyNs = 0; ///< union of its spans
};

/// One computed table; `range` is the denominator of every share.
struct RangeStatistics {
    TimeRange range;
    bool whole = true; ///< no range was chosen
    std::size_t tracks = 0;
    std::vector<NameRow> names;
    std::vector<TrackRow> busy;
};

/// Any thread; the trace is only read.
RangeStatistics computeStatistics(const profiling::Trace& trace, TimeRange range, bool whole,
                                  const std::vector<std::pair<profiling::TrackId, QString>>& tracks);

/// By name: durations are clipped to the range and summed over the tracks. Sort by Qt::UserRole.
class NameStatisticsModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Name, Category, Count, Total, Mean, Min, Max, Share, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setStatistics(RangeStatistics statistics);
    const RangeStatistics& statistics() const { return m_data; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QVariant number(const NameRow& row, int column) const;
    RangeStatistics m_data;
};

/// By track: time in which at least one span is open, never above the range.
class TrackStatisticsModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Track, Busy, Idle, Share, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setStatistics(RangeStatistics statistics);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    RangeStatistics m_data;
};

/// Header line and rows as shown; numbers in nanoseconds and plain digits, for spreadsheets.
QString tableText(const QAbstractItemModel& model, CellTable::Form form);

} // namespace heteroscope::ui
