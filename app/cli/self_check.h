// SPDX-License-Identifier: Apache-2.0
// What a self-test found, as values, as a table and as JSON. Plain values; any thread.
#pragma once

#include "compute/base/json.h"

#include <string>
#include <vector>

namespace heteroscope::cli {

enum class CheckResult {
    Pass,
    Fail,
    Missing ///< this machine or this build has not got it; no fault of the installation
};

struct Check {
    std::string group; ///< "machine", "studies", "files"
    std::string name;  ///< what was looked at, unique within its group
    CheckResult result = CheckResult::Pass;
    std::string detail; ///< what was found; of the other results the reason, and what to do
};

struct SelfTest {
    std::vector<Check> checks;
    double seconds = 0;

    bool passed() const; ///< no check failed
};

/// {"program", "version", "passed", "seconds", "checks": [{"group", "name", "result", "detail"}]}; results
/// are "pass", "fail" and "missing".
Json selfTestJson(const SelfTest& test);
/// One line a check, and last what it comes to.
std::string selfTestText(const SelfTest& test);

} // namespace heteroscope::cli
