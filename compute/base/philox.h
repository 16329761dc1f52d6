// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10, a counter-based generator: every number is a function of counter and key, so that any
// processor gives the same ones in any order. Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy
// as 1, 2, 3", 2011.
#pragma once

#include <array>
#include <cstdint>

namespace heteroscope {

struct Philox4 {
    std::uint32_t x = 0, y = 0, z = 0, w = 0;
    constexpr bool operator==(const Philox4&) const = default;
};

constexpr Philox4 philoxRound(const Philox4& c, std::uint32_t key0, std::uint32_t key1) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * c.x;
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * c.z;
    return {static_cast<std::uint32_t>(b >> 32) ^ c.y ^ key0, static_cast<std::uint32_t>(b),
            static_cast<std::uint32_t>(a >> 32) ^ c.w ^ key1, static_cast<std::uint32_t>(a)};
}

/// Four independent words of 32 random bits.
constexpr Philox4 philox4x32(Philox4 counter, std::uint64_t key) {
    auto key0 = static_cast<std::uint32_t>(key);
    auto key1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        counter = philoxRound(counter, key0, key1);
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    return counter;
}

/// A number from 0 to below 1, a multiple of 2^-24.
constexpr float philoxUniform(std::uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1p-24F;
}

} // namespace heteroscope
