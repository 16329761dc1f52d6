// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's keys and mouse gestures, shown over it on request.
#include "ui/timeline/key_help.h"

#include "ui/common/widgets.h"

#include <QGridLayout>
#include <QLabel>

namespace heteroscope::ui {

KeyHelp::KeyHelp(QWidget* parent) : QFrame(parent) {
    setRole(this, "card");
    setObjectName(QStringLiteral("keyHelp"));
    setAccessibleName(tr("Keys of the timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setAutoFillBackground(true);
    const std::pair<QString, QString> lines[] = {
        {tr("Wheel, W / S, + / −"), tr("Zoom at the cursor")},
        {tr("Drag, A / D, ← / →, Shift+wheel"), tr("Move in time")},
        {tr("Ctrl+wheel, ↑ / ↓, Page Up / Down"), tr("Scroll the rows")},
        {tr("Shift with a key"), tr("Small steps")},
        {tr("Shift+drag, or drag in the ruler"), tr("Choose a range; its statistics stand below")},
        {tr("Double click, F"), tr("Zoom to the span or the range")},
        {tr("Home or 0, End"), tr("Show everything, follow the end")},
        {tr(", / .  or  Shift+Tab / Tab"), tr("Previous and next span of the row")},
        {tr("↑ / ↓ with a span selected"), tr("Span above and below")},
        {tr("M, N, P"), tr("Range from the span, note, pin its track")},
        {tr("Ctrl+F, Enter, F3, Shift+F3"), tr("Search, next and previous hit")},
        {tr("Ctrl+P"), tr("Filter tracks")},
        {tr("Ctrl+T"), tr("Transfers in the range")},
        {tr("Esc"), tr("Clear range, then selection, then search")},
    };
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(24, 18, 24, 18);
    grid->setHorizontalSpacing(28);
    grid->setVerticalSpacing(7);
    grid->addWidget(makeLabel(tr("Keys of the timeline"), "heading", this), 0, 0, 1, 2);
    int row = 1;
    for (const auto& [keys, meaning] : lines) {
        grid->addWidget(makeLabel(keys, "strong", this), row, 0);
        grid->addWidget(makeLabel(meaning, "muted", this), row++, 1);
    }
    hide();
}

void KeyHelp::toggle() {
    setVisible(!isVisible());
    if (!isVisible())
        return;
    adjustSize();
    move((parentWidget()->width() - width()) / 2, (parentWidget()->height() - height()) / 2);
    raise();
    setFocus();
}

void KeyHelp::keyPressEvent(QKeyEvent*) {
    hide();
}
void KeyHelp::mousePressEvent(QMouseEvent*) {
    hide();
}
void KeyHelp::focusOutEvent(QFocusEvent*) {
    hide();
}

} // namespace heteroscope::ui

#include "moc_key_help.cpp"
