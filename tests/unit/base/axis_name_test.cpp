// SPDX-License-Identifier: Apache-2.0
// Names of axes, linked ones too.
#include "compute/base/axis_name.h"

#include <gtest/gtest.h>

namespace heteroscope {
namespace {

TEST(AxisName, IsTheLastPartOfThePointer) {
    EXPECT_EQ(axisName("/pooling/input/size"), "size");
    EXPECT_EQ(axisName("size"), "size");
    EXPECT_EQ(axisName("/pooling/kernel/0"), "kernel[0]");
}

TEST(AxisName, OfLinkedPointersNamesThemAll) {
    EXPECT_EQ(axisName("/matmul/m,/matmul/n,/matmul/k"), "m=n=k");
    EXPECT_EQ(axisName("/matmul/m, /matmul/k"), "m=k");
    EXPECT_EQ(axisName("/pooling/kernel/0,/pooling/kernel/1"), "kernel[0]=kernel[1]");
}

TEST(AxisName, OfAPointStandsBeforeEachValue) {
    EXPECT_EQ(pointName({{"/matmul/m,/matmul/n,/matmul/k", 16}}), "m=n=k=16");
    EXPECT_EQ(pointName({{"/pooling/input/size", 64}, {"/pooling/mode", "max"}}), "size=64 mode=max");
    EXPECT_EQ(pointName({{"/a", Json::array({2, 3})}, {"/b", 1}}, ", "), "a=[2,3], b=1");
    EXPECT_EQ(pointName(Json::object()), "");
}

TEST(AxisName, OfParametersAreWordsAndSymbolsAreNone) {
    EXPECT_FALSE(axisPhrase("/pooling/input/size").isGiven);
    EXPECT_TRUE(axisPhrase("/matmul/m").isGiven);
    EXPECT_TRUE(axisPhrase("/a").isGiven);
    const Phrase indexed = axisPhrase("/pooling/kernel/0");
    EXPECT_EQ(indexed, "kernel[0]");
    ASSERT_EQ(indexed.arguments.size(), 2u);
    EXPECT_FALSE(indexed.arguments[0].isGiven);
    for (const char* axis :
         {"/matmul/m,/matmul/n,/matmul/k", "/pooling/kernel/0,/pooling/kernel/1", "/network", "size", ""})
        EXPECT_EQ(axisPhrase(axis), axisName(axis));
}

} // namespace
} // namespace heteroscope
