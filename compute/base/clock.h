// SPDX-License-Identifier: Apache-2.0
// The one clock of every time stamp: the monotonic steady clock, in nanoseconds. Any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace heteroscope {

inline std::int64_t steadyNowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace heteroscope
