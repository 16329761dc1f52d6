// SPDX-License-Identifier: Apache-2.0
#include "compute/base/wait_policy.h"

#include <algorithm>
#include <cstdlib>

namespace heteroscope {
namespace {

std::string variable(const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? std::string() : text;
}

} // namespace

WaitPolicy waitPolicy() {
    WaitPolicy found{variable(kWaitPolicyVariable), variable(kOthersRunningVariable)};
    std::transform(found.policy.begin(), found.policy.end(), found.policy.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (found.policy != "active" && found.policy != "passive")
        found.policy = "default";
    if (found.policy != "passive")
        found.othersRunning.clear();
    return found;
}

bool isShared(double othersRunning, int usable, int online) {
    constexpr double kMoment = 0.5; // of a thread: what comes and goes
    return othersRunning + usable > online + kMoment;
}

} // namespace heteroscope
