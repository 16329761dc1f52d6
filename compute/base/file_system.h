// SPDX-License-Identifier: Apache-2.0
// The calls that change what a disk holds, so that a test can stand between a writer and the disk and ask
// what a loss of power would leave. Each behaves like the POSIX call that it is named after: -1 and errno
// after a failure. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace heteroscope {

inline constexpr std::size_t kLongestFileName = 255; ///< bytes, of every file system in use

class FileSystem {
  public:
    virtual ~FileSystem() = default;
    virtual int open(const std::string& path, int flags, mode_t mode);
    virtual ssize_t write(int fd, const void* bytes, std::size_t count);
    virtual ssize_t writeAt(int fd, const void* bytes, std::size_t count, off_t offset);
    virtual int truncate(int fd, off_t length);
    virtual int sync(int fd); ///< the file's bytes and its length are on the disk after it
    virtual int rename(const std::string& from, const std::string& to);
    virtual int link(const std::string& from, const std::string& to); ///< fails where `to` is there
    virtual int unlink(const std::string& path);
    virtual int syncFolder(const std::string& folder); ///< its names are on the disk after it
};

FileSystem& systemFiles(); ///< the one of this machine

} // namespace heteroscope
