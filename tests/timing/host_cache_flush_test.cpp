// SPDX-License-Identifier: Apache-2.0
// What the flush is for: memory is far away after it. In tests/unit/core is what needs no clock.
#include "compute/base/clock.h"
#include "compute/core/host_cache_flush.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heteroscope::compute {
namespace host_cache_flush_time_test {

/// Lines of a block that fits into a private cache, in an order that no prefetcher foresees: each element is
/// the number of the next one.
std::vector<std::uint32_t> chain(std::size_t bytes) {
    constexpr std::size_t kWords = 64 / sizeof(std::uint32_t);
    const std::size_t lines = bytes / 64;
    std::vector<std::uint32_t> words(lines * kWords);
    for (std::size_t line = 0; line < lines; ++line) {
        const std::size_t next = (line + 97) % lines; // coprime with a power of two
        words[line * kWords] = static_cast<std::uint32_t>(next * kWords);
    }
    return words;
}

double followNs(const std::vector<std::uint32_t>& words) {
    const std::int64_t start = steadyNowNs();
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < words.size() / 16; ++i)
        at = words[at];
    EXPECT_EQ(at, 0U) << "a whole round";
    return static_cast<double>(steadyNowNs() - start);
}

TEST(HostCacheFlushTime, LeavesNothingOfWhatWasThere) {
    const std::vector<std::uint32_t> words = chain(std::size_t{256} << 10);
    int woken = 0;
    auto flush = makeHostCacheFlush([&] { ++woken; });
    ASSERT_TRUE(flush) << flush.error().sentence();
    double warm = 1e18, cold = 1e18; // the fastest: others can only add
    for (int i = 0; i < 7; ++i) {
        followNs(words);
        warm = std::min(warm, followNs(words));
        ASSERT_TRUE((*flush)->run());
        cold = std::min(cold, followNs(words));
    }
    EXPECT_EQ(woken, 7);
    EXPECT_GT(cold, 1.5 * warm) << "memory is several times as far away as a private cache";
}

} // namespace host_cache_flush_time_test
} // namespace heteroscope::compute
