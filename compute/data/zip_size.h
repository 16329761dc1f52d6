// SPDX-License-Identifier: Apache-2.0
// How long the table of contents of a zip archive is, before a library reads it. Any thread. Format: PKWARE,
// "APPNOTE.TXT - .ZIP File Format Specification", 4.3.16 (end of central directory record).
#pragma once

#include <cstdint>
#include <filesystem>

namespace heteroscope::compute {

/// Bytes; the size of the file where the archive does not say (zip64). 0 of what has no end record, a cut
/// archive or none at all, and of what cannot be opened: nothing of them is read.
std::int64_t zipContentsBytes(const std::filesystem::path& file);

} // namespace heteroscope::compute
