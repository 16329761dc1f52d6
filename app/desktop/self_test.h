// SPDX-License-Identifier: GPL-3.0-or-later
// heteroscope --self-test: that of the command line, and what the window needs beside it. GUI thread.
#pragma once

namespace heteroscope {

/// Qt's platform for the test itself, which must not end with a display that cannot be used: call it before
/// the application is made. The display is tested in a process of its own, with the environment as it was.
void prepareSelfTest();

/// Runs all checks and prints a table, or JSON as `heteroscope-cli self-test --json` does with the checks of
/// the group "window" added. Returns the exit code: 0 when none failed, else 1.
int runSelfTest(bool json);

} // namespace heteroscope
