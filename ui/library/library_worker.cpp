// SPDX-License-Identifier: GPL-3.0-or-later
// The library's background work.
#include "ui/library/library_worker.h"

#include <QDir>
#include <QElapsedTimer>
#include <QHash>

namespace heteroscope::ui {

namespace {

/// Whether a state holds as long as the file does not change: one that could not be read may be readable now,
/// and the writer of another may be gone.
bool mayLast(const QString& state) {
    return state != QLatin1String("unreadable") && state != QLatin1String("being written");
}

} // namespace

LibraryWorker::LibraryWorker(QString indexPath) : m_indexPath(std::move(indexPath)) {}

void LibraryWorker::tell(const IndexTrouble& trouble) {
    if (trouble.kind == IndexTrouble::Kind::Busy) {
        m_index.close(); // this look does without it and waits no second time
        emit problem(tr("Another program is using the library's index: it was waited for %1 seconds. Nothing "
                        "in it was "
                        "changed; run files are read one by one meanwhile. Close the other window, or look "
                        "again later.")
                         .arg(LibraryIndex::kWaitMs / 1000));
    } else {
        emit problem(tr("The library's index cannot be kept (%1); every look at the folder reads all files.")
                         .arg(trouble.reason));
    }
}

void LibraryWorker::setAside(const IndexTrouble& trouble) {
    const QString name = m_index.setAside(m_indexPath);
    if (name.isEmpty())
        return tell({IndexTrouble::Kind::Other, trouble.reason});
    emit problem(tr("The library's index could not be used (%1). It was set aside as %2 and is built anew "
                    "from the run "
                    "files.")
                     .arg(trouble.reason, name));
    if (const auto again = m_index.open(m_indexPath))
        tell(*again);
}

void LibraryWorker::openIndex() {
    if (m_index.isOpen() || m_hopeless)
        return;
    const auto trouble = m_index.open(m_indexPath);
    if (!trouble)
        return;
    m_hopeless = trouble->kind == IndexTrouble::Kind::Other; // a busy one is tried again with the next look
    if (trouble->kind == IndexTrouble::Kind::Damaged)
        setAside(*trouble);
    else
        tell(*trouble);
}

std::vector<LibraryEntry> LibraryWorker::readIndex() {
    openIndex();
    std::vector<LibraryEntry> entries;
    const auto trouble = m_index.read(entries);
    if (!trouble)
        return entries;
    if (trouble->kind == IndexTrouble::Kind::Damaged)
        setAside(*trouble);
    else
        tell(*trouble);
    return {};
}

void LibraryWorker::scan(const QString& directory) {
    QHash<QString, LibraryEntry> known;
    for (const LibraryEntry& entry : readIndex())
        known.insert(entry.path, entry);
    std::vector<LibraryEntry> entries, fresh;
    QElapsedTimer sinceSaid;
    sinceSaid.start();
    const QFileInfoList files =
        QDir(directory).entryInfoList({QStringLiteral("*.hscope")}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        if (m_cancelled.load())
            return;
        const auto cached = known.constFind(info.absoluteFilePath());
        const bool same = cached != known.constEnd() && mayLast(cached->state) &&
                          cached->bytes == info.size() &&
                          cached->modifiedMs == info.lastModified().toMSecsSinceEpoch();
        LibraryEntry entry = same ? *cached : summarizeRunFile(info.absoluteFilePath());
        if (same)
            readSidecar(entry); // the sidecar is the truth, the index a copy
        else
            fresh.push_back(entry);
        known.remove(entry.path);
        entries.push_back(std::move(entry));
        if (sinceSaid.elapsed() >= kProgressMs) {
            emit progress(int(entries.size()), int(files.size()));
            sinceSaid.start();
        }
    }
    keep(fresh);
    QStringList gone;
    for (const LibraryEntry& entry : known)
        if (QFileInfo(entry.path).absolutePath() == QDir(directory).absolutePath() ||
            !QFileInfo::exists(entry.path))
            gone.append(entry.path);
    if (const auto trouble = m_index.remove(gone))
        tell(*trouble);
    emit scanned(entries);
}

void LibraryWorker::store(const LibraryEntry& entry) {
    openIndex();
    keep({entry});
}

void LibraryWorker::keep(const std::vector<LibraryEntry>& entries) {
    if (const auto trouble = m_index.put(entries))
        tell(*trouble);
}

} // namespace heteroscope::ui

#include "moc_library_worker.cpp"
