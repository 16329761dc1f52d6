// SPDX-License-Identifier: GPL-3.0-or-later
// The one undo command of the document: the subtree at a pointer before and after. GUI thread.
#pragma once

#include "compute/base/json.h"

#include <QString>
#include <QUndoCommand>

#include <functional>
#include <string>

namespace heteroscope::ui {

/// What a command needs of the document. `apply` puts a subtree in place and tells everyone.
struct JsonStore {
    std::function<const Json&()> json;
    std::function<void(const std::string& pointer, const Json& subtree)> apply;
};

/// Replaces the subtree at `place`. Edits of the same `editedPointer` shortly after one another become one.
class ReplaceSubtree : public QUndoCommand {
  public:
    ReplaceSubtree(JsonStore& store, std::string editedPointer, std::string place, Json after,
                   const QString& label);

    void undo() override;
    void redo() override;
    int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

    /// Never merge with a neighbour (structural edits).
    void setMergeable(bool mergeable) { m_mergeable = mergeable; }

    static constexpr int kMergeMs = 500;

  private:
    JsonStore& m_store;
    std::string m_editedPointer;
    std::string m_place;
    Json m_before, m_after;
    long long m_timeMs = 0;
    bool m_mergeable = true;
};

} // namespace heteroscope::ui
