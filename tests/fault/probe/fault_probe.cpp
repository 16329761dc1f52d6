// SPDX-License-Identifier: Apache-2.0
// fault_probe KIND TIMES: makes calls of one kind and prints what each gave, "ok" or the name of its errno.
// For the tests of the library that makes them fail.
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <map>
#include <new>
#include <pthread.h>
#include <spawn.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// 0, or the errno of the call.
using Call = std::function<int()>;

int failure(bool failed) {
    return failed ? errno : 0;
}

int openHere() {
    return ::open("probe.txt", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

void* volatile s_block; // the compiler must not leave out what nobody looks at

int newOperator() {
    try {
        s_block = ::operator new(100);
        ::operator delete(s_block);
        return 0;
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
}

int allocate() {
    s_block = std::malloc(100);
    const int failed = failure(s_block == nullptr);
    std::free(s_block);
    return failed;
}

int reap(pid_t child) {
    return failure(child < 0 || ::waitpid(child, nullptr, 0) != child);
}

int forkPlainly() {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    return reap(child);
}

int forkSharing() {
    const pid_t child = ::vfork();
    if (child == 0)
        ::_exit(0);
    return reap(child);
}

int spawn() {
    static char name[] = "true";
    std::array<char*, 2> words{name, nullptr};
    pid_t child = -1;
    const int failed = ::posix_spawnp(&child, name, nullptr, nullptr, words.data(), environ);
    return failed != 0 ? failed : reap(child);
}

int load() {
    void* library = ::dlopen("libm.so.6", RTLD_NOW);
    if (library != nullptr)
        return ::dlclose(library);
    return std::strlen(::dlerror()) > 0 ? ENOENT : -1;
}

int startThread() {
    pthread_t thread{};
    const int failed = ::pthread_create(
        &thread, nullptr, [](void* none) { return none; }, nullptr);
    return failed != 0 ? failed : ::pthread_join(thread, nullptr);
}

int mapMemory() {
    void* place = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return place == MAP_FAILED ? errno : ::munmap(place, 4096);
}

int openAndClose() {
    const int fd = openHere();
    return fd < 0 ? errno : ::close(fd);
}

int writeBuffered() {
    std::FILE* file = std::fopen("buffered.txt", "a");
    if (file == nullptr)
        return errno;
    const bool failed = std::fwrite("ten bytes.", 1, 10, file) != 10;
    const int number = failed && std::ferror(file) != 0 ? errno : 0;
    std::fclose(file);
    return number;
}

int wakeAThread() {
    const int fd = ::eventfd(0, 0);
    const std::uint64_t one = 1;
    const bool failed = fd < 0 || ::write(fd, &one, sizeof one) != sizeof one;
    const int number = failed ? errno : 0;
    ::close(fd);
    return number;
}

/// By no call that is counted.
void say(const char* word) {
    ::syscall(SYS_write, STDOUT_FILENO, word, std::strlen(word));
    ::syscall(SYS_write, STDOUT_FILENO, "\n", 1);
}

std::map<std::string, Call> calls(int fd) {
    return {{"malloc", allocate},
            {"new", newOperator},
            {"write", [fd] { return failure(::write(fd, "ten bytes.", 10) < 0); }},
            {"wake", wakeAThread},
            {"fwrite", writeBuffered},
            {"fsync", [fd] { return failure(::fsync(fd) != 0); }},
            {"rename", [] { return failure(std::rename("probe.txt", "probe.txt") != 0); }},
            {"open", openAndClose},
            {"fork", forkPlainly},
            {"vfork", forkSharing},
            {"spawn", spawn},
            {"mmap", mapMemory},
            {"dlopen", load},
            {"thread", startThread}};
}

} // namespace

int main(int count, char** words) {
    const int fd = openHere();
    const auto known = calls(fd);
    const auto call = count == 3 ? known.find(words[1]) : known.end();
    if (call == known.end() || fd < 0)
        return 64;
    if (auto* mark = reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "heteroscope_fault_mark")))
        mark();
    for (int i = 0; i < std::atoi(words[2]); ++i) {
        const int failed = call->second();
        say(failed == 0 ? "ok" : ::strerrorname_np(failed));
    }
    return 0;
}
