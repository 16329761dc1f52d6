// SPDX-License-Identifier: Apache-2.0
// Says that one live run owns a name: an empty file that is locked while the object lives and removed at its
// end.
// The system unlocks it when the process ends in whatever way. One thread.
#pragma once

#include "compute/base/result.h"

#include <filesystem>
#include <utility>

namespace heteroscope::compute {

class CheckpointLock {
  public:
    /// Errors: somebody has it, or it is another kind of file (BadInput); it cannot be made or locked (Io).
    static Result<CheckpointLock> take(const std::filesystem::path& file);
    CheckpointLock(CheckpointLock&& other) noexcept
        : m_file(std::move(other.m_file)), m_fd(std::exchange(other.m_fd, -1)), m_left(other.m_left) {}
    CheckpointLock& operator=(CheckpointLock&&) = delete;
    ~CheckpointLock();
    /// The file was there already: a run of this name was killed.
    bool wasLeft() const { return m_left; }

  private:
    CheckpointLock(std::filesystem::path file, int fd) : m_file(std::move(file)), m_fd(fd) {}

    std::filesystem::path m_file;
    int m_fd;
    bool m_left = false;
};

} // namespace heteroscope::compute
