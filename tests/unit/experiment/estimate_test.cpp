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

/// A dense layer on a dataset.
ExperimentSpec datasetSpec(Task task, std::int64_t batch) {
    ExperimentSpec spec;
    spec.kind = ExperimentKind::Network;
    spec.network.task = task;
    spec.network.network.input = {1, 8, 8};
    spec.network.network.layers = {{"flatten1", "flatten", Json::object(), {"input"}},
                                   {"dense1", "dense", {{"units", 3}, {"bias", true}}, {"flatten1"}}};
    spec.network.data.source = DataSource::Npy;
    spec.network.training.batch = spec.network.inferenceBatch = batch;
    return spec;
}

TEST(Estimate, BatchesThatAreNotFullHavePlansWhereThereAreAny) {
    using Batches = std::vector<std::int64_t>;
    const NetworkExperiment infer = datasetSpec(Task::Infer, 10).network;
    EXPECT_EQ(batchesBeside(infer, ExampleCounts{0, 0, 25}), Batches{5});
    EXPECT_EQ(batchesBeside(infer, ExampleCounts{0, 0, 30}), Batches{});
    EXPECT_EQ(batchesBeside(infer, ExampleCounts{0, 0, 30, false}), Batches{10}) << "about so many";
    EXPECT_EQ(batchesBeside(infer, std::nullopt), Batches{10});
    const NetworkExperiment train = datasetSpec(Task::Train, 10).network;
    EXPECT_EQ(batchesBeside(train, ExampleCounts{100, 0, 0}), Batches{10});
    EXPECT_EQ(batchesBeside(train, ExampleCounts{100, 14, 7}), (Batches{10, 4, 7}));
    EXPECT_EQ(batchesBeside(train, ExampleCounts{100, 14, 24}), (Batches{10, 4})) << "one for both";
    EXPECT_EQ(batchesBeside(train, std::nullopt), (Batches{10, 10, 10}));
}

TEST(Estimate, AnInferenceOfADatasetHoldsTheResultsOfAllExamples) {
    const ExperimentSpec spec = datasetSpec(Task::Infer, 10);
    const auto one = estimatePoint(spec, std::nullopt, ExampleCounts{0, 0, 10}),
               many = estimatePoint(spec, std::nullopt, ExampleCounts{0, 0, 1000});
    ASSERT_TRUE(one && many);
    EXPECT_EQ(one->deviceBytes, many->deviceBytes);
    EXPECT_EQ(many->resultBytes, 4 * 1000 * (3 + 1)) << "with the targets";
    EXPECT_EQ(many->hostRunBytes - one->hostRunBytes, 4 * 990 * (2 * 3 + 1));
}

TEST(Estimate, ABatchOfNothingIsRefused) {
    const auto estimate = estimatePoint(datasetSpec(Task::Infer, 0));
    ASSERT_FALSE(estimate);
    EXPECT_NE(estimate.error().sentence().find("/network/input/batch"), std::string::npos);
}

} // namespace heteroscope::compute
