// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/spec/estimate.h"

#include <gtest/gtest.h>

namespace heteroscope::compute {

TEST(Estimate, PoolingBytesAndWindows) {
    ExperimentSpec spec;
    spec.pooling.input.height = spec.pooling.input.width = 1024;
    spec.pooling.params.padding = {1, 1, 1, 1};
    const auto estimate = estimatePoint(spec);
    ASSERT_TRUE(estimate) << estimate.error().sentence();
    EXPECT_EQ(estimate->dst, (Shape4{1, 1, 513, 513}));
    EXPECT_EQ(estimate->windows, 513 * 513);
    EXPECT_EQ(estimate->srcBytes, 4 * 1024 * 1024);
    EXPECT_EQ(estimate->paddedBytes, 4 * 1026 * 1026);
    EXPECT_EQ(estimate->dstBytes, 4 * 513 * 513);
    EXPECT_EQ(estimate->deviceBytes, 4 * (1024 * 1024 + 513 * 513));
    EXPECT_EQ(estimate->gradientBytes, 0);
}

TEST(Estimate, BackwardDoublesTheOperands) {
    ExperimentSpec spec;
    spec.pooling.backward = true;
    const auto estimate = estimatePoint(spec);
    ASSERT_TRUE(estimate);
    EXPECT_EQ(estimate->gradientBytes, estimate->srcBytes + estimate->dstBytes);
    EXPECT_EQ(estimate->deviceBytes, 2 * (estimate->srcBytes + estimate->dstBytes));
}

TEST(Estimate, WindowStrategyHoldsOneWindowOnTheDevice) {
    ExperimentSpec spec;
    spec.pooling.strategy = Strategy::Window;
    const auto estimate = estimatePoint(spec);
    ASSERT_TRUE(estimate);
    EXPECT_EQ(estimate->deviceBytes, 4 * (4 + 4 + 4));
    EXPECT_DOUBLE_EQ(estimate->minimumBytes, 4.0 * 12 * 512 * 512);
    EXPECT_DOUBLE_EQ(estimate->flops, (2.0 * 8 + 3) * 512 * 512);
}

TEST(Estimate, FileInputsNeedTheShape) {
    ExperimentSpec spec;
    spec.pooling.input.source = InputSource::Image;
    spec.pooling.input.path = "photo.png";
    EXPECT_FALSE(estimatePoint(spec));
    const auto estimate = estimatePoint(spec, Shape4{1, 3, 480, 640});
    ASSERT_TRUE(estimate);
    EXPECT_EQ(estimate->dst, (Shape4{1, 3, 240, 320}));
}

TEST(Estimate, Matmul) {
    ExperimentSpec spec;
    spec.kind = ExperimentKind::Matmul;
    spec.matmul = {2, 3, 5, MatmulRight::Random, 1};
    const auto estimate = estimatePoint(spec);
    ASSERT_TRUE(estimate);
    EXPECT_EQ(estimate->src, (Shape4{1, 1, 2, 5}));
    EXPECT_EQ(estimate->dst, (Shape4{1, 1, 2, 3}));
    EXPECT_EQ(estimate->srcBytes, 4 * (10 + 15));
    EXPECT_DOUBLE_EQ(estimate->flops, 60.0);
}

TEST(Estimate, FormulaShowsItsNumbers) {
    EXPECT_EQ(outputFormula(1024, 0, 0, 2, 2), "floor((1024 + 0 + 0 - 2) / 2) + 1 = 512");
    EXPECT_EQ(outputFormula(2, 0, 0, 3, 1), "floor((2 + 0 + 0 - 3) / 1) + 1");
}

} // namespace heteroscope::compute
