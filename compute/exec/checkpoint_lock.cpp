// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/checkpoint_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

/// False: the owner before has just removed the file that was locked here, and another one may be there now.
bool stillHasItsName(int fd, const std::filesystem::path& file) {
    struct stat locked {
    }, named{};
    return ::fstat(fd, &locked) == 0 && ::stat(file.c_str(), &named) == 0 && locked.st_ino == named.st_ino &&
           locked.st_dev == named.st_dev;
}

/// A file of somebody else must not be taken for the lock, which is removed.
bool isEmptyFile(int fd) {
    struct stat info {};
    return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

Error cannotLock(const std::filesystem::path& file, int failure) {
    if (failure == EWOULDBLOCK)
        return badInput(file.string(), "another run that has not ended keeps its states under this name",
                        "one run at a time", "wait for its end, or give --checkpoints another folder");
    return systemRefusal(ErrorCode::Io, file.string(), "the lock of the checkpoints cannot be had", failure,
                         {}, "give --checkpoints a folder on a disk that knows locks and may be written");
}

} // namespace

Result<CheckpointLock> CheckpointLock::take(const std::filesystem::path& file) {
    for (;;) {
        constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        int fd = ::open(file.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
        const bool left = fd < 0 && errno == EEXIST;
        if (left && (fd = ::open(file.c_str(), kFlags)) < 0 && errno == ENOENT)
            continue; // its owner has just removed it
        if (fd < 0)
            return cannotLock(file, errno);
        CheckpointLock lock({}, fd); // without a name it only closes
        lock.m_left = left;
        if (!isEmptyFile(fd))
            return badInput(file.string(), "a file with something in it has the name of a lock",
                            "no file of this name, or an empty one",
                            "rename it, or give --checkpoints another folder");
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0)
            return cannotLock(file, errno);
        if (stillHasItsName(fd, file)) {
            lock.m_file = file;
            return lock;
        }
    }
}

CheckpointLock::~CheckpointLock() {
    if (m_fd < 0)
        return;
    if (!m_file.empty())
        ::unlink(m_file.c_str()); // while it is locked: nobody else has it
    ::close(m_fd);
}

} // namespace heteroscope::compute
