// SPDX-License-Identifier: Apache-2.0
#include "compute/base/file_system.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace heteroscope {
namespace {

/// What has no disk behind it (a pipe, some network file systems) cannot be synced, and need not be.
int unlessImpossible(int outcome) {
    return outcome != 0 && (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS) ? 0 : outcome;
}

} // namespace

int FileSystem::open(const std::string& path, int flags, mode_t mode) {
    return ::open(path.c_str(), flags | O_CLOEXEC, mode);
}

ssize_t FileSystem::write(int fd, const void* bytes, std::size_t count) {
    return ::write(fd, bytes, count);
}

ssize_t FileSystem::writeAt(int fd, const void* bytes, std::size_t count, off_t offset) {
    return ::pwrite(fd, bytes, count, offset);
}

int FileSystem::truncate(int fd, off_t length) {
    return ::ftruncate(fd, length);
}

int FileSystem::sync(int fd) {
    return unlessImpossible(::fdatasync(fd));
}

int FileSystem::rename(const std::string& from, const std::string& to) {
    return std::rename(from.c_str(), to.c_str());
}

int FileSystem::link(const std::string& from, const std::string& to) {
    return ::link(from.c_str(), to.c_str());
}

int FileSystem::unlink(const std::string& path) {
    return ::unlink(path.c_str());
}

int FileSystem::syncFolder(const std::string& folder) {
    const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES ? 0
                               : -1; // a folder that may be written to and not read cannot be opened at all
    const int outcome = unlessImpossible(::fsync(fd));
    ::close(fd);
    return outcome;
}

FileSystem& systemFiles() {
    static FileSystem files;
    return files;
}

} // namespace heteroscope
