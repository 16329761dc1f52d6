// SPDX-License-Identifier: Apache-2.0
// What writes, syncs, renames and opens files by system calls; buffered_hooks.cpp has those of stdio.
#include "tests/fault/inject/fault_plan.h"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define HETEROSCOPE_HOOK extern "C" __attribute__((visibility("default")))

using namespace heteroscope::fault;

namespace {

/// An eventfd, by which threads wake each other: the kernel counts in it, and no full disk makes that fail.
bool wakesAThread(int fd, std::size_t bytes) {
    struct stat about {};
    return bytes == sizeof(std::uint64_t) && ::syscall(SYS_fstat, fd, &about) == 0 &&
           (about.st_mode & S_IFMT) == 0;
}

/// `write(bytes)` writes that many of `bytes`; what happens to it is the plan's.
template <typename Write>
ssize_t countedWrite(int fd, std::size_t bytes, Write write) {
    if (wakesAThread(fd, bytes))
        return write(bytes);
    const Verdict verdict = countCall(Kind::Write, nullptr, fd);
    switch (verdict.action) {
    case Action::None:
        return write(bytes);
    case Action::Fail:
        errno = verdict.error;
        return -1;
    case Action::Kill:
        killHere();
    case Action::KillAfter:
        write(bytes);
        killHere();
    case Action::Short:
        return write((bytes + 1) / 2);
    case Action::Torn:
        write(bytes / 2);
        killHere();
    }
    return -1;
}

int afterwards(const Verdict& verdict, long (*call)(const void*), const void* arguments) {
    if (verdict.action == Action::Kill)
        killHere();
    if (verdict.action == Action::Fail) {
        errno = verdict.error;
        return -1;
    }
    const long result = call(arguments);
    if (verdict.action == Action::KillAfter)
        killHere();
    return static_cast<int>(result);
}

int countedSync(int fd, long number) {
    const long arguments[] = {number, fd};
    return afterwards(
        countCall(Kind::Fsync, nullptr, fd),
        [](const void* given) {
            const long* numbers = static_cast<const long*>(given);
            return ::syscall(numbers[0], numbers[1]);
        },
        arguments);
}

struct Names {
    int fromFolder;
    const char* from;
    int toFolder;
    const char* to;
    long flags;
    long number; ///< of the system call
};

int countedRename(const Names& names) {
    return afterwards(
        countCall(Kind::Rename, names.to),
        [](const void* given) {
            const Names& all = *static_cast<const Names*>(given);
            return ::syscall(all.number, all.fromFolder, all.from, all.toFolder, all.to, all.flags);
        },
        &names);
}

int countedOpen(int folder, const char* path, int flags, mode_t mode) {
    return failsHere(Kind::Open, path) ? -1
                                       : static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

mode_t modeOf(int flags, std::va_list rest) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

} // namespace

HETEROSCOPE_HOOK ssize_t write(int fd, const void* block, std::size_t bytes) {
    return countedWrite(fd, bytes, [&](std::size_t most) { return ::syscall(SYS_write, fd, block, most); });
}

HETEROSCOPE_HOOK ssize_t pwrite(int fd, const void* block, std::size_t bytes, off_t offset) {
    return countedWrite(fd, bytes,
                        [&](std::size_t most) { return ::syscall(SYS_pwrite64, fd, block, most, offset); });
}

HETEROSCOPE_HOOK ssize_t pwrite64(int fd, const void* block, std::size_t bytes, off_t offset) {
    return ::pwrite(fd, block, bytes, offset);
}

HETEROSCOPE_HOOK ssize_t writev(int fd, const iovec* blocks, int count) {
    // A part of it is its first block, which is a short write too.
    return countedWrite(fd, static_cast<std::size_t>(count),
                        [&](std::size_t most) { return ::syscall(SYS_writev, fd, blocks, most); });
}

HETEROSCOPE_HOOK int fsync(int fd) {
    return countedSync(fd, SYS_fsync);
}

HETEROSCOPE_HOOK int fdatasync(int fd) {
    return countedSync(fd, SYS_fdatasync);
}

HETEROSCOPE_HOOK int rename(const char* from, const char* to) noexcept {
    return countedRename({AT_FDCWD, from, AT_FDCWD, to, 0, SYS_renameat2});
}

HETEROSCOPE_HOOK int renameat(int fromFolder, const char* from, int toFolder, const char* to) noexcept {
    return countedRename({fromFolder, from, toFolder, to, 0, SYS_renameat2});
}

HETEROSCOPE_HOOK int renameat2(int fromFolder, const char* from, int toFolder, const char* to,
                               unsigned flags) noexcept {
    return countedRename({fromFolder, from, toFolder, to, static_cast<long>(flags), SYS_renameat2});
}

HETEROSCOPE_HOOK int link(const char* from, const char* to) noexcept {
    return countedRename({AT_FDCWD, from, AT_FDCWD, to, 0, SYS_linkat});
}

HETEROSCOPE_HOOK int linkat(int fromFolder, const char* from, int toFolder, const char* to,
                            int flags) noexcept {
    return countedRename({fromFolder, from, toFolder, to, flags, SYS_linkat});
}

HETEROSCOPE_HOOK int open(const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeOf(flags, rest);
    va_end(rest);
    return countedOpen(AT_FDCWD, path, flags, mode);
}

HETEROSCOPE_HOOK int open64(const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeOf(flags, rest);
    va_end(rest);
    return countedOpen(AT_FDCWD, path, flags, mode);
}

HETEROSCOPE_HOOK int openat(int folder, const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeOf(flags, rest);
    va_end(rest);
    return countedOpen(folder, path, flags, mode);
}

HETEROSCOPE_HOOK int openat64(int folder, const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeOf(flags, rest);
    va_end(rest);
    return countedOpen(folder, path, flags, mode);
}

// What calls of open() become where the compiler checks them.
HETEROSCOPE_HOOK int __open_2(const char* path, int flags) {
    return countedOpen(AT_FDCWD, path, flags, 0);
}

HETEROSCOPE_HOOK int __open64_2(const char* path, int flags) {
    return countedOpen(AT_FDCWD, path, flags, 0);
}

HETEROSCOPE_HOOK int __openat_2(int folder, const char* path, int flags) {
    return countedOpen(folder, path, flags, 0);
}

HETEROSCOPE_HOOK int __openat64_2(int folder, const char* path, int flags) {
    return countedOpen(folder, path, flags, 0);
}

HETEROSCOPE_HOOK int creat(const char* path, mode_t mode) {
    return countedOpen(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

HETEROSCOPE_HOOK int creat64(const char* path, mode_t mode) {
    return countedOpen(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
