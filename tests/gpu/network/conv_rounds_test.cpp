// SPDX-License-Identifier: Apache-2.0
// Convolutions whose matrix in between is larger than it may be for all images at once: they are computed
// some images at a time, and give what the plain way gives, also with what follows them in a network.
#include "tests/gpu/network/gpu_target_test.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr std::uint32_t kRoundsSeed = 29;
constexpr int kOperand = 0, kFilter = 1, kOther = 2, kResult = 3, kSum = 4, kEnd = 5;

/// 23 images with planes of 68x68 and windows of 11x11: 13.0 MB of columns for the input's gradient of an
/// image with 6 channels, 13.4 MB for a forward convolution with 6 filters, so that 128 MiB hold 10 and 9,
/// and fewer in the last round.
ConvParams params(std::int64_t filters) {
    ConvParams made;
    made.filters = filters;
    made.kernel = {11, 11};
    made.padding = {4, 5, 3, 6};
    made.bias = false;
    return made;
}
Shape4 images(std::int64_t channels) {
    return {23, channels, 68, 68};
}

class ConvRounds : public testing::Test {
  protected:
    void SetUp() override {
        if (const auto session = openTarget("cuda:0/cuda"); !session)
            SKIP_WITHOUT("gpu,cuda", session.error().sentence());
    }
    static void expectEqual(const Result<std::vector<float>>& actual, const std::vector<float>& expected) {
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        ASSERT_EQ(actual->size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ((*actual)[i], expected[i]) << "element " << i;
    }

    /// The op alone, and the chain of it with what follows: `then` says what that makes of a result and
    /// another operand.
    template <class Then, class MakeChain>
    static void check(const std::string& target, const Op& op, const Then& then, const MakeChain& makeChain) {
        const auto session = openTarget(target);
        ASSERT_TRUE(session.ok()) << session.error().sentence();
        const Tensors inputs = makeInputs(Data::Integers, op, kRoundsSeed);
        std::vector<float> expected = openMpResult(op, inputs);
        expectEqual(runOp(**session, op, inputs), expected);

        const auto elements = static_cast<std::int64_t>(expected.size());
        const std::vector<float> other = makeData(Data::Integers, elements, kRoundsSeed + 1);
        std::transform(expected.begin(), expected.end(), other.begin(), expected.begin(), then);
        const std::map<int, std::vector<float>> operands{
            {kOperand, inputs[0]}, {kFilter, inputs[1]}, {kOther, other}};
        expectEqual(runChain(**session, makeChain(op, elements), operands, expected.size()), expected);
    }
};

TEST_F(ConvRounds, OfGradientsOfTheInput) {
    check(
        "cuda:0/cuda?impl=gemm-col2im", ConvBackwardData{params(2), images(6)},
        [](float value, float other) { return other > 0.0F ? value : 0.0F; },
        [](const Op& op, std::int64_t elements) {
            return OpChain{{op, {kOperand, kFilter}, {kResult}},
                           {ActivationBackward{ActivationKind::Relu, elements}, {kOther, kResult}, {kEnd}}};
        });
}

TEST_F(ConvRounds, OfForwardConvolutions) {
    check(
        "cuda:0/cuda?impl=gemm-kn2row", ConvForward{params(6), images(2)},
        [](float value, float other) { return std::max(value + other, 0.0F); },
        [](const Op& op, std::int64_t elements) {
            return OpChain{{op, {kOperand, kFilter}, {kResult}},
                           {Add{elements}, {kResult, kOther}, {kSum}},
                           {ActivationForward{ActivationKind::Relu, elements}, {kSum}, {kEnd}}};
        });
}

} // namespace
} // namespace heteroscope::compute
