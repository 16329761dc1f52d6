// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at the folder of run files on a thread of its own and keeps the index. Lives on that thread.
#pragma once

#include "ui/library/library_index.h"

#include <QObject>

#include <atomic>

namespace heteroscope::ui {

class LibraryWorker : public QObject {
    Q_OBJECT
  public:
    static constexpr int kProgressMs = 100; ///< between two words about the progress

    explicit LibraryWorker(QString indexPath);
    void cancel() { m_cancelled.store(true); } ///< any thread

    // On the worker's thread:
    void scan(const QString& directory);
    void store(const LibraryEntry& entry); ///< tags and notes changed

  signals:
    void scanned(const std::vector<heteroscope::ui::LibraryEntry>& entries);
    void progress(int done, int total);
    void problem(const QString& sentence);

  private:
    void openIndex();
    std::vector<LibraryEntry> readIndex();
    void keep(const std::vector<LibraryEntry>& entries);
    void tell(const IndexTrouble& trouble);
    void setAside(const IndexTrouble& trouble); ///< and begins a new one

    LibraryIndex m_index;
    QString m_indexPath;
    std::atomic<bool> m_cancelled = false;
    bool m_hopeless = false; ///< no index can be kept there
};

} // namespace heteroscope::ui
