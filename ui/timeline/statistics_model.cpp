// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of what happened in a range: by name, and by track.
#include "ui/timeline/statistics_model.h"

#include "ui/common/format.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/timeline/time_format.h"

#include <QLocale>

#include <algorithm>

namespace heteroscope::ui {

namespace {

double shareOf(std::int64_t ns, const TimeRange& range) {
    return range.endNs > range.startNs ? static_cast<double>(ns) / range.lengthNs() : 0.0;
}

QString rangeText(const RangeStatistics& data) {
    const QString length = formatDuration(data.range.lengthNs());
    return data.whole ? QObject::tr("%1 recording").arg(length) : QObject::tr("%1 range").arg(length);
}

} // namespace

RangeStatistics computeStatistics(const profiling::Trace& trace, TimeRange range, bool whole,
                                  const std::vector<std::pair<profiling::TrackId, QString>>& tracks) {
    RangeStatistics result{range, whole, tracks.size(), {}, {}};
    std::vector<profiling::TrackId> ids;
    for (const auto& [id, path] : tracks)
        ids.push_back(id);
    if (ids.empty())
        return result; // an empty list would mean all tracks to the store
    for (const profiling::SpanStats& stats : trace.statistics(range.startNs, range.endNs, ids))
        result.names.push_back({QString::fromStdString(trace.string(stats.name)),
                                QString::fromStdString(trace.string(stats.category)), stats});
    for (const auto& [id, path] : tracks)
        if (trace.spanCount(id) > 0)
            result.busy.push_back({path, id, trace.busyNs(id, range.startNs, range.endNs)});
    return result;
}

void NameStatisticsModel::setStatistics(RangeStatistics statistics) {
    beginResetModel();
    m_data = std::move(statistics);
    endResetModel();
}

int NameStatisticsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_data.names.size());
}

int NameStatisticsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant NameStatisticsModel::number(const NameRow& row, int column) const {
    const profiling::SpanStats& stats = row.stats;
    switch (column) {
    case Name:
        return row.name;
    case Category:
        return row.category;
    case Count:
        return static_cast<qulonglong>(stats.count);
    case Total:
        return static_cast<qlonglong>(stats.totalNs);
    case Mean:
        return static_cast<double>(stats.totalNs) /
               static_cast<double>(std::max<std::uint64_t>(1, stats.count));
    case Min:
        return static_cast<qlonglong>(stats.minNs);
    case Max:
        return static_cast<qlonglong>(stats.maxNs);
    case Share:
        return shareOf(stats.totalNs, m_data.range);
    default:
        return {};
    }
}

QVariant NameStatisticsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const NameRow& row = m_data.names[static_cast<std::size_t>(index.row())];
    if (role == Qt::UserRole)
        return number(row, index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (index.column() <= Category ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::DecorationRole && index.column() == Name)
        return Theme::spanColor(row.category, row.name, Theme::instance().isDark());
    if (role == Qt::ToolTipRole && index.column() == Name)
        return shownText(row.name);
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == Count)
        return countText(static_cast<std::int64_t>(row.stats.count));
    if (index.column() == Share)
        return shareText(shareOf(row.stats.totalNs, m_data.range));
    if (index.column() <= Category)
        return shownText(number(row, index.column()).toString());
    return formatDuration(number(row, index.column()).toDouble());
}

QVariant NameStatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (section <= Category ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::UserRole) { // as in exported tables
        static const char* const kKeys[] = {"name",    "category", "count",  "total_ns",
                                            "mean_ns", "min_ns",   "max_ns", "total_over_range"};
        return QString::fromLatin1(kKeys[section]);
    }
    if (role == Qt::ToolTipRole && section == Share)
        return tr("Sum of the durations inside, divided by %1. Nested spans and parallel tracks count each, "
                  "so the "
                  "column may add up to more than 100 %. By track: the time in which a track is busy at all.")
            .arg(rangeText(m_data));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Category:
        return tr("Category");
    case Count:
        return tr("Count");
    case Total:
        return tr("Total");
    case Mean:
        return tr("Mean");
    case Min:
        return tr("Min");
    case Max:
        return tr("Max");
    default:
        return tr("Total / %1").arg(rangeText(m_data));
    }
}

void TrackStatisticsModel::setStatistics(RangeStatistics statistics) {
    beginResetModel();
    m_data = std::move(statistics);
    endResetModel();
}

int TrackStatisticsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_data.busy.size());
}

int TrackStatisticsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TrackStatisticsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const TrackRow& row = m_data.busy[static_cast<std::size_t>(index.row())];
    const std::int64_t idle = m_data.range.endNs - m_data.range.startNs - row.busyNs;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (index.column() == Track ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole && role != Qt::UserRole)
        return {};
    const bool plain = role == Qt::UserRole;
    switch (index.column()) {
    case Track:
        return row.path;
    case Busy:
        return plain ? QVariant(static_cast<qlonglong>(row.busyNs))
                     : formatDuration(static_cast<double>(row.busyNs));
    case Idle:
        return plain ? QVariant(static_cast<qlonglong>(idle)) : formatDuration(static_cast<double>(idle));
    default:
        return plain ? QVariant(shareOf(row.busyNs, m_data.range))
                     : shareText(shareOf(row.busyNs, m_data.range));
    }
}

QVariant TrackStatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (section == Track ? Qt::AlignLeft : Qt::AlignRight));
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::UserRole))
        return {};
    static const char* const kKeys[] = {"track", "busy_ns", "idle_ns", "busy_over_range"};
    if (role == Qt::UserRole)
        return QString::fromLatin1(kKeys[section]);
    switch (section) {
    case Track:
        return tr("Track");
    case Busy:
        return tr("Busy");
    case Idle:
        return tr("Idle");
    default:
        return tr("Busy / %1").arg(rangeText(m_data));
    }
}

QString tableText(const QAbstractItemModel& model, CellTable::Form form) {
    CellTable table(form);
    for (int row = -1; row < model.rowCount(); ++row) {
        for (int column = 0; column < model.columnCount(); ++column) {
            const QVariant value = row < 0 ? model.headerData(column, Qt::Horizontal, Qt::UserRole)
                                           : model.index(row, column).data(Qt::UserRole);
            const QString text = value.userType() == QMetaType::Double
                                     ? QLocale::c().toString(value.toDouble(), 'g', 12)
                                     : value.toString();
            table.cell(text.toStdString());
        }
        table.endLine();
    }
    return QString::fromStdString(table.text());
}

} // namespace heteroscope::ui

#include "moc_statistics_model.cpp"
