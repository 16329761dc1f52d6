// SPDX-License-Identifier: Apache-2.0
// Shapes, sizes, names and costs of operations.
#include "compute/core/op.h"

#include <gtest/gtest.h>

#include <limits>

namespace heteroscope::compute {
namespace {

PoolParams pool(std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    PoolParams params;
    params.kernel = {kernel, kernel};
    params.stride = {stride, stride};
    params.padding = {padding, padding, padding, padding};
    return params;
}

std::string errorPlace(const PoolParams& params, const Shape4& src) {
    const auto shape = poolOutputShape(params, src);
    return shape ? "no error" : shape.error().where;
}

TEST(PoolShape, FollowsTheFormula) {
    EXPECT_EQ(*poolOutputShape(pool(2, 2, 0), {1, 1, 4, 4}), (Shape4{1, 1, 2, 2}));
    EXPECT_EQ(*poolOutputShape(pool(3, 2, 1), {32, 64, 112, 112}), (Shape4{32, 64, 56, 56}));
    EXPECT_EQ(*poolOutputShape(pool(2, 2, 0), {1, 1, 5, 5}), (Shape4{1, 1, 2, 2}));
    EXPECT_EQ(*poolOutputShape(pool(3, 1, 2), {1, 1, 1, 1}), (Shape4{1, 1, 3, 3}));
}

TEST(PoolShape, TakesEachSideByItself) {
    PoolParams params;
    params.kernel = {3, 2};
    params.stride = {2, 1};
    params.padding = {2, 0, 1, 0};
    EXPECT_EQ(*poolOutputShape(params, {2, 3, 5, 4}), (Shape4{2, 3, 3, 4}));
}

TEST(PoolShape, RefusesWhatIsImpossibleAndNamesIt) {
    const Shape4 src{1, 1, 4, 4};
    EXPECT_EQ(errorPlace(pool(0, 1, 0), src), "kernel");
    EXPECT_EQ(errorPlace(pool(5, 1, 0), src), "kernel");
    EXPECT_EQ(errorPlace(pool(2, 0, 0), src), "stride");
    EXPECT_EQ(errorPlace(pool(2, 1, 2), src), "padding");
    EXPECT_EQ(errorPlace(pool(2, 1, -1), src), "padding");
    EXPECT_EQ(errorPlace(pool(2, 1, 0), {0, 1, 4, 4}), "input");
    EXPECT_EQ(errorPlace(pool(2, 1, 0), {1, 1, 0, 4}), "input");
    EXPECT_EQ(errorPlace(pool(2, 2, 0), {1, 1, std::int64_t{1} << 31, std::int64_t{1} << 31}), "input");
    PoolParams huge = pool(2, 1, 0);
    huge.kernel = {std::numeric_limits<std::int64_t>::max(), 2};
    huge.padding = {huge.kernel.h - 1, huge.kernel.h - 1, 0, 0};
    EXPECT_EQ(errorPlace(huge, src), "padding");
}

TEST(Op, NamesSayModeAndDirection) {
    PoolParams average = pool(2, 2, 0);
    average.mode = PoolMode::Average;
    EXPECT_EQ(opName(PoolForward{pool(2, 2, 0), {}}), "maxpool.forward");
    EXPECT_EQ(opName(PoolBackward{average, {}}), "avgpool.backward");
    EXPECT_EQ(opName(Gemm{}), "gemm");
}

TEST(Op, DetailIsShort) {
    EXPECT_EQ(opDetail(PoolForward{pool(2, 2, 0), {32, 64, 112, 112}}), "32x64x112x112 k2x2 s2x2 p0");
    PoolParams zero = pool(3, 2, 0);
    zero.padding = {1, 1, 2, 2};
    zero.padValue = PadValue::Zero;
    EXPECT_EQ(opDetail(PoolForward{zero, {1, 1, 8, 8}}), "1x1x8x8 k3x3 s2x2 p1x2 pad=zero");
    zero.padding.bottom = 0;
    EXPECT_EQ(opDetail(PoolForward{zero, {1, 1, 8, 8}}), "1x1x8x8 k3x3 s2x2 p1,0,2,2 pad=zero");
    EXPECT_EQ(opDetail(Gemm{2, 3, 4}), "m2 n3 k4");
}

TEST(Op, OperandsAreCounted) {
    const auto forward = operandElements(PoolForward{pool(2, 2, 0), {2, 3, 4, 6}});
    ASSERT_TRUE(forward.ok());
    EXPECT_EQ(forward->src, (std::vector<std::int64_t>{144}));
    EXPECT_EQ(forward->dst, (std::vector<std::int64_t>{36}));
    const auto backward = operandElements(PoolBackward{pool(2, 2, 0), {2, 3, 4, 6}});
    ASSERT_TRUE(backward.ok());
    EXPECT_EQ(backward->src, (std::vector<std::int64_t>{144, 36}));
    EXPECT_EQ(backward->dst, (std::vector<std::int64_t>{144}));
    const auto gemm = operandElements(Gemm{2, 3, 4});
    ASSERT_TRUE(gemm.ok());
    EXPECT_EQ(gemm->src, (std::vector<std::int64_t>{8, 12}));
    EXPECT_EQ(gemm->dst, (std::vector<std::int64_t>{6}));
}

TEST(Op, ImpossibleOperandsAreErrors) {
    EXPECT_FALSE(operandElements(PoolForward{pool(9, 1, 0), {1, 1, 4, 4}}).ok());
    EXPECT_FALSE(operandElements(Gemm{0, 1, 1}).ok());
    EXPECT_FALSE(operandElements(Gemm{std::int64_t{1} << 40, 1, std::int64_t{1} << 40}).ok());
}

TEST(Op, CostsCountEachOperandOnce) {
    const PoolForward forward{pool(2, 2, 0), {1, 1, 4, 4}};
    EXPECT_DOUBLE_EQ(opMinimumBytes(forward), 4.0 * (16 + 4));
    EXPECT_DOUBLE_EQ(opFlops(forward), 4.0 * 3);
    EXPECT_DOUBLE_EQ(opMinimumBytes(PoolBackward{pool(2, 2, 0), {1, 1, 4, 4}}), 4.0 * (16 + 4 + 16));
    PoolParams average = pool(2, 2, 0);
    average.mode = PoolMode::Average;
    EXPECT_DOUBLE_EQ(opMinimumBytes(PoolBackward{average, {1, 1, 4, 4}}), 4.0 * (4 + 16));
    EXPECT_DOUBLE_EQ(opFlops(PoolForward{average, {1, 1, 4, 4}}), 4.0 * 4);
    EXPECT_DOUBLE_EQ(opFlops(Gemm{2, 3, 4}), 48.0);
    EXPECT_DOUBLE_EQ(opMinimumBytes(Gemm{2, 3, 4}), 4.0 * (8 + 12 + 6));
}

} // namespace
} // namespace heteroscope::compute
