// SPDX-License-Identifier: GPL-3.0-or-later
// The log.
#include "ui/run/log_list.h"

#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QTextCharFormat>
#include <QTextCursor>
#include <QTime>

namespace heteroscope::ui {

LogList::LogList(QWidget* parent) : QPlainTextEdit(parent) {
    setRole(this, "plain");
    setReadOnly(true);
    setMaximumBlockCount(kMaxLines);
    setPlaceholderText(tr("Messages of the worker appear here."));
    setAccessibleName(tr("Log"));
    setLineWrapMode(QPlainTextEdit::WidgetWidth);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

void LogList::add(const QString& level, const QString& text) {
    const ThemeColors& colors = Theme::instance().colors();
    QTextCharFormat muted, words;
    muted.setForeground(colors.mutedText);
    words.setForeground(level == QLatin1String("error")     ? colors.error
                        : level == QLatin1String("warning") ? colors.warning
                                                            : colors.text);
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    if (!document()->isEmpty())
        cursor.insertBlock();
    cursor.insertText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss")) + QStringLiteral("  "),
                      muted);
    const QString label = level == QLatin1String("error")     ? tr("Error: ")
                          : level == QLatin1String("warning") ? tr("Warning: ")
                                                              : QString();
    cursor.insertText(label + text, words);
    ensureCursorVisible();
}

} // namespace heteroscope::ui

#include "moc_log_list.cpp"
