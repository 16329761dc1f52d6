// SPDX-License-Identifier: Apache-2.0
// Joining steps of a plan: only what is read next, only results that somebody else reads, nothing that moves
// a write over a read.
#include "compute/experiment/spec/spec_json.h"
#include "compute/model/network_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::compute {
namespace {

NetworkSpec network(Json layers) {
    const auto spec =
        specFromJson({{"heteroscope", 1},
                      {"kind", "network"},
                      {"name", "test"},
                      {"network", {{"input", {{"shape", {2, 8, 8}}}}, {"layers", std::move(layers)}}},
                      {"targets", {"cpu/sequential"}}});
    EXPECT_TRUE(spec.ok()) << spec.error().sentence();
    return spec->network.network;
}

bool isForward(const LinkedOp& one) {
    return std::holds_alternative<ConvForward>(one.op) || std::holds_alternative<ActivationForward>(one.op) ||
           std::holds_alternative<PoolForward>(one.op);
}

NetworkPlan planned(Json layers, bool train, const FusesChain& fuses) {
    PlanOptions options;
    options.fuses = fuses;
    if (train) {
        options.mode = NetworkMode::Train;
        options.backward = true;
        options.loss = LossKind::SoftmaxCrossEntropy;
    }
    auto plan = planNetwork(network(std::move(layers)), {2, options.mode, 1}, options);
    EXPECT_TRUE(plan.ok()) << plan.error().sentence();
    return *plan;
}

bool allForward(const OpChain& chain, const std::vector<int>&) {
    return std::all_of(chain.begin(), chain.end(), isForward);
}

const Json kConv = {{"type", "conv2d"}, {"filters", 4}, {"padding", 1}};
const Json kBlock = {kConv, {{"type", "relu"}}, {{"type", "maxpool2d"}}, {{"type", "flatten"}}};

TEST(FuseSteps, NothingWithoutARule) {
    for (const PlanStep& step : planned(kBlock, true, {}).steps)
        EXPECT_TRUE(step.chain.empty());
}

TEST(FuseSteps, InferenceKeepsTheLastResultOnly) {
    const NetworkPlan plan = planned(kBlock, false, allForward);
    ASSERT_EQ(plan.steps.size(), 1u);
    EXPECT_EQ(plan.steps[0].chain.size(), 3u);
    EXPECT_EQ(plan.steps[0].dst.size(), 1u);
    EXPECT_EQ(plan.steps[0].src.size(), 3u); // image, weights, bias
}

TEST(FuseSteps, TrainingKeepsWhatTheGradientsRead) {
    const NetworkPlan plan = planned(kBlock, true, allForward);
    ASSERT_EQ(plan.steps[0].chain.size(), 3u);
    EXPECT_EQ(plan.steps[0].dst.size(), 2u); // of the ReLU and of the pooling, not of the convolution
}

TEST(FuseSteps, AResultWithTwoReadersStays) {
    Json layers = {kConv, {{"type", "relu"}}, {{"type", "add"}}};
    layers[0]["name"] = "conv";
    layers[1]["name"] = "relu";
    layers[2]["inputs"] = {"relu", "conv"};
    const NetworkPlan plan = planned(layers, false, allForward);
    ASSERT_EQ(plan.steps.size(), 2u);
    EXPECT_EQ(plan.steps[0].dst.size(), 2u);
}

/// The result of a joined step lives with everything it reads.
TEST(FuseSteps, OperandsOfAStepDoNotShareMemory) {
    Json layers = Json::array();
    for (int i = 0; i < 4; ++i)
        layers.insert(layers.end(), {kConv, {{"type", "relu"}}});
    for (const bool train : {false, true}) {
        const NetworkPlan plan = planned(layers, train, allForward);
        for (const PlanStep& step : plan.steps)
            for (const int written : step.dst)
                for (const int read : step.src) {
                    const PlanTensor &to = plan.tensors[static_cast<std::size_t>(written)],
                                     &from = plan.tensors[static_cast<std::size_t>(read)];
                    const bool apart = to.block != from.block || to.offset >= from.offset + from.elements ||
                                       from.offset >= to.offset + to.elements;
                    EXPECT_TRUE(apart || step.chain.empty()) << to.name << " and " << from.name;
                }
    }
}

} // namespace
} // namespace heteroscope::compute
