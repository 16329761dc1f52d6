// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/cupti_error.h"

#include <array>

namespace heteroscope::profiling {
namespace {

struct Cure {
    CUptiResult result;
    const char* message;
    const char* advice;
};

constexpr std::array kCures{
    Cure{CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "the driver does not let this user read the device's counters",
         "run as root, or let the administrator set NVreg_RestrictProfilingToAdminUsers=0 for the NVIDIA "
         "driver; a container needs --cap-add=SYS_ADMIN"},
    Cure{CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "a virtual GPU gives no counters",
         "let the administrator of the host allow profiling for it"},
    Cure{CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "another profiler is attached to this process",
         "run without nsys, ncu, compute-sanitizer or cuda-gdb"},
    Cure{CUPTI_ERROR_NOT_SUPPORTED, "the counters of this device are not supported", ""},
    Cure{CUPTI_ERROR_INVALID_METRIC_NAME, "this device does not have the counters that are asked for", ""}};

} // namespace

std::string resultText(CUptiResult result) {
    const char* text = nullptr;
    return cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text != nullptr ? text
                                                                                   : std::to_string(result);
}

Status cuptiStatus(CUptiResult result, const std::string& what) {
    if (result == CUPTI_SUCCESS)
        return {};
    for (const Cure& cure : kCures)
        if (cure.result == result)
            return Error{ErrorCode::TargetUnavailable, cure.message, "CUPTI", {}, cure.advice};
    return Error{ErrorCode::TargetUnavailable, what + " failed: " + resultText(result), "CUPTI", {}, {}};
}

} // namespace heteroscope::profiling
