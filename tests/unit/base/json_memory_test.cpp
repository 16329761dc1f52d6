// SPDX-License-Identifier: Apache-2.0
// JSON of strangers: charged before it is made, bounded in depth, and what is no JSON has its file.
#include "compute/base/json_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope {
namespace {

using ::testing::HasSubstr;

TEST(JsonMemory, GivesTheValueAndChargesIt) {
    MemoryBudget budget(1 << 20);
    const auto value = parseJson(R"({"a": [1, "[[{"], "b": "\"["})", budget, "f.json");
    ASSERT_TRUE(value.ok());
    EXPECT_EQ(value->at("a").at(1), "[[{");
    EXPECT_EQ(budget.heldBytes(), jsonMemory(R"({"a": [1, "[[{"], "b": "\"["})"));
    EXPECT_GT(budget.heldBytes(), 0);
}

TEST(JsonMemory, RefusesWhatTheBudgetDoesNotAllow) {
    std::string text = "[";
    for (int i = 0; i < 20000; ++i)
        text += "[],";
    MemoryBudget budget(1 << 20);
    const auto value = parseJson(text + "1]", budget, "f.json");
    ASSERT_FALSE(value.ok());
    EXPECT_EQ(value.error().code, ErrorCode::OutOfMemory);
    EXPECT_THAT(value.error().sentence(), HasSubstr("f.json"));
    EXPECT_EQ(budget.heldBytes(), 0);
}

TEST(JsonMemory, RefusesWhatLiesTooDeepAndWhatIsNone) {
    MemoryBudget budget(std::int64_t{1} << 30);
    const std::string open(kMaxJsonDepth, '['), close(kMaxJsonDepth, ']');
    EXPECT_TRUE(parseJson(open + close, budget, "f.json").ok());
    const auto deep = parseJson("[" + open + close + "]", budget, "f.json");
    ASSERT_FALSE(deep.ok());
    EXPECT_THAT(deep.error().sentence(), HasSubstr("at most 256 levels"));
    EXPECT_FALSE(parseJson(std::string(1000000, '['), budget, "f.json").ok());
    for (const char* text : {"", "{", "[1,]", "\"", "\"\\"}) {
        const auto none = parseJson(text, budget, "f.json");
        ASSERT_FALSE(none.ok()) << text;
        EXPECT_EQ(none.error().code, ErrorCode::BadInput) << text;
        EXPECT_THAT(none.error().sentence(), HasSubstr("f.json")) << text;
    }
}

TEST(JsonMemory, RefusesWhatStandsBehindANulByte) {
    MemoryBudget budget(std::int64_t{1} << 30);
    for (const std::string& rest : {std::string(1, '\0'), std::string("\0 garbage }}", 12)}) {
        const auto value = parseJson("[1]" + rest, budget, "f.json");
        ASSERT_FALSE(value.ok());
        EXPECT_THAT(value.error().sentence(),
                    HasSubstr("f.json: it is not valid JSON: a NUL byte at byte 3"));
    }
    EXPECT_TRUE(parseJson("[\"\\u0000\"]", budget, "f.json").ok());
}

} // namespace
} // namespace heteroscope
