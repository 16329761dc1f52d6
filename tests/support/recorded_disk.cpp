// SPDX-License-Identifier: Apache-2.0
#include "tests/support/recorded_disk.h"

#include <algorithm>
#include <chrono>
#include <sys/stat.h>

namespace heteroscope::testing_support {
namespace {

void put(std::string& content, std::size_t offset, const std::string& bytes) {
    if (content.size() < offset + bytes.size())
        content.resize(offset + bytes.size(), '\0');
    content.replace(offset, bytes.size(), bytes);
}

} // namespace

int RecordedDisk::fileOf(int fd) const {
    struct stat info {};
    ::fstat(fd, &info);
    const auto [entry, isNew] = m_files.try_emplace({info.st_dev, info.st_ino}, m_fileCount);
    m_fileCount += isNew ? 1 : 0;
    return entry->second;
}

void RecordedDisk::forget(const std::string& path) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || info.st_nlink != 1)
        return;
    const std::lock_guard lock(m_mutex);
    m_files.erase({info.st_dev, info.st_ino});
}

void RecordedDisk::note(Step step) {
    const std::lock_guard lock(m_mutex);
    m_steps.push_back(std::move(step));
    m_changed.notify_all();
}

int RecordedDisk::open(const std::string& path, int flags, mode_t mode) {
    const int fd = FileSystem::open(path, flags, mode);
    if (fd < 0)
        return fd;
    Step created{Change::Create, -1, path, {}, 0, {}};
    {
        const std::lock_guard lock(m_mutex);
        created.file = fileOf(fd);
    }
    note(std::move(created));
    return fd;
}

void RecordedDisk::noteWrite(int fd, std::optional<off_t> offset, const void* bytes, ssize_t wrote) {
    if (wrote <= 0)
        return;
    Step step{
        Change::Write, -1, {}, {}, 0, {static_cast<const char*>(bytes), static_cast<std::size_t>(wrote)}};
    {
        const std::lock_guard lock(m_mutex);
        step.file = fileOf(fd);
        std::size_t& end = m_ends[step.file];
        step.offset = offset ? static_cast<std::size_t>(*offset) : end;
        end += offset ? 0 : step.bytes.size();
    }
    note(std::move(step));
}

ssize_t RecordedDisk::write(int fd, const void* bytes, std::size_t count) {
    const ssize_t wrote = FileSystem::write(fd, bytes, count);
    noteWrite(fd, std::nullopt, bytes, wrote);
    return wrote;
}

ssize_t RecordedDisk::writeAt(int fd, const void* bytes, std::size_t count, off_t offset) {
    const ssize_t wrote = FileSystem::writeAt(fd, bytes, count, offset);
    noteWrite(fd, offset, bytes, wrote);
    return wrote;
}

int RecordedDisk::truncate(int fd, off_t length) {
    Step step;
    {
        const std::lock_guard lock(m_mutex);
        step = {Change::Truncate, fileOf(fd), {}, {}, static_cast<std::size_t>(length), {}};
        m_ends[step.file] = step.offset;
    }
    note(std::move(step));
    return FileSystem::truncate(fd, length);
}

int RecordedDisk::sync(int fd) {
    Step step{Change::Sync, -1, {}, {}, 0, {}};
    {
        const std::lock_guard lock(m_mutex);
        step.file = fileOf(fd);
    }
    const int outcome = FileSystem::sync(fd);
    note(std::move(step));
    return outcome;
}

int RecordedDisk::rename(const std::string& from, const std::string& to) {
    note({Change::Rename, -1, from, to, 0, {}});
    forget(to);
    return FileSystem::rename(from, to);
}

int RecordedDisk::unlink(const std::string& path) {
    note({Change::Unlink, -1, path, {}, 0, {}});
    forget(path);
    return FileSystem::unlink(path);
}

int RecordedDisk::syncFolder(const std::string& folder) {
    const int outcome = FileSystem::syncFolder(folder);
    note({Change::SyncFolder, -1, folder, {}, 0, {}});
    return outcome;
}

std::size_t RecordedDisk::stepCount() const {
    const std::lock_guard lock(m_mutex);
    return m_steps.size();
}

RecordedDisk::Step RecordedDisk::step(std::size_t index) const {
    const std::lock_guard lock(m_mutex);
    return m_steps.at(index);
}

bool RecordedDisk::waitForSyncAfter(std::size_t step) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::minutes(1), [&] {
        return std::any_of(m_steps.begin() + static_cast<std::ptrdiff_t>(std::min(step, m_steps.size())),
                           m_steps.end(), [](const Step& known) { return known.change == Change::Sync; });
    });
}

/// Behind the last barrier of the first `steps` changes; 0 without one.
std::size_t RecordedDisk::durable(std::size_t steps, Change barrier, int file) const {
    for (std::size_t i = steps; i > 0; --i)
        if (m_steps[i - 1].change == barrier && m_steps[i - 1].file == file)
            return i;
    return 0;
}

std::string RecordedDisk::contentAfter(std::size_t steps, int file, std::mt19937& random) const {
    const std::size_t flushed = durable(steps, Change::Sync, file);
    const auto fate = random() % 4; // of what was not flushed: nothing, everything, or anything
    std::string content;
    for (std::size_t i = 0; i < steps; ++i) {
        const Step& step = m_steps[i];
        if (step.file != file)
            continue;
        if (step.change == Change::Truncate)
            content.resize(step.offset, '\0');
        if (step.change != Change::Write)
            continue;
        const bool arrived = i < flushed || fate == 1 || (fate >= 2 && random() % 2 == 0);
        if (!arrived)
            continue;
        const bool torn = i >= flushed && fate == 3 && random() % 2 == 0;
        put(content, step.offset,
            torn ? step.bytes.substr(0, random() % (step.bytes.size() + 1)) : step.bytes);
    }
    return content;
}

RecordedDisk::Folder RecordedDisk::afterPowerLoss(std::size_t steps, std::mt19937& random) const {
    const std::lock_guard lock(m_mutex);
    const std::size_t flushed = durable(steps, Change::SyncFolder, -1);
    const std::size_t known = flushed + random() % (steps - flushed + 1); // names change in their order
    Folder folder = m_before;
    std::map<std::string, int> files;
    for (std::size_t i = 0; i < known; ++i) {
        const Step& step = m_steps[i];
        if (step.change == Change::Create)
            files[step.name] = step.file;
        if (step.change == Change::Unlink) {
            files.erase(step.name);
            folder.erase(step.name);
        }
        if (step.change == Change::Rename && files.contains(step.name)) {
            files[step.other] = files.at(step.name);
            files.erase(step.name);
        }
    }
    for (const auto& [name, file] : files)
        folder[name] = contentAfter(steps, file, random);
    return folder;
}

} // namespace heteroscope::testing_support
