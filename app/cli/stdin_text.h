// SPDX-License-Identifier: Apache-2.0
// An experiment on standard input: where it ends, and what may stand behind it.
#pragma once

#include "compute/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace heteroscope::cli {

/// Tells when the bytes so far hold one complete JSON value: that is when brackets balance outside strings
/// and the line has ended. Bytes after the newline are not part of it.
class JsonLineScanner {
  public:
    /// Takes one byte; true when the value is complete with it.
    bool take(char byte);

  private:
    int m_depth = 0;
    bool m_started = false, m_inString = false, m_escaped = false;
};

/// Looks for the first byte behind an experiment that is no blank. One thread at a time.
class RestOfStdin {
  public:
    /// What was read and is none of the rest: counted only.
    void pass(std::string_view text);
    /// The next bytes of the rest. BadInput at the first that is no blank, with its place and what begins
    /// there.
    Status take(std::string_view text);

  private:
    std::size_t m_byte = 0, m_line = 1, m_column = 1; ///< of the next byte; columns are counted in bytes
};

struct StdinText {
    std::string experiment;
    Status rest;       ///< BadInput: something stands behind it
    RestOfStdin place; ///< for what comes later
};

/// Up to the newline that ends the first complete JSON value, with what else has arrived by then;
/// `waitForEnd`: to the end. Errors (BadInput): larger than the limit of an experiment file, not readable.
Result<StdinText> readStdin(bool waitForEnd);

} // namespace heteroscope::cli
