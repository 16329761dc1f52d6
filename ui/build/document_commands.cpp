// SPDX-License-Identifier: GPL-3.0-or-later
// Undo, redo and merging of document edits.
#include "ui/build/document_commands.h"

#include "compute/base/clock.h"
#include "ui/build/json_text.h"

#include <utility>

namespace heteroscope::ui {

namespace {
constexpr int kReplaceId = 0x4853;
constexpr long long kNsPerMs = 1000000;
} // namespace

ReplaceSubtree::ReplaceSubtree(JsonStore& store, std::string editedPointer, std::string place, Json after,
                               const QString& label)
    : QUndoCommand(label),
      m_store(store),
      m_editedPointer(std::move(editedPointer)),
      m_place(std::move(place)),
      m_after(std::move(after)),
      m_timeMs(steadyNowNs() / kNsPerMs) {
    if (const Json* present = valueAt(m_store.json(), m_place))
        m_before = *present;
}

void ReplaceSubtree::undo() {
    m_store.apply(m_place, m_before);
}

void ReplaceSubtree::redo() {
    m_store.apply(m_place, m_after);
}

int ReplaceSubtree::id() const {
    return m_mergeable ? kReplaceId : -1;
}

bool ReplaceSubtree::mergeWith(const QUndoCommand* other) {
    const auto* later = static_cast<const ReplaceSubtree*>(other);
    if (!later->m_mergeable || later->m_editedPointer != m_editedPointer ||
        later->m_timeMs - m_timeMs > kMergeMs)
        return false;
    const Json* present = valueAt(m_store.json(), m_place); // `other` is applied already
    if (!present)
        return false;
    m_after = *present;
    m_timeMs = later->m_timeMs;
    setText(later->text());
    setObsolete(m_after == m_before);
    return true;
}

} // namespace heteroscope::ui
