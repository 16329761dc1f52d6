// SPDX-License-Identifier: Apache-2.0
// The C library's functions behind the hooks that cannot be written as a system call. They are looked up
// before any other library's code runs (the library is linked with -z initfirst), so that no hook has to.
#pragma once

#include <cstdio>
#include <spawn.h>

namespace heteroscope::fault {

struct RealFunctions {
    std::FILE* (*fopen)(const char*, const char*);
    std::FILE* (*freopen)(const char*, const char*, std::FILE*);
    std::size_t (*fwrite)(const void*, std::size_t, std::size_t, std::FILE*);
    int (*fputs)(const char*, std::FILE*);
    int (*fflush)(std::FILE*);
    int (*fclose)(std::FILE*);
    int (*mkostemps)(char*, int, int);
    int (*fork)();
    int (*posix_spawn)(int*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                       char* const*, char* const*);
    int (*posix_spawnp)(int*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                        char* const*, char* const*);
    int (*clone)(int (*)(void*), void*, int, void*, ...);
    int (*start)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
    int (*pthread_create)(void*, const void*, void* (*)(void*), void*);
};

const RealFunctions& real();

} // namespace heteroscope::fault
