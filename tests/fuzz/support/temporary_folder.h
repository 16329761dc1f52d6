// SPDX-License-Identifier: Apache-2.0
// A folder of this process's own, for readers of several files and for writers; removed at the end. One
// thread.
#pragma once

#include <filesystem>
#include <string>

namespace heteroscope::fuzz {

class TemporaryFolder {
  public:
    TemporaryFolder(); ///< ends the program when the system gives none
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path file(const std::string& name) const { return m_path / name; }
    const std::filesystem::path& path() const { return m_path; }

  private:
    std::filesystem::path m_path;
};

} // namespace heteroscope::fuzz
