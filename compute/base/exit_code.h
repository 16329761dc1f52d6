// SPDX-License-Identifier: Apache-2.0
// Exit codes of heteroscope-cli; the window reads them. Part of the contract, never renumbered.
#pragma once

#include "compute/base/error.h"

namespace heteroscope {

enum class ExitCode : int {
    Done = 0,
    RunFailed = 1,
    BadInput = 2,
    TargetUnavailable = 3,
    Cancelled = 4,
    Usage = 64
};

constexpr ExitCode exitCodeOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::BadInput:
        return ExitCode::BadInput;
    case ErrorCode::TargetUnavailable:
        return ExitCode::TargetUnavailable;
    case ErrorCode::Cancelled:
        return ExitCode::Cancelled;
    case ErrorCode::Usage:
        return ExitCode::Usage;
    case ErrorCode::RunFailed:
    case ErrorCode::OutOfMemory:
    case ErrorCode::Io:
        break;
    }
    return ExitCode::RunFailed;
}

} // namespace heteroscope
