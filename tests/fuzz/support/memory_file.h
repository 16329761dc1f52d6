// SPDX-License-Identifier: Apache-2.0
// Bytes as a file that is only in memory, for readers that want a path. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace heteroscope::fuzz {

class MemoryFile {
  public:
    MemoryFile(); ///< ends the program when the system has no such files
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    /// Replaces all that is in it.
    void set(std::span<const std::uint8_t> bytes);
    const std::filesystem::path& path() const { return m_path; }

  private:
    int m_descriptor;
    std::filesystem::path m_path;
};

} // namespace heteroscope::fuzz
