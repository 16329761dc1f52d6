// SPDX-License-Identifier: Apache-2.0
// How much longer than a plain build this one may take: tests that hold a time multiply their limit by it.
#pragma once

#if defined(__SANITIZE_THREAD__)
inline constexpr int kTimeFactor = 20;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kTimeFactor = 6;
#else
inline constexpr int kTimeFactor = 1;
#endif

/// What is repeated only to see more of the same (draws, pairs, sizes far above a limit) is repeated less
/// often where a sanitizer slows it down; a plain build, which continuous integration tests as well, does all
/// of it.
template <class Number>
constexpr Number repetitions(Number all, Number underSanitizer) {
    return kTimeFactor > 1 ? underSanitizer : all;
}
