// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace heteroscope::profiling {

namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78u; ///< reflected

constexpr std::array<std::uint32_t, 256> makeTable() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit)
            remainder = remainder & 1 ? remainder >> 1 ^ kPolynomial : remainder >> 1;
        table[byte] = remainder;
    }
    return table;
}

constexpr std::array<std::uint32_t, 256> kTable = makeTable();

using Checksum = std::uint32_t (*)(std::span<const std::uint8_t>);

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t byInstruction(std::span<const std::uint8_t> bytes) {
    std::uint64_t crc = 0xffffffffu;
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t), at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        crc = _mm_crc32_u64(crc, word);
    }
    auto crc32 = static_cast<std::uint32_t>(crc);
    for (; left > 0; --left, ++at)
        crc32 = _mm_crc32_u8(crc32, *at);
    return ~crc32;
}

Checksum chosen() {
    return __builtin_cpu_supports("sse4.2") ? byInstruction : crc32cByTable;
}
#else
Checksum chosen() {
    return crc32cByTable;
}
#endif

} // namespace

std::uint32_t crc32cByTable(std::span<const std::uint8_t> bytes) {
    std::uint32_t crc = 0xffffffffu;
    for (const std::uint8_t byte : bytes)
        crc = crc >> 8 ^ kTable[(crc ^ byte) & 0xff];
    return ~crc;
}

std::uint32_t crc32c(std::span<const std::uint8_t> bytes) {
    static const Checksum checksum = chosen();
    return checksum(bytes);
}

} // namespace heteroscope::profiling
