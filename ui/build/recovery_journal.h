// SPDX-License-Identifier: GPL-3.0-or-later
// Unsaved work on disk: an append-only file with the last clean document and every change after it. A journal
// is owned while its file is locked; the system drops the lock when the owner dies. GUI thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::ui {

class RecoveryJournal {
    Q_DECLARE_TR_FUNCTIONS(heteroscope::ui::RecoveryJournal)
  public:
    ~RecoveryJournal(); ///< a clean end: the file is removed

    /// Starts a journal from a clean document, or continues when one is open.
    void begin(const Json& clean, const QString& documentPath, const QString& title);
    bool isOpen() const { return m_file != nullptr; }
    /// `whole` is the document with the edit in it: what is written when earlier edits could not be.
    void append(const std::string& pointer, const Json& subtree, const Json& whole);
    void clear(); ///< nothing is unsaved any more
    /// Why the journal cannot be written; empty when all is well.
    QString problem() const { return m_problem; }

    struct Content {
        Json clean, edited;
        QString documentPath, title;
    };
    /// Reads a journal; a line that a crash cut short ends it. Errors: BadInput when not even the first line
    /// is whole, OutOfMemory.
    static Result<Content> read(const QString& path);
    struct Orphan {
        QString path;
        QDateTime changed; ///< local time of the last edit
        Content content;
    };
    /// The journals without a living owner whose work differs from what was saved, newest first. One that
    /// cannot be read now stays for a later start: `unread` gets why, if given.
    static std::vector<Orphan> findOrphans(std::vector<Error>* unread = nullptr);

  private:
    bool writeLine(const Json& line);

    std::unique_ptr<QFile> m_file;
    qint64 m_wholeBytes = 0;   ///< of the lines that were written completely
    bool m_missesEdit = false; ///< an edit is not in the file
    QString m_problem;
};

} // namespace heteroscope::ui
