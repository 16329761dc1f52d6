// SPDX-License-Identifier: Apache-2.0
#include "app/cli/self_check.h"

#include "app/cli/output.h"
#include "compute/base/units.h"

#include <algorithm>

namespace heteroscope::cli {
namespace {

const char* resultWord(CheckResult result) {
    switch (result) {
    case CheckResult::Pass:
        return "pass";
    case CheckResult::Fail:
        return "fail";
    case CheckResult::Missing:
        return "missing";
    }
    return "fail";
}

std::size_t countOf(const SelfTest& test, CheckResult result) {
    return static_cast<std::size_t>(std::count_if(
        test.checks.begin(), test.checks.end(), [&](const Check& check) { return check.result == result; }));
}

} // namespace

bool SelfTest::passed() const {
    return countOf(*this, CheckResult::Fail) == 0;
}

Json selfTestJson(const SelfTest& test) {
    Json checks = Json::array();
    for (const Check& check : test.checks)
        checks.push_back({{"group", check.group},
                          {"name", check.name},
                          {"result", resultWord(check.result)},
                          {"detail", check.detail}});
    return {{"program", "heteroscope-cli"},
            {"version", HETEROSCOPE_VERSION},
            {"passed", test.passed()},
            {"seconds", test.seconds},
            {"checks", checks}};
}

std::string selfTestText(const SelfTest& test) {
    std::vector<std::vector<std::string>> rows;
    for (const Check& check : test.checks)
        rows.push_back({resultWord(check.result), check.group, check.name, check.detail});
    return textTable(rows) + "\n" + (test.passed() ? "Self-test passed: " : "Self-test FAILED: ") +
           std::to_string(countOf(test, CheckResult::Pass)) + " passed, " +
           std::to_string(countOf(test, CheckResult::Fail)) + " failed, " +
           std::to_string(countOf(test, CheckResult::Missing)) + " missing here, in " +
           formatDurationNs(test.seconds * 1e9) + ".\n";
}

} // namespace heteroscope::cli
