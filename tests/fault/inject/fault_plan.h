// SPDX-License-Identifier: Apache-2.0
// Which call of this process fails, and how. Read from the environment once, before any other code runs;
// afterwards nothing here allocates or locks.
#pragma once

#include "tests/fault/inject/fault_report.h"

namespace heteroscope::fault {

enum class Action {
    None,
    Fail,      ///< the call does nothing and reports `error`
    Kill,      ///< SIGKILL before the call
    KillAfter, ///< SIGKILL once the call was done
    Short,     ///< write: half of the bytes, and no error
    Torn       ///< write: half of the bytes, then SIGKILL
};

struct Verdict {
    Action action = Action::None;
    int error = 0; ///< an errno
};

/// Counts one call and says what is to happen to it. `path` and `fd` are what the call is about (null, -1:
/// nothing); a plan with a path filter counts only calls about such paths. Keeps errno.
Verdict countCall(Kind kind, const char* path = nullptr, int fd = -1);

/// Ends the process here; no handler runs.
[[noreturn]] void killHere();

/// countCall() for calls that can only pass, fail or be killed before; true: fail, with errno set.
bool failsHere(Kind kind, const char* path = nullptr, int fd = -1);

/// The program's main begins: counting does too with HETEROSCOPE_FAULT_FROM=main.
void reachMain();

/// In the child of a plain fork: nothing counts there until it executes another program.
void stopCounting();

/// Writes "heteroscope-fault: WORDS" to stderr and ends the process with exit code 125.
[[noreturn]] void refuse(const char* words, const char* what);

} // namespace heteroscope::fault
