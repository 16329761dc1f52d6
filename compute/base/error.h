// SPDX-License-Identifier: Apache-2.0
// What an error says to a person: what happened, where, what is allowed, what to do. A value; any thread.
#pragma once

#include <string>

namespace heteroscope {

/// Classes of failure. Each maps to one exit code of the command line (see exit_code.h).
enum class ErrorCode {
    BadInput,          ///< a file or argument that a person gave is wrong
    TargetUnavailable, ///< the device or implementation is not there, or cannot do the operation
    RunFailed,         ///< the computation failed while running
    OutOfMemory,       ///< refused before allocation, or an allocation failed
    Cancelled,         ///< stopped on request
    Usage,             ///< the command line itself is wrong
    Io                 ///< reading or writing failed (disk full, closed pipe)
};

struct Error {
    ErrorCode code = ErrorCode::RunFailed;
    std::string message; ///< what happened, a clause without final full stop
    std::string where;   ///< file, JSON pointer, layer, byte offset; may be empty
    std::string allowed; ///< what would have been accepted; may be empty
    std::string advice;  ///< what to do now; may be empty

    /// One line: "where: message; allowed: ...; advice". Parts quote files: control characters stand as
    /// escapes (printable.h), and what is longer than 4 KiB is cut.
    std::string sentence() const;
};

/// Shorthand for the most frequent kind.
Error badInput(std::string where, std::string message, std::string allowed = {}, std::string advice = {});

} // namespace heteroscope
