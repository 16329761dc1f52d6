// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line: one table, one file a verb. A new verb is one file and one line in
// verbs.cpp.
#pragma once

#include "compute/base/exit_code.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace heteroscope::cli {

struct Verb {
    std::string_view name;
    std::string_view summary;     ///< one line without full stop
    std::string_view description; ///< for the manual page; lines of at most 100 characters
    std::string_view examples;    ///< one command a line
    /// Adds the verb's options to `app` and returns what to do once they are parsed.
    std::function<ExitCode()> (*define)(CLI::App& app) = nullptr;
};

std::span<const Verb> verbs(); ///< sorted by name
const Verb* findVerb(std::string_view name);

std::string overview();                   ///< all verbs, a line each, and the exit codes
std::string manualPage(const Verb& verb); ///< name, synopsis, description, options, examples

Verb checkVerb();
Verb compareVerb();
Verb devicesVerb();
Verb evaluateVerb();
Verb exportVerb();
Verb helpVerb();
Verb runVerb();
Verb selfTestVerb();
Verb traceVerb();
Verb versionVerb();

} // namespace heteroscope::cli
