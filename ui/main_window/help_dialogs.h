// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard cheat sheet and About. Windows of their own that block nothing. GUI thread.
#pragma once

class QWidget;

namespace heteroscope::ui {

void showCheatSheet(QWidget* parent);
void showAbout(QWidget* parent);

} // namespace heteroscope::ui
