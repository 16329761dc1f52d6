// SPDX-License-Identifier: Apache-2.0
// What a program can still do when a signal ends it: say a last word.
#pragma once

namespace heteroscope {

/// Writes to stderr. Safe in signal handlers; a failure has nowhere to be told.
void writeToStderr(const char* text);

/// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT call `handler` with their number, once, on a stack
/// of its own; what comes after it is what the signal does by itself. Where a sanitizer watches, which says
/// more of a crash, signals are left to it. Call once, at the start.
void onCrashSignals(void (*handler)(int number));

} // namespace heteroscope
