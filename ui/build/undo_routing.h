// SPDX-License-Identifier: GPL-3.0-or-later
// One undo for everything: Ctrl+Z inside a text or number field undoes in the document, not in the field.
// GUI thread.
#pragma once

#include <QUndoStack>
#include <QWidget>

namespace heteroscope::ui {

/// Routes undo and redo keys of `editor` and its children to the stack. The stack outlives the editor.
void routeUndo(QWidget* editor, QUndoStack& stack);

} // namespace heteroscope::ui
