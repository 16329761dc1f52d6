// SPDX-License-Identifier: Apache-2.0
// A file that is plain or compressed with gzip, read once from its beginning to its end. zlib's own gzread
// ignores what follows the compressed data and takes a missing checksum for the end. One thread.
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace heteroscope {

class PackedFile {
  public:
    /// Only regular files are opened; `expected` as of requireRegularFile(). Errors: its own, Io.
    static Result<std::unique_ptr<PackedFile>> open(const std::filesystem::path& file,
                                                    const std::string& expected = {});
    ~PackedFile();

    /// Up to `bytes` more (4 GiB at a time), unpacked; 0 at the end. Compressed data may have several
    /// members. Errors name the file and the byte of the unpacked data: BadInput where the data, a member's
    /// checksum or its length are wrong, or where anything but zeros (16 MiB at most) follows the last
    /// member; Io.
    Result<std::size_t> read(void* to, std::size_t bytes);
    bool packed() const;               ///< compressed
    bool cutOff() const;               ///< the file ended inside a member: what was before it was given
    std::uint64_t storedBytes() const; ///< of the file, taken so far

  private:
    struct State;
    explicit PackedFile(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace heteroscope
