// SPDX-License-Identifier: GPL-3.0-or-later
// Takes undo and redo keys before a line edit's own history does.
#include "ui/build/undo_routing.h"

#include <QKeyEvent>
#include <QLineEdit>

namespace heteroscope::ui {

namespace {

class UndoRouter : public QObject {
  public:
    UndoRouter(QObject* parent, QUndoStack& stack) : QObject(parent), m_stack(stack) {}

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
            return QObject::eventFilter(watched, event);
        auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo);
        if (!undo && !key->matches(QKeySequence::Redo))
            return QObject::eventFilter(watched, event);
        event->accept();
        if (event->type() == QEvent::KeyPress)
            undo ? m_stack.undo() : m_stack.redo();
        return true;
    }

  private:
    QUndoStack& m_stack;
};

} // namespace

void routeUndo(QWidget* editor, QUndoStack& stack) {
    auto* router = new UndoRouter(editor, stack);
    editor->installEventFilter(router);
    for (QWidget* child : editor->findChildren<QWidget*>())
        child->installEventFilter(router);
}

} // namespace heteroscope::ui
