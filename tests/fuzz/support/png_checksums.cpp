// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/png_checksums.h"

#include <algorithm>
#include <array>
#include <zlib.h>

namespace heteroscope::fuzz {
namespace {

constexpr std::array<std::uint8_t, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kAroundData = 12; ///< bytes of a chunk beside its data

std::size_t bigEndian(const std::uint8_t* at) {
    return std::size_t{at[0]} << 24 | std::size_t{at[1]} << 16 | std::size_t{at[2]} << 8 | at[3];
}

} // namespace

std::vector<std::uint8_t> withPngChecksums(std::span<const std::uint8_t> bytes) {
    std::vector<std::uint8_t> file(bytes.begin(), bytes.end());
    if (file.size() < kSignature.size() || !std::equal(kSignature.begin(), kSignature.end(), file.begin()))
        return file;
    std::size_t at = kSignature.size();
    while (file.size() - at >= kAroundData) {
        const std::size_t length = bigEndian(&file[at]);
        if (length > file.size() - at - kAroundData)
            break;
        const auto crc = static_cast<std::uint32_t>(::crc32(0, &file[at + 4], static_cast<uInt>(length + 4)));
        for (std::size_t i = 0; i < 4; ++i)
            file[at + 8 + length + i] = static_cast<std::uint8_t>(crc >> (24 - 8 * i));
        at += length + kAroundData;
    }
    return file;
}

} // namespace heteroscope::fuzz
