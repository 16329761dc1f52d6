// SPDX-License-Identifier: Apache-2.0
// Part of every target: what one input may hold, so that a small file that asks for much memory has to be
// refused.
#include "compute/base/memory_budget.h"

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
    constexpr std::int64_t kLimitBytes = 256 << 20;
    heteroscope::setMemoryLimit(kLimitBytes);
    return 0;
}
