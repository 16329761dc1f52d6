// SPDX-License-Identifier: Apache-2.0
// malloc and its family, and mmap. The C library's own functions are called by their other names, so that
// nothing has to be looked up before the first call.
#include "tests/fault/inject/fault_plan.h"

#include <cerrno>
#include <cstddef>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HETEROSCOPE_HOOK extern "C" __attribute__((visibility("default")))

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

using heteroscope::fault::failsHere;
using heteroscope::fault::Kind;

HETEROSCOPE_HOOK void* malloc(std::size_t bytes) {
    return failsHere(Kind::Malloc) ? nullptr : __libc_malloc(bytes);
}

HETEROSCOPE_HOOK void* calloc(std::size_t count, std::size_t bytes) {
    return failsHere(Kind::Malloc) ? nullptr : __libc_calloc(count, bytes);
}

HETEROSCOPE_HOOK void* realloc(void* block, std::size_t bytes) {
    return failsHere(Kind::Malloc) ? nullptr : __libc_realloc(block, bytes);
}

HETEROSCOPE_HOOK void* memalign(std::size_t alignment, std::size_t bytes) {
    return failsHere(Kind::Malloc) ? nullptr : __libc_memalign(alignment, bytes);
}

HETEROSCOPE_HOOK void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return failsHere(Kind::Malloc) ? nullptr : __libc_memalign(alignment, bytes);
}

HETEROSCOPE_HOOK int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
    if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    const int before = errno;
    void* made = failsHere(Kind::Malloc) ? nullptr : __libc_memalign(alignment, bytes);
    errno = before; // this function returns its error
    if (made == nullptr)
        return ENOMEM;
    *block = made;
    return 0;
}

HETEROSCOPE_HOOK void* mmap(void* place, std::size_t bytes, int protection, int flags, int fd, off_t offset) {
    if (failsHere(Kind::Mmap))
        return MAP_FAILED;
    return reinterpret_cast<void*>(::syscall(SYS_mmap, place, bytes, protection, flags, fd, offset));
}

HETEROSCOPE_HOOK void* mmap64(void* place, std::size_t bytes, int protection, int flags, int fd,
                              off_t offset) {
    return ::mmap(place, bytes, protection, flags, fd, offset);
}
