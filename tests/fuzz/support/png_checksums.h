// SPDX-License-Identifier: Apache-2.0
// Checksums of PNG files. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heteroscope::fuzz {

/// The bytes, and where they begin as a PNG file does, the CRC of each whole chunk made right (PNG
/// specification, 5.3: length, type, data, CRC of type and data).
std::vector<std::uint8_t> withPngChecksums(std::span<const std::uint8_t> bytes);

} // namespace heteroscope::fuzz
