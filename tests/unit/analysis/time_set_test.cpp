// SPDX-License-Identifier: Apache-2.0
// Unions, overlaps and gaps of intervals, against a plain count of moments.
#include "profiling/analysis/time_set.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace heteroscope::profiling {
namespace {

TEST(TimeSet, UnionJoinsWhatTouchesAndDropsWhatIsEmpty) {
    EXPECT_EQ(unionOf({{5, 7}, {0, 3}, {3, 4}, {6, 9}, {20, 20}, {30, 25}}), (TimeSet{{0, 4}, {5, 9}}));
    EXPECT_EQ(lengthNs(TimeSet{{0, 4}, {5, 9}}), 8);
    EXPECT_EQ(unionOf(std::vector<NsRange>()), TimeSet());
}

TEST(TimeSet, IntersectionAndDifferenceSplitTheFirst) {
    const TimeSet a{{0, 10}, {20, 30}}, b{{5, 25}, {28, 29}};
    EXPECT_EQ(intersection(a, b), (TimeSet{{5, 10}, {20, 25}, {28, 29}}));
    EXPECT_EQ(difference(a, b), (TimeSet{{0, 5}, {25, 28}, {29, 30}}));
    EXPECT_EQ(difference(a, {}), a);
    EXPECT_EQ(overlapNs({8, 22}, a), 4);
    EXPECT_EQ(overlapNs({10, 20}, a), 0);
}

/// Whether each moment of 0 to 63 is in the set.
std::uint64_t moments(const TimeSet& set) {
    std::uint64_t bits = 0;
    for (const NsRange& range : set)
        for (std::int64_t at = range.startNs; at < range.endNs; ++at)
            bits |= std::uint64_t{1} << at;
    return bits;
}

TimeSet randomSet(std::mt19937& random) {
    std::vector<NsRange> ranges;
    for (unsigned i = random() % 8; i > 0; --i) {
        const std::int64_t start = random() % 60;
        ranges.push_back({start, start + static_cast<std::int64_t>(random() % 5)});
    }
    return unionOf(std::move(ranges));
}

TEST(TimeSet, EveryOperationAgreesWithCountingMoments) {
    std::mt19937 random(35);
    for (int i = 0; i < 2000; ++i) {
        const TimeSet a = randomSet(random), b = randomSet(random);
        const std::uint64_t bitsA = moments(a), bitsB = moments(b);
        ASSERT_EQ(moments(unionOf(a, b)), bitsA | bitsB);
        ASSERT_EQ(moments(intersection(a, b)), bitsA & bitsB);
        ASSERT_EQ(moments(difference(a, b)), bitsA & ~bitsB);
        ASSERT_EQ(lengthNs(a), __builtin_popcountll(bitsA));
        const NsRange range{static_cast<std::int64_t>(random() % 30),
                            30 + static_cast<std::int64_t>(random() % 30)};
        ASSERT_EQ(overlapNs(range, a), __builtin_popcountll(bitsA & moments({range})));
    }
}

} // namespace
} // namespace heteroscope::profiling
