// SPDX-License-Identifier: Apache-2.0
#include "compute/base/activity.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heteroscope {
namespace {

using ActivityText = std::array<char, 256>;

ActivityText currentRun{}, currentStep{};
thread_local const std::function<void(std::string_view)>* teller = nullptr;

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
    const bool isTold = teller != nullptr && step != currentStep.data();
    keepText(currentStep, step);
    if (isTold)
        (*teller)(activityStep());
}

const char* activity() {
    return currentRun.data();
}

const char* activityStep() {
    return currentStep.data();
}

ActivityTold::ActivityTold(std::function<void(std::string_view)> tell) : m_tell(std::move(tell)) {
    teller = &m_tell;
}

ActivityTold::~ActivityTold() {
    teller = nullptr;
}

} // namespace heteroscope
