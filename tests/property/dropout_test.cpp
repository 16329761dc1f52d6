// SPDX-License-Identifier: Apache-2.0
// What dropout keeps: about the asked share, each element by itself, for every implementation alike.
#include "compute/backends/builtin.h"
#include "compute/core/ops/dropout_mask.h"
#include "tests/support/op_runner.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace heteroscope::compute {
namespace {

std::vector<bool> keptBy(Session& session, const Dropout& op, std::uint32_t step) {
    const std::vector<float> ones(static_cast<std::size_t>(op.elements), 1.0F);
    const auto out = runOp(session, op, {ones, {std::bit_cast<float>(step)}});
    EXPECT_TRUE(out.ok());
    std::vector<bool> kept;
    for (const float value : *out) {
        EXPECT_TRUE(value == 0.0F || std::fabs(value * (1.0 - op.rate) - 1.0) < 1e-6) << value;
        kept.push_back(value != 0.0F);
    }
    return kept;
}

std::size_t differences(const std::vector<bool>& a, const std::vector<bool>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        count += a[i] != b[i] ? 1 : 0;
    return count;
}

std::vector<std::unique_ptr<Session>> sessions() {
    const auto registry = makeBuiltinRegistry();
    std::vector<std::unique_ptr<Session>> all;
    for (const char* target : {"cpu/sequential", "cpu/openmp?threads=3", "cpu/onednn"}) {
        auto session = registry.open(*parseTarget(target));
        if (session && (*session)->supports(Dropout{}).supported)
            all.push_back(std::move(*session));
    }
    return all;
}

/// Six standard deviations of the binomial distribution: missed once in 500 million masks.
TEST(DropoutProperty, KeepsItsShare) {
    constexpr std::int64_t count = 100000;
    for (const auto& session : sessions())
        for (const double rate : {0.0, 0.1, 0.5, 0.9}) {
            const auto kept = keptBy(*session, {count, rate, 7, 1}, 3);
            const double share =
                1.0 - static_cast<double>(differences(kept, std::vector<bool>(count, true))) / count;
            EXPECT_NEAR(share, 1.0 - rate, 6.0 * std::sqrt(rate * (1.0 - rate) / count)) << rate;
        }
}

/// Two masks that do not depend on one another differ in 2 r (1 - r) of their elements.
TEST(DropoutProperty, StepsLayersAndSeedsHaveTheirOwnMasks) {
    constexpr std::int64_t count = 40000;
    const double bound = 6.0 * std::sqrt(0.5 * 0.5 * count);
    for (const auto& session : sessions()) {
        const auto first = keptBy(*session, {count, 0.5, 7, 1}, 3);
        EXPECT_EQ(differences(first, keptBy(*session, {count, 0.5, 7, 1, true}, 3)), 0U) << "the gradient";
        for (const auto& other :
             {keptBy(*session, {count, 0.5, 7, 1}, 4), keptBy(*session, {count, 0.5, 7, 2}, 3),
              keptBy(*session, {count, 0.5, 8, 1}, 3),
              keptBy(*session, {count, 0.5, 7 | (1ULL << 40), 1}, 3)})
            EXPECT_NEAR(static_cast<double>(differences(first, other)), 0.5 * count, bound);
    }
}

/// Whether an element is kept depends on its index only: not on how many there are, nor on who computes.
TEST(DropoutProperty, MasksAreIndependentOfTheOrder) {
    constexpr std::int64_t count = 70003;
    const std::uint32_t step = 0xdeadbeef;
    for (const auto& session : sessions()) {
        const auto kept = keptBy(*session, {count, 0.3, 99, 5}, step);
        for (const std::int64_t fewer : {1, 2, 3, 1001}) {
            const auto part = keptBy(*session, {fewer, 0.3, 99, 5}, step);
            EXPECT_TRUE(std::equal(part.begin(), part.end(), kept.begin())) << fewer;
        }
        for (std::int64_t i = count - 1; i >= 0; i -= 97) { // from the last to the first
            const Philox4 words = dropoutWords(99, 5, step, static_cast<std::uint64_t>(i) / 4);
            const std::uint32_t four[] = {words.x, words.y, words.z, words.w};
            EXPECT_EQ(kept[static_cast<std::size_t>(i)], dropoutKeeps(four[i % 4], dropoutThreshold(0.3)))
                << i;
        }
    }
}

} // namespace
} // namespace heteroscope::compute
