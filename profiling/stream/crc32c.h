// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli), as in iSCSI: by the processor's instruction where it has one, else by table. Any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heteroscope::profiling {

std::uint32_t crc32c(std::span<const std::uint8_t> bytes);
/// The table version, whatever the processor can do.
std::uint32_t crc32cByTable(std::span<const std::uint8_t> bytes);

} // namespace heteroscope::profiling
