// SPDX-License-Identifier: Apache-2.0
#include "compute/base/phrase.h"

#include <gtest/gtest.h>

namespace heteroscope {
namespace {

TEST(Phrase, PartsAreJoinedInTheirOrder) {
    std::vector<Phrase> parts;
    std::string expected;
    for (const char letter : std::string("abcdefg")) {
        parts.emplace_back(std::string(1, letter));
        parts.emplace_back(); // left out
        expected += (expected.empty() ? "" : "; ") + std::string(1, letter);
        EXPECT_EQ(joined(parts, "; ").text(), expected);
    }
    EXPECT_TRUE(joined({}, "; ").empty());
    EXPECT_TRUE(joined({Phrase(), Phrase()}, "; ").empty());
}

/// As many as a file lists: what walks a phrase calls itself for each argument.
TEST(Phrase, AnyNumberOfPartsIsJoined) {
    const Phrase many = joined(std::vector<Phrase>(200000, Phrase(std::string("heat"))), "; ");
    const std::string text = many.text();
    EXPECT_EQ(text.size(), 200000 * 6U - 2);
    EXPECT_TRUE(text.starts_with("heat; heat"));
    EXPECT_TRUE(text.ends_with("heat; heat"));
}

} // namespace
} // namespace heteroscope
