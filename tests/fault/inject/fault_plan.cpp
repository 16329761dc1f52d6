// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/inject/fault_plan.h"

#include "tests/fault/inject/fault_words.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heteroscope::fault {
namespace {

constexpr int kMostFaults = 8;

Fault s_faults[kMostFaults];
int s_faultCount = 0;
const char* s_pathFilter = nullptr;
const char* s_marker = nullptr; // text of a path whose first opening starts the counting
bool s_fromMain = false;
std::atomic<bool> s_counting{false};
ProcessCounts s_ownCounts; // where there is no report
ProcessCounts* s_counts = &s_ownCounts;

/// Neither of these goes through a hook.
long rawOpen(const char* path, int flags) {
    return ::syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0666);
}

Report* mapReport(const char* path) {
    const long fd = rawOpen(path, O_RDWR | O_CREAT);
    if (fd < 0 || ::syscall(SYS_ftruncate, fd, sizeof(Report)) != 0)
        refuse("HETEROSCOPE_FAULT_REPORT cannot be made: ", path);
    const long place =
        ::syscall(SYS_mmap, nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ::syscall(SYS_close, fd);
    if (place < 0 && place > -4096)
        refuse("HETEROSCOPE_FAULT_REPORT cannot be mapped: ", path);
    return reinterpret_cast<Report*>(place);
}

/// The number of this process among those with this report; a larger one than there is room for is counted
/// apart.
std::uint32_t joinReport(const char* path) {
    Report* report = mapReport(path);
    std::memcpy(report->magic, kReportMagic, sizeof kReportMagic);
    report->kinds = kKinds;
    const std::uint32_t number = report->processes.fetch_add(1);
    if (number < kMostProcesses)
        s_counts = &report->process[number];
    return number;
}

/// The C library does not know the environment yet: this runs before it is set up.
const char* setting(char** environment, const char* name) {
    const std::size_t length = std::strlen(name);
    for (; *environment != nullptr; ++environment)
        if (std::strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return nullptr;
}

void readFaults(const char* text) {
    while (text != nullptr && *text != '\0') {
        if (s_faultCount == kMostFaults)
            refuse("HETEROSCOPE_FAULT names more than 8 faults: ", text);
        text = parseFault(text, s_faults[s_faultCount++]);
    }
}

void readMarker(const char* from) {
    if (from != nullptr && std::strncmp(from, "open:", 5) == 0 && from[5] != '\0')
        s_marker = from + 5;
    else if (from != nullptr && std::strcmp(from, "main") == 0)
        s_fromMain = true;
    else if (from != nullptr && std::strcmp(from, "start") != 0 && std::strcmp(from, "mark") != 0)
        refuse("HETEROSCOPE_FAULT_FROM is start, main, mark or open:TEXT, not ", from);
    s_counting = from == nullptr || std::strcmp(from, "start") == 0;
}

__attribute__((constructor)) void beginPlan(int, char**, char** environment) {
    const char* report = setting(environment, "HETEROSCOPE_FAULT_REPORT");
    const std::uint32_t number = report != nullptr ? joinReport(report) : 0;
    s_counts->pid = static_cast<std::uint64_t>(::syscall(SYS_getpid));
    if (meansProcess(setting(environment, "HETEROSCOPE_FAULT_PROCESS"), number, report != nullptr))
        readFaults(setting(environment, "HETEROSCOPE_FAULT"));
    s_pathFilter = setting(environment, "HETEROSCOPE_FAULT_PATH");
    readMarker(setting(environment, "HETEROSCOPE_FAULT_FROM"));
}

bool isAbout(const char* text, const char* path, int fd) {
    if (path != nullptr)
        return std::strstr(path, text) != nullptr;
    if (fd < 0)
        return false;
    char link[40], name[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const long length = ::syscall(SYS_readlink, link, name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    return std::strstr(name, text) != nullptr;
}

bool counts(Kind kind, const char* path, int fd) {
    if (!s_counting.load(std::memory_order_relaxed)) {
        if (s_marker == nullptr || kind != Kind::Open || !isAbout(s_marker, path, fd))
            return false;
        s_counting = true;
    }
    const bool filtered =
        kind == Kind::Write || kind == Kind::Fsync || kind == Kind::Rename || kind == Kind::Open;
    return s_pathFilter == nullptr || !filtered || isAbout(s_pathFilter, path, fd);
}

} // namespace

Verdict countCall(Kind kind, const char* path, int fd) {
    const int before = errno;
    Verdict verdict;
    if (counts(kind, path, fd)) {
        const auto index = static_cast<std::uint32_t>(kind);
        const std::uint64_t number = s_counts->seen[index].fetch_add(1, std::memory_order_relaxed) + 1;
        for (int i = 0; i < s_faultCount; ++i)
            if (s_faults[i].kind == kind &&
                (number == s_faults[i].number || (s_faults[i].onwards && number > s_faults[i].number)))
                verdict = s_faults[i].verdict;
        if (verdict.action != Action::None)
            s_counts->fired[index].fetch_add(1, std::memory_order_relaxed);
    }
    errno = before;
    return verdict;
}

void killHere() {
    for (;;)
        ::syscall(SYS_kill, ::syscall(SYS_getpid), SIGKILL);
}

bool failsHere(Kind kind, const char* path, int fd) {
    const Verdict verdict = countCall(kind, path, fd);
    if (verdict.action == Action::Kill)
        killHere();
    if (verdict.action != Action::Fail)
        return false;
    errno = verdict.error;
    return true;
}

void reachMain() {
    if (s_fromMain)
        s_counting = true;
}

void stopCounting() {
    s_counting = false;
    s_marker = nullptr;
}

void refuse(const char* words, const char* what) {
    for (const char* part : {"heteroscope-fault: ", words, what, "\n"})
        ::syscall(SYS_write, STDERR_FILENO, part, std::strlen(part));
    ::syscall(SYS_exit_group, 125);
    for (;;) {
    }
}

} // namespace heteroscope::fault

/// The marker of HETEROSCOPE_FAULT_FROM=mark; a test program finds it with dlsym(RTLD_DEFAULT, ...).
extern "C" __attribute__((visibility("default"))) void heteroscope_fault_mark() {
    using namespace heteroscope::fault;
    s_counting = true;
}
