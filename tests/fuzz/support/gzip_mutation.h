// SPDX-License-Identifier: Apache-2.0
// Gzip in mutators: changes what is compressed, so that the checksums are right and the reader behind them is
// reached. One thread.
#pragma once

#include "tests/fuzz/support/random_choice.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heteroscope::fuzz {

using Bytes = std::vector<std::uint8_t>;

bool looksLikeGzip(std::span<const std::uint8_t> bytes);
/// Nothing when it is damaged or longer than `mostBytes`.
std::optional<Bytes> unpackGzip(std::span<const std::uint8_t> bytes, std::size_t mostBytes);
/// Level 0 to 9.
Bytes packGzip(std::span<const std::uint8_t> bytes, int level);

/// A mutation by libFuzzer itself, of at most `mostBytes`.
Bytes mutatedBytes(Bytes bytes, std::size_t mostBytes);

/// Plain bytes are mutated as they are or packed; packed ones inside, or as they are. As
/// LLVMFuzzerCustomMutator.
std::size_t mutateMaybeGzip(std::uint8_t* data, std::size_t size, std::size_t mostBytes, unsigned seed);

} // namespace heteroscope::fuzz

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t mostBytes);
