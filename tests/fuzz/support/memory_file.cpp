// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/memory_file.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace heteroscope::fuzz {
namespace {

void requireMemory(bool holds, const char* what) {
    if (holds)
        return;
    std::perror(what);
    std::exit(1);
}

} // namespace

MemoryFile::MemoryFile() : m_descriptor(memfd_create("fuzz", MFD_CLOEXEC)) {
    requireMemory(m_descriptor >= 0, "a file in memory");
    m_path = "/proc/self/fd/" + std::to_string(m_descriptor);
}

MemoryFile::~MemoryFile() {
    ::close(m_descriptor);
}

void MemoryFile::set(std::span<const std::uint8_t> bytes) {
    requireMemory(::ftruncate(m_descriptor, 0) == 0, "emptying a file in memory");
    std::size_t written = 0;
    while (written < bytes.size()) {
        const auto count = ::pwrite(m_descriptor, bytes.data() + written, bytes.size() - written,
                                    static_cast<off_t>(written));
        requireMemory(count > 0, "writing a file in memory");
        written += static_cast<std::size_t>(count);
    }
}

} // namespace heteroscope::fuzz
