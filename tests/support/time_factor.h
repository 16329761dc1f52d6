// SPDX-License-Identifier: Apache-2.0
// How much longer than a plain build this one may take: tests that hold a time multiply their limit by it.
#pragma once

#if defined(__SANITIZE_THREAD__)
inline constexpr int kTimeFactor = 20;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kTimeFactor = 3;
#else
inline constexpr int kTimeFactor = 1;
#endif
