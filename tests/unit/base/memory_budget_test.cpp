// SPDX-License-Identifier: Apache-2.0
// Budgets of memory: what they refuse, what they say, and how a limit is written.
#include "compute/base/free_memory.h"
#include "compute/base/memory_budget.h"
#include "tests/support/resource_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace heteroscope {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(MemoryBudget, holdsUpToWhatIsAllowedInAll) {
    MemoryBudget budget(100);
    EXPECT_TRUE(budget.charge(60, "the first array", "a.npz"));
    EXPECT_TRUE(budget.charge(40, "the second array", "a.npz"));
    EXPECT_EQ(budget.leftBytes(), 0);
    EXPECT_FALSE(budget.charge(1, "the third array", "a.npz"));
    EXPECT_EQ(budget.heldBytes(), 100);
    budget.release(40);
    EXPECT_TRUE(budget.charge(1, "the third array", "a.npz"));
}

TEST(MemoryBudget, saysWhatIsWantedWhatIsAllowedAndWhatToDo) {
    MemoryBudget budget(std::int64_t{256} << 20);
    ASSERT_TRUE(budget.charge(std::int64_t{200} << 20, "the file", "a.npz"));
    const Status refused = budget.charge(std::int64_t{100} << 20, "the array", "a.npz, weights.npy");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfMemory);
    EXPECT_EQ(
        refused.error().sentence(),
        "a.npz, weights.npy: the array would take at least 300.0 MiB of memory in all; allowed: 256.0 MiB; "
        "give --memory-limit 301MiB, more where what is behind this place needs it, or a smaller file");
}

TEST(MemoryBudget, sizesThatWrapAreRefused) {
    MemoryBudget budget(kMost);
    EXPECT_FALSE(budget.charge(kMost, 2, "the array", "a.npy"));
    ASSERT_TRUE(budget.charge(kMost, "the array", "a.npy"));
    const Status refused = budget.charge(kMost, "the array", "a.npy");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence(), HasSubstr("more than 8 EiB"));
}

TEST(MemoryBudget, defaultIsAShareOfFreeMemoryUnlessALimitIsSet) {
    const MemoryInfo memory = readMemory();
    const MemoryBudget byDefault;
    EXPECT_GE(byDefault.allowedBytes(), 64 << 20);
    EXPECT_LE(byDefault.allowedBytes(), std::max<std::int64_t>(memory.totalBytes / 4, 64 << 20));
    setMemoryLimit(12345);
    EXPECT_EQ(MemoryBudget().allowedBytes(), 12345);
    setMemoryLimit(0);
}

int asked = 0;
std::int64_t halfAGibibyteFree() {
    ++asked;
    return std::int64_t{512} << 20;
}

TEST(MemoryBudget, asksForFreeMemoryOnceAndOnlyWhereTheAnswerCounts) {
    asked = 0;
    MemoryBudget budget = MemoryBudget::ofFree(halfAGibibyteFree);
    EXPECT_TRUE(budget.charge(64 << 20, "the values", "e.json"));
    EXPECT_EQ(asked, 0);
    EXPECT_TRUE(budget.charge(64 << 20, "the values", "e.json"));
    EXPECT_FALSE(budget.charge(1, "the values", "e.json"));
    EXPECT_EQ(budget.leftBytes(), 0);
    EXPECT_EQ(asked, 1);
}

/// Free memory is what a limit of the address space leaves.
TEST(MemoryBudget, defaultIsAQuarterOfFreeMemoryAndAtLeast64MiB) {
    constexpr std::int64_t kMiB = 1 << 20;
    {
        const tests::ResourceLimit space(RLIMIT_AS, tests::mappedBytes() + 512 * kMiB);
        ASSERT_TRUE(space.ok());
        EXPECT_NEAR(static_cast<double>(MemoryBudget().allowedBytes()), 128.0 * kMiB, 4.0 * kMiB);
    }
    const tests::ResourceLimit space(RLIMIT_AS, tests::mappedBytes() + 64 * kMiB);
    ASSERT_TRUE(space.ok());
    EXPECT_EQ(MemoryBudget().allowedBytes(), 64 * kMiB);
}

TEST(HeldMemory, isGivenBackAtTheEnd) {
    MemoryBudget budget(100);
    {
        HeldMemory held(budget);
        EXPECT_TRUE(held.set(80, "a buffer", "a.gz"));
        EXPECT_FALSE(held.set(101, "a buffer", "a.gz"));
        EXPECT_EQ(held.bytes(), 80);
        EXPECT_TRUE(held.set(30, "a buffer", "a.gz"));
        EXPECT_EQ(budget.heldBytes(), 30);
    }
    EXPECT_EQ(budget.heldBytes(), 0);
}

TEST(MemoryLimit, isReadWithItsUnit) {
    const struct {
        const char* text;
        std::int64_t bytes;
    } cases[] = {{"1", 1},           {"4096", 4096},          {"4096B", 4096},
                 {"1KiB", 1024},     {"512MiB", 512ll << 20}, {"512 mib", 512ll << 20},
                 {"2GB", 2ll << 30}, {"1T", 1ll << 40}};
    for (const auto& item : cases) {
        const auto bytes = parseMemoryLimit(item.text);
        ASSERT_TRUE(bytes) << item.text;
        EXPECT_EQ(*bytes, item.bytes) << item.text;
    }
}

TEST(MemoryLimit, refusesWhatIsNoLimit) {
    for (const char* text : {"", "0", "0MiB", "-1", "-5GiB", "+1", "x", "MiB", "1.5GiB", "1XiB", "1MiBx",
                             "nan", "1e9", "99999999999999999999", "9999999999TiB", " 1"}) {
        const auto bytes = parseMemoryLimit(text);
        ASSERT_FALSE(bytes) << text;
        EXPECT_EQ(bytes.error().code, ErrorCode::Usage) << text;
        EXPECT_THAT(bytes.error().sentence(), HasSubstr("--memory-limit")) << text;
    }
}

} // namespace
} // namespace heteroscope
