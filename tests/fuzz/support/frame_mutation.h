// SPDX-License-Identifier: Apache-2.0
// Run files in mutators: frames are cut, doubled, dropped, moved, taken from another file, given another
// kind, compressed or not, and their CBOR is changed value by value, columns included. Lengths and checksums
// are right afterwards, but for a few. One thread.
#pragma once

#include "tests/fuzz/support/gzip_mutation.h"
#include "tests/fuzz/support/json_mutation.h"

namespace heteroscope::fuzz {

struct RawFrame {
    std::uint8_t kind = 0;
    bool compressed = false;
    Bytes cbor; ///< after decompression
};

/// Whole frames up to the first that cannot be read.
std::vector<RawFrame> splitFrames(std::span<const std::uint8_t> file);
Bytes joinFrames(const std::vector<RawFrame>& frames);

/// As LLVMFuzzerCustomMutator.
std::size_t mutateRunFile(std::uint8_t* data, std::size_t size, std::size_t mostBytes, unsigned seed);
/// As LLVMFuzzerCustomCrossOver.
std::size_t crossRunFiles(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, std::uint8_t* out,
                          std::size_t mostBytes, unsigned seed);

} // namespace heteroscope::fuzz
