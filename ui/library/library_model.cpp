// SPDX-License-Identifier: GPL-3.0-or-later
// The table of stored runs.
#include "ui/library/library_model.h"

#include "compute/base/axis_name.h"
#include "compute/base/json_memory.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/phrase_text.h"

namespace heteroscope::ui {

namespace {

QIcon stateIcon(const QString& state) {
    if (state == QLatin1String("done"))
        return icon(QStringLiteral("good"), IconTone::Good);
    if (state == QLatin1String("failed") || state == QLatin1String("damaged") ||
        state == QLatin1String("unreadable"))
        return icon(QStringLiteral("error"), IconTone::Error);
    return icon(QStringLiteral("warning"), IconTone::Warning);
}

QStringList tagsFrom(const QString& text) {
    QStringList tags;
    for (const QString& part : text.split(QLatin1Char(','))) {
        const QString tag = part.simplified();
        if (!tag.isEmpty() && !tags.contains(tag))
            tags.append(tag);
    }
    return tags;
}

QString searchText(const LibraryEntry& entry) {
    return QStringList({entry.name, entry.kind, experimentKindText(entry.kind),
                        entry.targets.join(QLatin1Char(' ')), entry.machine,
                        entry.tags.join(QLatin1Char(' ')), entry.notes, entry.state,
                        entry.path.section('/', -1)})
        .join(QLatin1Char('\n'));
}

} // namespace

void LibraryModel::setEntries(std::vector<LibraryEntry> entries) {
    beginResetModel();
    m_entries = std::move(entries);
    endResetModel();
}

void LibraryModel::removePath(const QString& path) {
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (m_entries[i].path != path)
            continue;
        beginRemoveRows({}, int(i), int(i));
        m_entries.erase(m_entries.begin() + std::ptrdiff_t(i));
        endRemoveRows();
        return;
    }
}

int LibraryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_entries.size());
}

int LibraryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

namespace {

/// "cpu/openmp, size=1024" in the window's language.
QString bestText(const LibraryEntry& entry) {
    MemoryBudget budget;
    const auto point = parseJson(entry.bestPoint.toStdString(), budget, entry.path.toStdString());
    return point && point->is_object()
               ? entry.bestTarget + QStringLiteral(", ") + phraseText(pointPhrase(*point))
               : entry.bestTarget;
}

} // namespace

QString LibraryModel::text(const LibraryEntry& entry, int column) const {
    switch (column) {
    case Name:
        return entry.name;
    case Started:
        return formatWhen(entry.started);
    case File:
        return entry.path.section('/', -1);
    case Kind:
        return experimentKindText(entry.kind);
    case Targets:
        return entry.targets.join(QStringLiteral(", "));
    case Points:
        return entry.points > 0 ? countText(entry.points) : QString();
    case Best:
        return entry.bestSpeedup > 0 ? formatSpeedup(entry.bestSpeedup) : QString();
    case Machine:
        return entry.machine;
    case Tags:
        return entry.tags.join(QStringLiteral(", "));
    case Notes:
        return entry.notes;
    default:
        return {};
    }
}

QVariant LibraryModel::sortValue(const LibraryEntry& entry, int column) const {
    switch (column) {
    case Started:
        return entry.started;
    case Points:
        return entry.points;
    case Best:
        return entry.bestSpeedup;
    default:
        return text(entry, column);
    }
}

QVariant LibraryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const LibraryEntry& entry = m_entries[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return text(entry, index.column());
    case Qt::ToolTipRole:
        if (index.column() == Best && !entry.bestTarget.isEmpty())
            return tr("%1, against the reference").arg(bestText(entry));
        if (index.column() == Started)
            return entry.started.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        if (index.column() == File)
            return entry.path;
        return index.column() == Name ? tr("%1 (%2)").arg(entry.path, entry.state)
                                      : text(entry, index.column());
    case Qt::DecorationRole:
        return index.column() == Name ? QVariant(stateIcon(entry.state)) : QVariant();
    case Qt::AccessibleTextRole:
        return index.column() == Name ? tr("%1, %2").arg(entry.name, entry.state)
                                      : text(entry, index.column());
    case Qt::TextAlignmentRole:
        return int((index.column() == Points || index.column() == Best ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    case PathRole:
        return entry.path;
    case SortRole:
        return sortValue(entry, index.column());
    case SearchRole:
        return searchText(entry);
    default:
        return {};
    }
}

bool LibraryModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || (index.column() != Tags && index.column() != Notes))
        return false;
    LibraryEntry changed = m_entries[std::size_t(index.row())];
    if (index.column() == Tags)
        changed.tags = tagsFrom(value.toString());
    else
        changed.notes = value.toString().trimmed();
    if (const Status written = writeSidecar(changed); !written) {
        emit failed(tr("Tags and notes of %1 could not be saved: %2.")
                        .arg(changed.name, fromStd(written.error().sentence())));
        return false;
    }
    m_entries[std::size_t(index.row())] = changed;
    emit dataChanged(index, index);
    emit edited(changed);
    return true;
}

Qt::ItemFlags LibraryModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == Tags || index.column() == Notes)
        flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant LibraryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Points || section == Best ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && (section == Tags || section == Notes))
        return tr("Double-click a cell to edit it; tags are separated by commas");
    if (role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Name"),   tr("Started"), tr("File"),    tr("Kind"), tr("Targets"),
                              tr("Points"), tr("Speedup"), tr("Machine"), tr("Tags"), tr("Notes")};
    return titles[section];
}

} // namespace heteroscope::ui

#include "moc_library_model.cpp"
