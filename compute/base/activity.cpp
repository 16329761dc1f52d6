// SPDX-License-Identifier: Apache-2.0
#include "compute/base/activity.h"

#include <algorithm>
#include <array>

namespace heteroscope {
namespace {

using ActivityText = std::array<char, 256>;

ActivityText currentRun{}, currentStep{};

void keepText(ActivityText& text, std::string_view value) {
    const std::size_t length = std::min(value.size(), text.size() - 1);
    std::copy_n(value.begin(), length, text.begin());
    text[length] = '\0';
}

} // namespace

void setActivity(std::string_view run) {
    keepText(currentRun, run);
    keepText(currentStep, {});
}

void setActivityStep(std::string_view step) {
    keepText(currentStep, step);
}

const char* activity() {
    return currentRun.data();
}

const char* activityStep() {
    return currentStep.data();
}

} // namespace heteroscope
