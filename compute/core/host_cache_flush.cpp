// SPDX-License-Identifier: Apache-2.0
#include "compute/core/host_cache_flush.h"

#include "compute/core/cpu.h"
#include "compute/core/host_session.h"

#include <algorithm>
#include <cstdint>
#include <pthread.h>
#include <sched.h>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::int64_t kTimesACache = 2; ///< caches do not throw out strictly what was used longest ago

/// Numbers of the processors that this process may use; at least one.
std::vector<int> processors() {
    std::vector<int> numbers;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int number = 0; number < CPU_SETSIZE; ++number)
            if (CPU_ISSET(number, &set))
                numbers.push_back(number);
    if (numbers.empty())
        numbers.push_back(0);
    return numbers;
}

/// Whole lines, for one of `count` processors.
std::size_t bytesOfEach(std::size_t count) {
    CacheInfo last{0, "Unified", lastLevelCacheBytes(), static_cast<int>(count)};
    std::int64_t own = 0; // of the levels before the last
    for (const CacheInfo& cache : readCaches()) {
        if (cache.type == "Instruction")
            continue;
        if (cache.level > last.level) {
            own += last.level > 0 ? last.bytes : 0;
            last = cache;
        } else {
            own += cache.bytes;
        }
    }
    const auto sharing = std::clamp<std::int64_t>(last.sharedBy, 1, static_cast<std::int64_t>(count));
    const auto bytes = static_cast<std::size_t>(kTimesACache * (own + (last.bytes + sharing - 1) / sharing));
    return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
}

/// Ordinary stores: those of memset() may go past the caches.
void touch(std::span<std::uint64_t> words) {
    constexpr std::size_t kWords = kLineBytes / sizeof(std::uint64_t);
    volatile std::uint64_t* const memory = words.data();
    for (std::size_t i = 0; i < words.size(); i += kWords)
        memory[i] = memory[i] + 1;
}

/// Where the system refuses, the thread goes on where it is.
void stayOn(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(processor), &set);
    static_cast<void>(pthread_setaffinity_np(pthread_self(), sizeof set, &set));
}

class HostCacheFlush final : public CacheFlush {
  public:
    HostCacheFlush(std::unique_ptr<DeviceBuffer> buffer, std::vector<int> processors,
                   std::function<void()> afterwards)
        : m_buffer(std::move(buffer)),
          m_processors(std::move(processors)),
          m_afterwards(std::move(afterwards)) {}

    std::size_t bytes() const override { return m_buffer->bytes(); }

    Status run() override {
        const std::size_t words = bytes() / sizeof(std::uint64_t) / m_processors.size();
        auto* const memory = static_cast<std::uint64_t*>(m_buffer->hostPointer());
        std::vector<std::jthread> threads;
        try {
            for (std::size_t i = 0; i < m_processors.size(); ++i)
                threads.emplace_back([part = std::span(memory + i * words, words), on = m_processors[i]] {
                    stayOn(on);
                    touch(part);
                });
        } catch (const std::system_error& error) {
            return Error{ErrorCode::OutOfMemory,
                         std::string("no thread to flush the caches with: ") + error.what(),
                         "cpu",
                         {},
                         "raise the limit of threads (ulimit -u), or set /sampling/cache to \"warm\""};
        }
        threads.clear(); // waits for them
        if (m_afterwards)
            m_afterwards();
        return {};
    }

  private:
    std::unique_ptr<DeviceBuffer> m_buffer;
    std::vector<int> m_processors;
    std::function<void()> m_afterwards;
};

} // namespace

std::size_t hostCacheFlushBytes() {
    const std::size_t count = processors().size();
    return count * bytesOfEach(count);
}

Result<std::unique_ptr<CacheFlush>> makeHostCacheFlush(std::function<void()> afterwards) {
    std::vector<int> on = processors();
    auto buffer = allocateHostBuffer(on.size() * bytesOfEach(on.size()));
    if (!buffer)
        return buffer.error();
    return std::unique_ptr<CacheFlush>(
        std::make_unique<HostCacheFlush>(std::move(*buffer), std::move(on), std::move(afterwards)));
}

} // namespace heteroscope::compute
