// SPDX-License-Identifier: GPL-3.0-or-later
// The cache of summaries in SQLite. It can be deleted at any time: everything in it is rebuilt from run files
// and their sidecars. One thread, the one that called open().
#pragma once

#include "ui/library/library_entry.h"

#include <QString>

#include <optional>

namespace heteroscope::ui {

/// Why the index cannot be used, or not now.
struct IndexTrouble {
    enum class Kind {
        Busy,    ///< another program holds it; it was waited for as long as LibraryIndex says
        Damaged, ///< its bytes are no index, or that of another version
        Other    ///< the disk, the rights
    };
    Kind kind = Kind::Other;
    QString reason; ///< SQLite's words
};

class LibraryIndex {
  public:
    static constexpr int kWaitMs = 3000; ///< for another program that holds the file

    LibraryIndex() = default;
    ~LibraryIndex();
    LibraryIndex(const LibraryIndex&) = delete;
    LibraryIndex& operator=(const LibraryIndex&) = delete;

    // What does not succeed returns the trouble and changes nothing; the library works without an index, only
    // slower.

    std::optional<IndexTrouble> open(const QString& path);
    bool isOpen() const { return !m_connection.isEmpty(); }
    void close();

    std::optional<IndexTrouble> read(std::vector<LibraryEntry>& entries) const;
    std::optional<IndexTrouble> put(const std::vector<LibraryEntry>& entries); ///< one transaction
    std::optional<IndexTrouble> remove(const QStringList& paths);              ///< one transaction

    /// Closes it and gives the file, with what SQLite keeps beside it, another name: "PATH.damaged-1". Empty
    /// where that fails.
    QString setAside(const QString& path);

  private:
    QString m_connection;
};

} // namespace heteroscope::ui
