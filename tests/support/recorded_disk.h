// SPDX-License-Identifier: Apache-2.0
// A file system that notes every change in its order, and tells what a disk may hold after a loss of power at
// any moment.
#pragma once

#include "compute/base/file_system.h"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::testing_support {

class RecordedDisk : public FileSystem {
  public:
    enum class Change { Create, Write, Truncate, Sync, Rename, Unlink, SyncFolder };
    struct Step {
        Change change = Change::Write;
        int file = -1;           ///< of Create, Write, Truncate, Sync
        std::string name, other; ///< of Create, Rename (from, to), Unlink
        std::size_t offset = 0;  ///< of Write, Truncate
        std::string bytes;       ///< of Write
    };
    /// Names and contents.
    using Folder = std::map<std::string, std::string>;

    /// What is on the disk at the beginning, under its full path.
    explicit RecordedDisk(Folder before = {}) : m_before(std::move(before)) {}

    int open(const std::string& path, int flags, mode_t mode) override;
    ssize_t write(int fd, const void* bytes, std::size_t count) override;
    ssize_t writeAt(int fd, const void* bytes, std::size_t count, off_t offset) override;
    int truncate(int fd, off_t length) override;
    int sync(int fd) override;
    int rename(const std::string& from, const std::string& to) override;
    int unlink(const std::string& path) override;
    int syncFolder(const std::string& folder) override;

    std::size_t stepCount() const;
    Step step(std::size_t index) const;
    /// Waits until a file was flushed after `step`; false after a minute.
    bool waitForSyncAfter(std::size_t step);

    /// What the disk may hold when the power fails after the first `steps` changes: what was flushed is
    /// there; of the rest, a beginning of the changes of names, and any part of any write, with zeros where
    /// one is missing.
    Folder afterPowerLoss(std::size_t steps, std::mt19937& random) const;

  private:
    int fileOf(int fd) const;             ///< by device and inode, which a descriptor's number is not
    void forget(const std::string& path); ///< its inode is another file's from now on
    void note(Step step);
    /// Nothing where nothing was written; without `offset` at the place of the next write().
    void noteWrite(int fd, std::optional<off_t> offset, const void* bytes, ssize_t wrote);
    std::size_t durable(std::size_t steps, Change barrier, int file) const;
    std::string contentAfter(std::size_t steps, int file, std::mt19937& random) const;

    Folder m_before;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Step> m_steps;
    mutable std::map<std::pair<std::uint64_t, std::uint64_t>, int> m_files;
    mutable int m_fileCount = 0;
    std::map<int, std::size_t> m_ends; ///< place of the next write()
};

} // namespace heteroscope::testing_support
