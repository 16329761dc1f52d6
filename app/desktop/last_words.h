// SPDX-License-Identifier: GPL-3.0-or-later
// The sentence with which the window ends where it cannot go on: without memory, or by a crash.
#pragma once

namespace heteroscope {

/// From now on an exception that nobody catches, and SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, say on
/// stderr what happened and what is kept. Without memory the program then ends with exit code 1, by a signal
/// as it would have without this. Needs no memory itself. Call once, at the start. Where a sanitizer watches,
/// signals are left to it.
void installLastWords();

/// When this is not called again within so many seconds, the program says that it did not go on, and ends
/// with exit code 1. After installLastWords().
void endUnlessCalledWithin(unsigned seconds);

} // namespace heteroscope
