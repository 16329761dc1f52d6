// SPDX-License-Identifier: Apache-2.0
// Byte 0 of a file is locked while it is written. Byte 1 is locked for moments, while somebody finds out
// whose the file is: who creates a file and who removes an abandoned one do it under that lock, so that
// neither mistakes the other.
#include "compute/base/output_lock.h"

#include "compute/base/file_kind.h"
#include "compute/base/fnv1a.h"
#include "compute/base/output_place.h"

#include <atomic>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope {
namespace {

constexpr off_t kWriterByte = 0, kOwnershipByte = 1;
constexpr const char* kPartEnding = ".heteroscope-part";
constexpr int kTries = 100;
constexpr int kMostEntries = 1 << 16; ///< of a folder that is looked through for abandoned files

enum class LockOutcome { Held, Busy, Unsupported };

struct flock byteOf(off_t byte, short type) {
    struct flock range {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    return range;
}

LockOutcome lockByte(int fd, off_t byte, bool wait) {
    struct flock range = byteOf(byte, F_WRLCK);
    while (::fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range) != 0) {
        if (errno == EINTR)
            continue;
        return errno == EAGAIN || errno == EACCES ? LockOutcome::Busy : LockOutcome::Unsupported;
    }
    return LockOutcome::Held;
}

void unlockByte(int fd, off_t byte) {
    struct flock range = byteOf(byte, F_UNLCK);
    static_cast<void>(::fcntl(fd, F_OFD_SETLK, &range));
}

/// Somebody has the writer's byte locked; false also where files cannot be locked.
bool hasWriter(int fd) {
    struct flock range = byteOf(kWriterByte, F_WRLCK);
    return ::fcntl(fd, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

bool isStillCalled(int fd, const std::string& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

bool holdsLock(const std::filesystem::path& fdinfo) {
    std::ifstream lines(fdinfo);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("lock:"))
            return true;
    return false;
}

/// "process 123 (name)" when a process that this user may look into has the file locked; else empty.
std::string holderOf(const struct stat& file) {
    namespace fs = std::filesystem;
    std::error_code failure;
    for (fs::directory_iterator process("/proc", failure), end; !failure && process != end;
         process.increment(failure)) {
        const std::string number = process->path().filename().string();
        if (number.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::error_code hidden;
        for (fs::directory_iterator fd(process->path() / "fd", hidden); !hidden && fd != end;
             fd.increment(hidden)) {
            struct stat opened {};
            if (::stat(fd->path().c_str(), &opened) != 0 || opened.st_dev != file.st_dev ||
                opened.st_ino != file.st_ino ||
                !holdsLock(process->path() / "fdinfo" / fd->path().filename()))
                continue;
            std::string name;
            std::ifstream command(process->path() / "comm");
            std::getline(command, name);
            return "process " + number + " (" + name + ")";
        }
    }
    return {};
}

Error writtenByAnother(int fd, const std::string& shown) {
    struct stat file {};
    const std::string holder = ::fstat(fd, &file) == 0 ? holderOf(file) : std::string();
    return badInput(shown,
                    "another run is writing it: " +
                        (holder.empty() ? "a process that is not ours to see" : holder),
                    "a file that nobody writes", "wait until that run has ended, or choose another file");
}

std::string ownTag() {
    static std::atomic<unsigned> count{0};
    return std::to_string(::getpid()) + "-" + std::to_string(count++);
}

/// Of what is no regular file: it is somebody's, and neither followed nor removed. Else empty.
std::string kindInPlace(const std::string& part) {
    std::error_code failure;
    return std::filesystem::is_symlink(part, failure) ? "symbolic link" : kindOfSpecialFile(part);
}

Error cannotCreate(const std::string& shown, const std::string& part) {
    const int number = errno;
    if (const std::string kind = kindInPlace(part); !kind.empty())
        return {ErrorCode::Io,
                "cannot be created: '" + part + "', where the new file is written first, is a " + kind,
                shown,
                {},
                "remove it, or choose another file"};
    const std::string folder = std::filesystem::path(part).parent_path().string();
    return systemRefusal(ErrorCode::Io, shown, "cannot be created", number, {},
                         number == ENOSPC || number == EDQUOT
                             ? "free some space or choose another place"
                             : "check the folder '" + (folder.empty() ? "." : folder) +
                                   "', in which the new file is written first");
}

} // namespace

std::string partPath(const std::string& target, const std::string& tag) {
    const std::filesystem::path path(target);
    std::string name = path.filename().string();
    const std::string ending = (tag.empty() ? "" : "." + tag) + kPartEnding;
    if (1 + name.size() + ending.size() > kLongestFileName)
        name = std::to_string(fnv1a(name));
    return (path.parent_path() / ("." + name + ending)).string();
}

Result<PartFile> createPart(const std::string& target, const std::string& shown, bool exclusive,
                            FileSystem& files) {
    for (int tried = 0; tried < kTries; ++tried) {
        PartFile part;
        part.path = partPath(target, exclusive ? "" : ownTag());
        part.fd = files.open(part.path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
        if (part.fd < 0)
            return cannotCreate(shown, part.path);
        const LockOutcome ownership = lockByte(part.fd, kOwnershipByte, true);
        if (!isStillCalled(part.fd, part.path)) {
            ::close(part.fd); // its writer had just finished, or it was being removed
            continue;
        }
        const LockOutcome writer = lockByte(part.fd, kWriterByte, false);
        if (ownership == LockOutcome::Held)
            unlockByte(part.fd, kOwnershipByte);
        part.locked = writer == LockOutcome::Held;
        if (writer == LockOutcome::Unsupported &&
            exclusive) { // no way to share one name: each writer has its own
            ::close(part.fd);
            static_cast<void>(files.unlink(part.path));
            return createPart(target, shown, false, files);
        }
        if (writer == LockOutcome::Busy) {
            const Error error = writtenByAnother(part.fd, shown);
            ::close(part.fd);
            return error;
        }
        if (files.truncate(part.fd, 0) != 0) {
            const Error error = cannotCreate(shown, part.path);
            ::close(part.fd);
            return error;
        }
        return part;
    }
    return Error{ErrorCode::Io,
                 "cannot be created: others take the name away again and again",
                 shown,
                 {},
                 "choose another file"};
}

Status requireNoWriter(const std::string& path, const std::string& shown) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return {}; // not there, or not to be read: replacing it asks for the right to write
    const Status status = hasWriter(fd) ? Status(writtenByAnother(fd, shown)) : Status();
    ::close(fd);
    return status;
}

void removeAbandonedParts(const std::string& folder, FileSystem& files,
                          const std::vector<std::string>& inputs) {
    const std::string place = folder.empty() ? "." : folder;
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(place.c_str()), &::closedir);
    if (!entries)
        return;
    const dirent* entry = nullptr;
    for (int seen = 0; seen < kMostEntries && (entry = ::readdir(entries.get())) != nullptr; ++seen) {
        const std::string name = entry->d_name;
        if (!name.starts_with('.') || !name.ends_with(kPartEnding))
            continue;
        const std::string path = place + "/" + name;
        if (isInput(path, inputs))
            continue;
        const int fd = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0)
            continue;
        // Under the lock of ownership nobody becomes its writer, and only a writer gives it another name: in
        // this order the name is that of this file until it is removed. The writer's byte is not locked: the
        // file may have got its name meanwhile, and would seem to be written.
        if (lockByte(fd, kOwnershipByte, false) == LockOutcome::Held && !hasWriter(fd) &&
            isStillCalled(fd, path))
            static_cast<void>(files.unlink(path)); // where it cannot be removed, it does no harm
        ::close(fd);
    }
}

} // namespace heteroscope
