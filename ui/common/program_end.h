// SPDX-License-Identifier: GPL-3.0-or-later
// How a program with a window ends.
#pragma once

namespace heteroscope::ui {

/// Ends the program with this exit code: waits for what the pool of threads still does, flushes the streams,
/// and leaves the rest to the system. Call on the GUI thread when the windows are gone and the event loop has
/// ended. Qt's platform plugin is not taken down: it goes through libraries (fontconfig) that leave their
/// locks taken when they got no memory, and the program would never end. With a sanitizer it returns the code
/// for main, since their reports come after that.
int endProgram(int code);

} // namespace heteroscope::ui
