// SPDX-License-Identifier: Apache-2.0
// Zip archives in mutators: entries are changed, doubled, dropped, renamed and packed otherwise, and the
// archive written again with right sizes and checksums. One thread.
#pragma once

#include "tests/fuzz/support/gzip_mutation.h"

#include <optional>
#include <string>

namespace heteroscope::fuzz {

struct ZipEntry {
    std::string name;
    Bytes bytes;
    bool packed = false;
};

/// Nothing when it is damaged, or has more than 64 entries or an entry longer than `mostBytes`.
std::optional<std::vector<ZipEntry>> unpackZip(std::span<const std::uint8_t> bytes, std::size_t mostBytes);
/// Empty when libzip refuses, e.g. two entries of one name.
Bytes packZip(const std::vector<ZipEntry>& entries);

/// As LLVMFuzzerCustomMutator. `names`: of entries that mean something to the reader.
std::size_t mutateZip(std::uint8_t* data, std::size_t size, std::size_t mostBytes, unsigned seed,
                      const std::vector<std::string>& names);

} // namespace heteroscope::fuzz
