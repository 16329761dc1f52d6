// SPDX-License-Identifier: Apache-2.0
// Which elements dropout keeps: a function of seed, layer, step and index, the same on every processor.
#pragma once

#include "compute/base/philox.h"

#include <cstdint>

namespace heteroscope::compute {

/// The share of 2^24 below which an element is dropped.
constexpr std::uint32_t dropoutThreshold(double rate) {
    return static_cast<std::uint32_t>(rate * 16777216.0);
}

/// The four words for elements 4 block to 4 block + 3; element i is kept when (word[i % 4] >> 8) >=
/// threshold.
constexpr Philox4 dropoutWords(std::uint64_t seed, std::uint32_t stream, std::uint32_t step,
                               std::uint64_t block) {
    return philox4x32(
        {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), step, stream}, seed);
}

constexpr bool dropoutKeeps(std::uint32_t word, std::uint32_t threshold) {
    return (word >> 8) >= threshold;
}

} // namespace heteroscope::compute
