// SPDX-License-Identifier: GPL-3.0-or-later
// Stored runs as a table; tags and notes are edited in place. GUI thread.
#pragma once

#include "ui/library/library_entry.h"

#include <QAbstractTableModel>

#include <vector>

namespace heteroscope::ui {

class LibraryModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Name, Started, File, Kind, Targets, Points, Best, Machine, Tags, Notes, kColumns };
    enum Role { PathRole = Qt::UserRole, SortRole, SearchRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setEntries(std::vector<LibraryEntry> entries);
    void removePath(const QString& path);
    const std::vector<LibraryEntry>& entries() const { return m_entries; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  signals:
    void edited(const heteroscope::ui::LibraryEntry& entry); ///< written to its sidecar
    void failed(const QString& sentence);

  private:
    QString text(const LibraryEntry& entry, int column) const;
    QVariant sortValue(const LibraryEntry& entry, int column) const;

    std::vector<LibraryEntry> m_entries;
};

} // namespace heteroscope::ui
