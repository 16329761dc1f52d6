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
    /// errno of the call that the system refused; 0: it was none of the system's, or is not known.
    int systemError = 0;

    /// One line: "where: message; allowed: ...; advice". Parts quote files: control characters stand as
    /// escapes (printable.h), and what is longer than 4 KiB is cut. The advice is wholeAdvice().
    std::string sentence() const;
    /// The advice, and the remedy of a systemError that has the same one wherever it is met: too many open
    /// files. For who shows the parts elsewhere than in sentence().
    std::string wholeAdvice() const;
};

/// Shorthand for the most frequent kind.
Error badInput(std::string where, std::string message, std::string allowed = {}, std::string advice = {});

/// What the system refused: "MESSAGE: the system's words for `number`", an errno, which is kept.
Error systemRefusal(ErrorCode code, std::string where, const std::string& message, int number,
                    std::string allowed = {}, std::string advice = {});

} // namespace heteroscope
