// SPDX-License-Identifier: GPL-3.0-or-later
// The edited experiment: a JSON document with undo, checks, autosave and crash recovery. GUI thread.
#pragma once

#include "compute/base/json.h"
#include "compute/experiment/spec/spec_json.h"

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
    bool load(const QString& path, QString* error); ///< keeps the present document when it fails
    bool save(const QString& path, QString* error); ///< atomic
    QString path() const;                           ///< empty for a new one
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

    /// A journal of unsaved work that another start left behind; empty path when none.
    static QString findRecovery();
    bool restoreRecovery(const QString& journal, QString* error);
    void discardRecovery(const QString& journal);

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
