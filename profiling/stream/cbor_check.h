// SPDX-License-Identifier: Apache-2.0
// Looks over CBOR before it is parsed: nesting, sizes and lengths are bounded, so that parsing can neither
// exhaust the stack nor the memory. Pure function, any thread.
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <span>

namespace heteroscope::profiling {

constexpr std::size_t kMaxCborDepth = 64;
constexpr std::uint64_t kMaxMapEntries = 4096;      ///< of one map
constexpr std::uint64_t kMaxAllMapEntries = 262144; ///< of all maps of a frame

/// Bytes that the parsed value takes at most, while its lists grow. The error's message names the byte within
/// `cbor`.
Result<std::int64_t> checkCbor(std::span<const std::uint8_t> cbor);

} // namespace heteroscope::profiling
