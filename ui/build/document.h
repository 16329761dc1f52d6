// SPDX-License-Identifier: GPL-3.0-or-later
// The edited experiment: a JSON document with undo, checks, autosave and crash recovery. GUI thread.
#pragma once

#include "compute/base/json.h"
#include "compute/experiment/spec/spec_json.h"

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <vector>

namespace heteroscope::ui {

class Document : public QObject {
    Q_OBJECT
  public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    void newExperiment(const Json& document, const QString& title);
    /// Keeps the present document when it fails; `*code` says then what kind of mistake it is.
    bool load(const QString& path, QString* error, ErrorCode* code = nullptr);
    /// Atomic. A file other than path() that is there is written over only when it is an experiment.
    bool save(const QString& path, QString* error);
    /// Whether another program has changed the file path() since it was opened or saved here.
    bool changedOnDisk();
    /// changedOnDisk(), once for each version that others leave there.
    bool newsOnDisk();
    QString path() const; ///< empty for a new one
    QString title() const;
    bool isModified() const;

    const Json& json() const;
    /// Sets the value at a JSON pointer as one undo step; edits of one pointer within 500 ms merge. `label`
    /// names the step in the Edit menu. Creates missing objects on the way.
    void setValue(const QString& pointer, const Json& value, const QString& label);
    void removeValue(const QString& pointer, const QString& label);
    void replaceAll(const Json& document, const QString& label);
    QUndoStack& undoStack();

    const std::vector<compute::Diagnostic>& diagnostics() const; ///< of the present document
    bool canRun() const;

    /// What another start left behind in a journal.
    struct UnsavedWork {
        QString journal, title;
        QDateTime changed; ///< local time of the last edit
    };
    /// Newest first. What cannot be read now is kept for another start; `unread` gets a sentence of each.
    static std::vector<UnsavedWork> findUnsavedWork(QStringList* unread = nullptr);
    static QString findRecovery(); ///< the newest journal; empty when none
    /// False, and why: it cannot be read and is kept, or another window has restored or discarded it.
    bool restoreRecovery(const QString& journal, QString* error);
    void discardRecovery(const QString& journal);
    /// For a window in which nobody edits: no journal is written from now on.
    void keepNoJournal();

  signals:
    void changed(); ///< the JSON
    void diagnosticsChanged();
    void titleChanged(); ///< path, name or modified state
    /// Edits cannot be written to the journal, with the reason; once until they can be again.
    void unprotected(const QString& sentence);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
