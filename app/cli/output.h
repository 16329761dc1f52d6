// SPDX-License-Identifier: Apache-2.0
// What the verbs write to stdout and stderr.
#pragma once

#include "compute/base/exit_code.h"
#include "compute/base/json.h"
#include "compute/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::cli {

/// From now on what writeStdout() and printJson() take goes to standard error: standard output is the place
/// of a file that was asked for. There it is no error when nobody gets it. Main thread,
/// before anything is printed.
void printOnStderr();

/// Writes everything, or says why not (Io; a closed pipe is one of the reasons). Text, here and on stderr:
/// control characters beside line ends and tabs become escapes (compute/base/printable.h), and bytes that are
/// no UTF-8, as a path may have, are replaced.
Status writeStdout(std::string_view text);
Status printJson(const Json& document);  ///< indented, with a newline
void writeStderr(std::string_view text); ///< a failure has nowhere to be told
void clearStderrLine();                  ///< of a terminal: the next text begins it anew

/// "heteroscope-cli: error: SENTENCE" on stderr; the exit code of the error.
ExitCode reportError(const Error& error);
/// What could not be read was given by a person: bad input, with what to do unless the error says so itself.
Error givenFileError(Error error, const std::string& advice);
void reportWarning(std::string_view sentence);
ExitCode reportStatus(const Status& status); ///< Done, or reportError

/// Columns padded to their widest cell, two spaces apart, no trailing spaces. Width counts UTF-8 characters. A
/// cell of more than 400 bytes, but for the last of its row, is cut and says by how much.
std::string textTable(std::vector<std::vector<std::string>> rows);
std::string wholeBytesText(std::int64_t bytes); ///< "1.5 MiB"

} // namespace heteroscope::cli
