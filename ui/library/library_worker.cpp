// SPDX-License-Identifier: GPL-3.0-or-later
// The library's background work.
#include "ui/library/library_worker.h"

#include <QDir>
#include <QHash>

namespace heteroscope::ui {

LibraryWorker::LibraryWorker(QString indexPath) : m_indexPath(std::move(indexPath)) {}

void LibraryWorker::openIndex() {
    if (m_tried)
        return;
    m_tried = true;
    QString error;
    if (!m_index.open(m_indexPath, &error))
        emit problem(tr("The library's index cannot be kept (%1); every look at the folder reads all files.")
                         .arg(error));
}

void LibraryWorker::scan(const QString& directory) {
    openIndex();
    QHash<QString, LibraryEntry> known;
    for (LibraryEntry& entry : m_index.all())
        known.insert(entry.path, entry);
    std::vector<LibraryEntry> entries, fresh;
    const QFileInfoList files =
        QDir(directory).entryInfoList({QStringLiteral("*.hscope")}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        if (m_cancelled.load())
            return;
        const auto cached = known.constFind(info.absoluteFilePath());
        const bool same = cached != known.constEnd() && cached->bytes == info.size() &&
                          cached->modifiedMs == info.lastModified().toMSecsSinceEpoch();
        LibraryEntry entry = same ? *cached : summarizeRunFile(info.absoluteFilePath());
        if (same)
            readSidecar(entry); // the sidecar is the truth, the index a copy
        else
            fresh.push_back(entry);
        known.remove(entry.path);
        entries.push_back(std::move(entry));
        emit progress(int(entries.size()), int(files.size()));
    }
    m_index.put(fresh);
    QStringList gone;
    for (const LibraryEntry& entry : known)
        if (QFileInfo(entry.path).absolutePath() == QDir(directory).absolutePath() ||
            !QFileInfo::exists(entry.path))
            gone.append(entry.path);
    m_index.remove(gone);
    emit scanned(entries);
}

void LibraryWorker::store(const LibraryEntry& entry) {
    openIndex();
    m_index.put({entry});
}

} // namespace heteroscope::ui
