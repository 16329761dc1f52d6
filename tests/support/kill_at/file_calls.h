// SPDX-License-Identifier: Apache-2.0
// Which system calls are about files, and what a stopped thread's call is about.
#pragma once

#include "tests/support/kill_at/kill_at.h"

#include <optional>
#include <sys/types.h>

namespace heteroscope::test {

/// In the program-to-be: from now on file calls stop it for its tracer. False, with errno: not possible here.
bool stopAtFileCalls();

/// The call that the thread stands before; nothing when it is none of files.
std::optional<FileCall> fileCallOf(pid_t thread);

} // namespace heteroscope::test
