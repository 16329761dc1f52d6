// SPDX-License-Identifier: GPL-3.0-or-later
// The cache of summaries in SQLite. It can be deleted at any time: everything in it is rebuilt from run files
// and their sidecars. One thread, the one that called open().
#pragma once

#include "ui/library/library_entry.h"

#include <QString>

namespace heteroscope::ui {

class LibraryIndex {
  public:
    LibraryIndex() = default;
    ~LibraryIndex();
    LibraryIndex(const LibraryIndex&) = delete;
    LibraryIndex& operator=(const LibraryIndex&) = delete;

    /// A damaged or older file is replaced. False with a sentence when there can be no index at all; the
    /// library works without one, only slower.
    bool open(const QString& path, QString* error);
    bool isOpen() const { return !m_connection.isEmpty(); }

    std::vector<LibraryEntry> all() const;
    void put(const std::vector<LibraryEntry>& entries); ///< one transaction
    void remove(const QStringList& paths);

  private:
    bool openOnce(const QString& path, QString* error);
    void close();

    QString m_connection;
};

} // namespace heteroscope::ui
