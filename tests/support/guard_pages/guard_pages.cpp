// SPDX-License-Identifier: Apache-2.0
#include "tests/support/guard_pages/guard_pages.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

extern "C" {
// The C library's own, beside the names that are taken over below.
void __libc_free(void* memory);                        // NOLINT
void* __libc_realloc(void* memory, size_t bytes);      // NOLINT
void* __libc_memalign(size_t alignment, size_t bytes); // NOLINT
}

namespace heteroscope {
namespace {

constexpr std::size_t kPage = 4096;
/// Addresses, not memory: none is used twice.
constexpr std::size_t kArenaBytes = std::size_t{1} << 42;
constexpr unsigned char kPattern = 0xa5;
/// MADV_GUARD_INSTALL of Linux 6.13 (madvise(2)): pages that fault, without a mapping of their own. Mappings
/// take half as long again, since each block divides one and joins it.
constexpr int kGuardInstall = 102;

struct Block {
    std::size_t bytes = 0;          ///< as asked for
    unsigned char* first = nullptr; ///< the begin of its first page
    std::size_t mapped = 0;         ///< bytes of its pages
};

std::array<char, 1001> doingText{};

void say(const char* text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

void onFault(int signal) {
    say("guard pages: memory was touched that must not be, in ");
    say(doingText.data());
    say("\n");
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

std::size_t roundUp(std::size_t value, std::size_t unit) {
    return (value + unit - 1) / unit * unit;
}

class Arena {
  public:
    static Arena& get() {
        static auto* const arena = new Arena; // memory is freed after the last destructor, too
        return *arena;
    }

    bool has(const void* memory) const {
        const auto at = reinterpret_cast<std::uintptr_t>(memory);
        return at >= m_begin && at < m_begin + kArenaBytes;
    }

    /// nullptr: no memory.
    void* take(std::size_t alignment, std::size_t bytes) {
        const std::size_t used = roundUp(std::max<std::size_t>(bytes, 1), alignment);
        const std::size_t mapped = roundUp(used, kPage);
        const std::size_t coarse = std::max(alignment, kPage);
        const std::size_t stride = mapped + kPage + (coarse > kPage ? coarse : 0);
        const std::size_t end = m_next.fetch_add(stride) + stride - kPage; // the page there stays closed
        if (end >= kArenaBytes)
            return nullptr;
        const std::uintptr_t last = (m_begin + end) / coarse * coarse, first = last - mapped;
        if (!open(reinterpret_cast<void*>(first), mapped))
            return nullptr;
        auto* const memory = reinterpret_cast<unsigned char*>(last - used);
        std::memset(reinterpret_cast<void*>(first), kPattern, mapped - used);
        std::memset(memory, 0xff, bytes); // NaN: what is read before it is written shows
        std::memset(memory + bytes, kPattern, used - bytes);
        const std::scoped_lock lock(m_mutex);
        m_blocks[memory] = {bytes, reinterpret_cast<unsigned char*>(first), mapped};
        ++m_count;
        return memory;
    }

    void giveBack(void* memory) {
        Block block;
        {
            const std::scoped_lock lock(m_mutex);
            const auto found = m_blocks.find(memory);
            if (found == m_blocks.end())
                fail("guard pages: memory was freed twice, or never given out, in ");
            block = found->second;
            m_blocks.erase(found);
        }
        auto* const begin = static_cast<unsigned char*>(memory);
        unsigned char* const last = block.first + block.mapped;
        const auto whole = [](const unsigned char* from, const unsigned char* to) {
            return std::all_of(from, to, [](unsigned char one) { return one == kPattern; });
        };
        if (!whole(begin + block.bytes, last))
            fail("guard pages: memory behind a block was written, in ");
        if (!whole(block.first, begin))
            fail("guard pages: memory before a block was written, in ");
        if (!close(block.first, block.mapped))
            fail("guard pages: memory could not be closed, in ");
    }

    std::size_t count() const { return m_count; }

  private:
    Arena() {
        void* const begin = ::mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (begin == MAP_FAILED)
            fail("guard pages: no addresses, in ");
        m_hasGuards = ::madvise(begin, kPage, kGuardInstall) == 0;
        if (!m_hasGuards && ::mprotect(begin, kArenaBytes, PROT_NONE) != 0)
            fail("guard pages: the addresses cannot be closed, in ");
        m_begin = reinterpret_cast<std::uintptr_t>(begin);
        std::signal(SIGSEGV, onFault);
        std::signal(SIGBUS, onFault);
    }

    /// With the page after it closed.
    bool open(void* first, std::size_t bytes) const {
        return m_hasGuards ? ::madvise(static_cast<unsigned char*>(first) + bytes, kPage, kGuardInstall) == 0
                           : ::mprotect(first, bytes, PROT_READ | PROT_WRITE) == 0;
    }

    /// Gives the memory back, too.
    bool close(void* first, std::size_t bytes) const {
        return m_hasGuards
                   ? ::madvise(first, bytes, kGuardInstall) == 0
                   : ::madvise(first, bytes, MADV_DONTNEED) == 0 && ::mprotect(first, bytes, PROT_NONE) == 0;
    }

    [[noreturn]] static void fail(const char* text) {
        say(text);
        say(doingText.data());
        say("\n");
        std::abort();
    }

    std::uintptr_t m_begin = 0;
    bool m_hasGuards = false; ///< else what is not open is not mapped for reading or writing
    std::atomic<std::size_t> m_next{kPage};
    std::atomic<std::size_t> m_count{0};
    std::mutex m_mutex;
    std::map<void*, Block> m_blocks;
};

} // namespace

void guardPagesAre(const std::string& doing) {
    const std::size_t length = std::min(doing.size(), doingText.size() - 1);
    std::memcpy(doingText.data(), doing.data(), length);
    doingText[length] = '\0';
}

std::size_t guardedBlocks() {
    return Arena::get().count();
}

} // namespace heteroscope

extern "C" {

int posix_memalign(void** memory, size_t alignment, size_t bytes) {
    *memory = heteroscope::Arena::get().take(alignment, bytes);
    return *memory == nullptr ? ENOMEM : 0;
}

void* aligned_alloc(size_t alignment, size_t bytes) {
    return heteroscope::Arena::get().take(alignment, bytes);
}

void* memalign(size_t alignment, size_t bytes) {
    return heteroscope::Arena::get().take(alignment, bytes);
}

void free(void* memory) {
    if (memory != nullptr && heteroscope::Arena::get().has(memory))
        heteroscope::Arena::get().giveBack(memory);
    else
        __libc_free(memory);
}

void* realloc(void* memory, size_t bytes) {
    if (memory != nullptr && heteroscope::Arena::get().has(memory))
        std::abort(); // nobody does so with aligned memory
    return __libc_realloc(memory, bytes);
}

} // extern "C"
