// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 against the known answers that its authors publish with their library Random123
// (kat_vectors).
#include "compute/base/philox.h"

#include <gtest/gtest.h>

namespace heteroscope {
namespace {

constexpr std::uint32_t kOnes = 0xffffffff;

static_assert(philox4x32({0, 0, 0, 0}, 0) == Philox4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});

TEST(Philox, GivesThePublishedNumbers) {
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, 0), (Philox4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, 0xffffffffffffffff),
              (Philox4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    // The first digits of pi; the key's first word is the lower half.
    EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
              (Philox4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, UniformNumbersLieBetweenZeroAndOne) {
    EXPECT_EQ(philoxUniform(0), 0.0F);
    EXPECT_EQ(philoxUniform(0xff), 0.0F);
    EXPECT_EQ(philoxUniform(0x80000000), 0.5F);
    EXPECT_EQ(philoxUniform(kOnes), 1.0F - 0x1p-24F);
}

} // namespace
} // namespace heteroscope
