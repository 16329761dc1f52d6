// SPDX-License-Identifier: Apache-2.0
#include "tests/support/kill_at/file_calls.h"

#include <climits>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace heteroscope::test {
namespace {

constexpr int kNone = -1;

/// Numbers of arguments: a descriptor, a path and the folder that it starts from, the same of the name
/// afterwards, and the flags of an open, which is of no interest when it only reads.
struct CallForm {
    int number;
    const char* name;
    int fd = kNone;
    int path = kNone, folder = kNone;
    int to = kNone, toFolder = kNone;
    int flags = kNone;
};

constexpr CallForm kForms[] = {
#ifdef SYS_open
    {SYS_open, "open", kNone, 0, kNone, kNone, kNone, 1},
    {SYS_creat, "creat", kNone, 0},
    {SYS_unlink, "unlink", kNone, 0},
    {SYS_rename, "rename", kNone, 0, kNone, 1},
    {SYS_link, "link", kNone, 0, kNone, 1},
    {SYS_symlink, "symlink", kNone, 1},
#endif
#ifdef SYS_renameat
    {SYS_renameat, "renameat", kNone, 1, 0, 3, 2},
#endif
    {SYS_openat, "openat", kNone, 1, 0, kNone, kNone, 2},
    {SYS_unlinkat, "unlinkat", kNone, 1, 0},
    {SYS_renameat2, "renameat2", kNone, 1, 0, 3, 2},
    {SYS_linkat, "linkat", kNone, 1, 0, 3, 2},
    {SYS_symlinkat, "symlinkat", kNone, 2, 1},
    {SYS_write, "write", 0},
    {SYS_pwrite64, "pwrite64", 0},
    {SYS_writev, "writev", 0},
    {SYS_fsync, "fsync", 0},
    {SYS_fdatasync, "fdatasync", 0},
    {SYS_ftruncate, "ftruncate", 0}};

std::string linkTarget(const std::string& link) {
    std::error_code failure;
    return std::filesystem::read_symlink(link, failure).string();
}

std::string textAt(pid_t thread, std::uint64_t address) {
    const std::string memory = "/proc/" + std::to_string(thread) + "/mem";
    const int fd = ::open(memory.c_str(), O_RDONLY | O_CLOEXEC);
    char text[PATH_MAX];
    const ssize_t count = ::pread(fd, text, sizeof text, static_cast<off_t>(address));
    ::close(fd);
    return count <= 0 ? std::string() : std::string(text, std::find(text, text + count, '\0'));
}

std::string openPath(pid_t thread, std::uint64_t descriptor) {
    const auto fd = static_cast<std::int32_t>(descriptor);
    const std::string process = "/proc/" + std::to_string(thread);
    return linkTarget(fd == AT_FDCWD ? process + "/cwd" : process + "/fd/" + std::to_string(fd));
}

std::string namedPath(pid_t thread, std::uint64_t text, std::uint64_t folder) {
    const std::filesystem::path name = textAt(thread, text);
    return name.is_absolute() ? name.string()
                              : (std::filesystem::path(openPath(thread, folder)) / name).string();
}

} // namespace

bool stopAtFileCalls() {
    constexpr std::uint32_t kChanging = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC; // flags of an open
    const auto lowWord = [](int index) { // of an argument, little-endian
        return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                          static_cast<std::size_t>(index) * sizeof(std::uint64_t));
    };
    std::vector<sock_filter> filter;
    for (const CallForm& form : kForms) {
        filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(form.number), 0,
                                  static_cast<std::uint8_t>(form.flags == kNone ? 1 : 4)));
        if (form.flags != kNone) {
            filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, lowWord(form.flags)));
            filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kChanging, 1, 0));
            filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
        }
        filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

std::optional<FileCall> fileCallOf(pid_t thread) {
    __ptrace_syscall_info info{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0 ||
        info.op != PTRACE_SYSCALL_INFO_SECCOMP)
        return std::nullopt;
    const auto form = std::find_if(std::begin(kForms), std::end(kForms), [&](const CallForm& one) {
        return static_cast<std::uint64_t>(one.number) == info.seccomp.nr;
    });
    if (form == std::end(kForms))
        return std::nullopt;
    const auto argument = [&](int index) {
        return index == kNone ? static_cast<std::uint64_t>(AT_FDCWD) : info.seccomp.args[index];
    };
    FileCall call{form->name, {}, {}};
    call.path = form->fd != kNone ? openPath(thread, argument(form->fd))
                                  : namedPath(thread, argument(form->path), argument(form->folder));
    if (form->to != kNone)
        call.to = namedPath(thread, argument(form->to), argument(form->toFolder));
    return call;
}

} // namespace heteroscope::test
