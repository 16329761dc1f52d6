// SPDX-License-Identifier: Apache-2.0
// What starts processes and threads.
#include "tests/fault/inject/fault_plan.h"
#include "tests/fault/inject/real_functions.h"

#include <cerrno>
#include <cstdarg>
#include <sched.h>

#define HETEROSCOPE_HOOK extern "C" __attribute__((visibility("default")))

using namespace heteroscope::fault;

namespace {

int (*s_main)(int, char**, char**) = nullptr;

int mainAfterMark(int count, char** words, char** environment) {
    reachMain();
    return s_main(count, words, environment);
}

} // namespace

HETEROSCOPE_HOOK int __libc_start_main(int (*body)(int, char**, char**), int count, char** words,
                                       void (*init)(), void (*finish)(), void (*finishLoader)(),
                                       void* stackEnd) {
    s_main = body;
    return real().start(mainAfterMark, count, words, init, finish, finishLoader, stackEnd);
}

HETEROSCOPE_HOOK int fork() noexcept {
    if (failsHere(Kind::Fork))
        return -1;
    const int child = real().fork();
    if (child == 0)
        stopCounting();
    return child;
}

HETEROSCOPE_HOOK int posix_spawn(int* child, const char* path, const posix_spawn_file_actions_t* actions,
                                 const posix_spawnattr_t* attributes, char* const* words,
                                 char* const* environment) {
    const int before = errno;
    if (!failsHere(Kind::Fork))
        return real().posix_spawn(child, path, actions, attributes, words, environment);
    const int failed = errno;
    errno = before; // this function returns its error
    return failed;
}

HETEROSCOPE_HOOK int posix_spawnp(int* child, const char* path, const posix_spawn_file_actions_t* actions,
                                  const posix_spawnattr_t* attributes, char* const* words,
                                  char* const* environment) {
    const int before = errno;
    if (!failsHere(Kind::Fork))
        return real().posix_spawnp(child, path, actions, attributes, words, environment);
    const int failed = errno;
    errno = before;
    return failed;
}

HETEROSCOPE_HOOK int clone(int (*body)(void*), void* stack, int flags, void* argument, ...) noexcept {
    if (failsHere(Kind::Fork))
        return -1;
    std::va_list rest;
    va_start(rest, argument);
    void* parentId = va_arg(rest, void*);
    void* tls = va_arg(rest, void*);
    void* childId = va_arg(rest, void*);
    va_end(rest);
    return real().clone(body, stack, flags, argument, parentId, tls, childId);
}

extern "C" __attribute__((visibility("default"))) int pthread_create(unsigned long* thread,
                                                                     const union pthread_attr_t* attributes,
                                                                     void* (*body)(void*),
                                                                     void* argument) noexcept {
    const int before = errno;
    if (!failsHere(Kind::Thread))
        return real().pthread_create(thread, attributes, body, argument);
    const int failed = errno;
    errno = before; // this function returns its error
    return failed;
}
