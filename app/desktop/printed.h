// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's program writes to its standard streams. Main thread.
#pragma once

#include "compute/base/result.h"

#include <QString>

namespace heteroscope {

/// Everything, in the locale's bytes, or why not (Io).
Status printOut(const QString& text);
void printErr(const QString& text); ///< a failure has nowhere to be told
/// printOut() as the last thing that the program does: the exit code, after a failure its sentence on stderr.
int printAndEnd(const QString& text, int exitCode);

} // namespace heteroscope
