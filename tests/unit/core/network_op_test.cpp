// SPDX-License-Identifier: Apache-2.0
// What is known of networks' operations before they are computed: names, sizes, costs, and refusals that name
// what is wrong.
#include "compute/core/op.h"

#include <gtest/gtest.h>

#include <limits>

namespace heteroscope::compute {
namespace {

using Sizes = std::vector<std::int64_t>;

std::string errorPlace(const Op& op) {
    const auto facts = opFacts(op);
    if (facts.sizes.ok())
        return "no error";
    EXPECT_EQ(facts.bytes, 0.0);
    EXPECT_EQ(facts.flops, 0.0);
    EXPECT_FALSE(facts.name.empty());
    EXPECT_EQ(facts.sizes.error().code, ErrorCode::BadInput);
    return facts.sizes.error().where;
}

ConvParams conv(std::int64_t filters, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    ConvParams params;
    params.filters = filters;
    params.kernel = {kernel, kernel};
    params.stride = {stride, stride};
    params.padding = {padding, padding, padding, padding};
    return params;
}

TEST(ConvShape, FollowsTheFormula) {
    EXPECT_EQ(*convOutputShape(conv(64, 7, 2, 3), {2, 3, 224, 224}), (Shape4{2, 64, 112, 112}));
    EXPECT_EQ(*convOutputShape(conv(5, 3, 1, 1), {1, 2, 9, 7}), (Shape4{1, 5, 9, 7}));
    EXPECT_EQ(*convOutputShape(conv(5, 2, 3, 0), {1, 2, 9, 7}), (Shape4{1, 5, 3, 2}));
    EXPECT_EQ(*convOutputShape(conv(5, 1, 1, 4), {1, 2, 1, 1}), (Shape4{1, 5, 9, 9}))
        << "padding may be larger than the kernel";
    ConvParams params = conv(4, 3, 1, 0);
    params.dilation = {2, 3};
    params.padding = {1, 0, 0, 2};
    EXPECT_EQ(*convOutputShape(params, {1, 2, 9, 9}), (Shape4{1, 4, 6, 5}));
}

TEST(ConvShape, RefusesWhatIsImpossibleAndNamesIt) {
    const Shape4 src{1, 6, 8, 8};
    const auto place = [&src](const ConvParams& params) { return errorPlace(ConvForward{params, src}); };
    EXPECT_EQ(place(conv(4, 3, 1, 1)), "no error");
    EXPECT_EQ(place(conv(0, 3, 1, 1)), "filters");
    EXPECT_EQ(place(conv(4, 0, 1, 1)), "kernel");
    EXPECT_EQ(place(conv(4, 11, 1, 1)), "kernel");
    EXPECT_EQ(place(conv(4, 3, 0, 1)), "stride");
    EXPECT_EQ(place(conv(4, 3, 1, -1)), "padding");
    for (const std::int64_t groups : {0, -1, 4, 5}) {
        ConvParams params = conv(8, 3, 1, 1);
        params.groups = groups; // 4 divides the filters only
        EXPECT_EQ(place(params), "groups") << groups;
    }
    ConvParams params = conv(4, 3, 1, 1);
    params.dilation = {1, 0};
    EXPECT_EQ(place(params), "dilation");
    params.dilation = {std::numeric_limits<std::int64_t>::max(), 1};
    EXPECT_EQ(place(params), "kernel");
    for (const Shape4& shape : {Shape4{0, 6, 8, 8}, Shape4{1, 6, 0, 8}, Shape4{-1, -6, 8, 8},
                                Shape4{std::int64_t{1} << 40, 6, 1 << 12, 1 << 12}}) {
        EXPECT_EQ(errorPlace(ConvForward{conv(4, 3, 1, 1), shape}), "input");
        EXPECT_EQ(errorPlace(ConvBackwardData{conv(4, 3, 1, 1), shape}), "input");
        EXPECT_EQ(errorPlace(ConvBackwardWeights{conv(4, 3, 1, 1), shape}), "input");
    }
    params = conv(4, 3, 1, 1);
    params.groups = 0;
    EXPECT_FALSE(convWeightElements(params, src)) << "nothing is divided by zero";
}

TEST(ConvFacts, SayNameSizesAndCost) {
    ConvParams params = conv(8, 3, 2, 1);
    params.groups = 2;
    const Shape4 src{2, 4, 9, 9}; // to 2x8x5x5
    const OpFacts forward = opFacts(ConvForward{params, src});
    EXPECT_EQ(forward.name, "conv2d.forward");
    EXPECT_EQ(forward.detail, "2x4x9x9 f8 k3x3 s2x2 p1 g2");
    EXPECT_EQ(forward.sizes->src, (Sizes{648, 144, 8}));
    EXPECT_EQ(forward.sizes->dst, (Sizes{400}));
    EXPECT_EQ(forward.bytes, 4.0 * (648 + 144 + 8 + 400));
    EXPECT_EQ(forward.flops, 400.0 * (2 * 2 * 9 + 1)) << "two channels of 3x3, and the bias";
    const OpFacts data = opFacts(ConvBackwardData{params, src});
    EXPECT_EQ(data.name, "conv2d.backward.data");
    EXPECT_EQ(data.sizes->src, (Sizes{400, 144}));
    EXPECT_EQ(data.sizes->dst, (Sizes{648}));
    EXPECT_EQ(data.flops, 400.0 * 2 * 2 * 9);
    params.bias = false;
    params.dilation = {1, 2};
    params.padding = {1, 1, 2, 2};
    const OpFacts weights = opFacts(ConvBackwardWeights{params, src});
    EXPECT_EQ(weights.name, "conv2d.backward.weights");
    EXPECT_EQ(weights.detail, "2x4x9x9 f8 k3x3 s2x2 p1x2 d1x2 g2");
    EXPECT_EQ(weights.sizes->dst, (Sizes{144})) << "no bias, no gradient of it";
}

TEST(DenseFacts, SayNameSizesAndCost) {
    const OpFacts forward = opFacts(DenseForward{{7, 5}, 3});
    EXPECT_EQ(forward.name, "dense.forward");
    EXPECT_EQ(forward.detail, "3x7 u5");
    EXPECT_EQ(forward.sizes->src, (Sizes{21, 35, 5}));
    EXPECT_EQ(forward.sizes->dst, (Sizes{15}));
    EXPECT_EQ(forward.flops, 2.0 * 3 * 7 * 5 + 15);
    EXPECT_EQ(opFacts(DenseBackwardData{{7, 5}, 3}).sizes->src, (Sizes{15, 35}));
    EXPECT_EQ(opFacts(DenseBackwardWeights{{7, 5}, 3}).sizes->dst, (Sizes{35, 5}));
    EXPECT_EQ(opFacts(DenseBackwardWeights{{7, 5, false}, 3}).sizes->dst, (Sizes{35}));
}

TEST(NetworkFacts, RefuseSizesBelowOne) {
    for (const Shape4& shape : {Shape4{-1, -2, 3, 3}, Shape4{2, 2, -1, -3}, Shape4{0, 2, 3, 3}}) {
        for (const Op& op : std::vector<Op>{
                 SoftmaxForward{shape}, SoftmaxBackward{shape}, BatchNormTrain{shape}, BatchNormInfer{shape},
                 BatchNormBackward{shape}, LayerNormForward{shape}, LayerNormBackward{shape},
                 Multiply{shape, {1, 1, 1, 1}}, MultiplyBackward{{1, 1, 1, 1}, shape},
                 AdaptivePoolForward{shape, {1, 1}}, AdaptivePoolBackward{shape, {1, 1}}})
            EXPECT_EQ(errorPlace(op), "input") << opName(op) << " " << opDetail(op);
        EXPECT_NE(errorPlace(CopyChannels{shape, 2, 0, 0, 1}), "no error");
    }
    EXPECT_EQ(errorPlace(AdaptivePoolForward{{1, 1, 4, 4}, {-2, -2}}), "input");
    EXPECT_EQ(errorPlace(DenseForward{{-1, -1, false}, -1}), "input");
    EXPECT_EQ(errorPlace(DenseBackwardData{{-1, -1, false}, -1}), "input");
    EXPECT_EQ(errorPlace(DenseBackwardWeights{{-1, -1, false}, -1}), "input");
    EXPECT_EQ(errorPlace(Loss{LossKind::MeanSquaredError, -3, -4}), "input");
    for (const Op& op : std::vector<Op>{ActivationForward{ActivationKind::Relu, 0}, Dropout{-1}, Add{0},
                                        SumOfSquares{0}, Sgd{0}, Adam{-5}})
        EXPECT_EQ(errorPlace(op), "input") << opName(op);
}

TEST(NetworkFacts, RefuseParametersAndNameThem) {
    EXPECT_EQ(errorPlace(Dropout{8, 1.0}), "rate");
    EXPECT_EQ(errorPlace(Dropout{8, -0.1}), "rate");
    EXPECT_EQ(errorPlace(Dropout{8, std::numeric_limits<double>::quiet_NaN()}), "rate");
    EXPECT_EQ(errorPlace(Dropout{8, 0.0}), "no error");
    EXPECT_EQ(errorPlace(ActivationForward{ActivationKind::LeakyRelu, 8, 0.0}), "slope");
    EXPECT_EQ(errorPlace(ActivationBackward{ActivationKind::LeakyRelu, 8, -0.1}), "slope");
    EXPECT_EQ(errorPlace(ActivationBackward{ActivationKind::Relu, 8, -0.1}), "no error") << "not read";
    EXPECT_EQ(errorPlace(BatchNormTrain{{1, 3, 1, 1}}), "input") << "one value has no variance";
    EXPECT_EQ(errorPlace(BatchNormTrain{{1, 3, 1, 2}}), "no error");
    EXPECT_EQ(errorPlace(Multiply{{2, 3, 4, 4}, {2, 3, 2, 4}}), "shapes");
    EXPECT_EQ(errorPlace(MultiplyBackward{{2, 3, 4, 4}, {4, 1, 1, 1}}), "shapes");
    constexpr std::int64_t kWide = std::int64_t{1} << 40;
    EXPECT_NE(errorPlace(Multiply{{1, 1, kWide, 1}, {1, 1, 1, kWide}}), "no error") << "more than 63 bits";
    EXPECT_EQ(errorPlace(CopyChannels{{1, 4, 2, 2}, 4, 2, 0, 3}), "channels");
    EXPECT_EQ(errorPlace(CopyChannels{{1, 4, 2, 2}, 4, 0, 2, 3}), "channels");
    EXPECT_EQ(errorPlace(CopyChannels{{1, 4, 2, 2}, 4, -1, 0, 1}), "channels");
    EXPECT_EQ(errorPlace(CopyChannels{{1, 4, 2, 2}, 4, 0, 0, 0}), "channels");
    EXPECT_EQ(errorPlace(CopyChannels{{1, 4, 2, 2}, 4, std::numeric_limits<std::int64_t>::max(), 0, 1}),
              "channels");
}

TEST(NetworkFacts, SayNameAndDetail) {
    const auto text = [](const Op& op) { return opName(op) + " | " + opDetail(op); };
    using enum ActivationKind;
    EXPECT_EQ(text(ActivationForward{Relu, 12}), "relu.forward | 12");
    EXPECT_EQ(text(ActivationBackward{LeakyRelu, 12, 0.2}), "leaky_relu.backward | 12 slope 0.2");
    EXPECT_EQ(text(SoftmaxForward{{2, 10, 1, 1}}), "softmax.forward | 2x10x1x1");
    EXPECT_EQ(text(BatchNormTrain{{2, 3, 4, 5}}), "batchnorm.forward | 2x3x4x5");
    EXPECT_EQ(text(BatchNormInfer{{2, 3, 4, 5}}), "batchnorm.infer | 2x3x4x5");
    EXPECT_EQ(text(Dropout{9, 0.25}), "dropout.forward | 9 rate 0.25");
    EXPECT_EQ(text(Dropout{9, 0.25, 0, 0, true}), "dropout.backward | 9 rate 0.25");
    EXPECT_EQ(text(LayerNormForward{{2, 3, 4, 5}}), "layernorm.forward | 2x3x4x5");
    EXPECT_EQ(text(Multiply{{2, 3, 4, 5}, {2, 3, 1, 1}}), "mul.forward | 2x3x4x5 2x3x1x1");
    EXPECT_EQ(text(CopyChannels{{2, 3, 4, 5}, 9, 1, 7, 2}),
              "channels.copy | 2x3x4x5 2 channels from 1 to 7 of 9");
    EXPECT_EQ(text(AdaptivePoolForward{{2, 3, 7, 7}, {1, 2}}), "adaptive_avgpool.forward | 2x3x7x7 to 1x2");
    EXPECT_EQ(text(Loss{LossKind::SoftmaxCrossEntropy, 4, 10}), "loss.softmax_cross_entropy | 4x10");
    EXPECT_EQ(text(SumOfSquares{5}), "gradient norm | 5");
    EXPECT_EQ(text(Sgd{5}), "sgd | 5");
    EXPECT_EQ(text(Sgd{5, 0.9, true}), "sgd | 5 nesterov");
    EXPECT_EQ(text(Adam{5}), "adam | 5");
}

TEST(NetworkFacts, CountOperandsAndWork) {
    EXPECT_EQ(opFacts(BatchNormTrain{{2, 3, 4, 5}}).sizes->dst, (Sizes{120, 3, 3, 3, 3}));
    EXPECT_EQ(opFacts(LayerNormForward{{2, 3, 4, 5}}).sizes->dst, (Sizes{120, 40, 40}));
    EXPECT_EQ(opFacts(LayerNormBackward{{2, 60, 1, 1}}).sizes->src, (Sizes{120, 120, 60, 2, 2}));
    EXPECT_EQ(opFacts(Multiply{{2, 3, 1, 5}, {2, 1, 4, 1}}).sizes->dst, (Sizes{120}));
    EXPECT_EQ(opFacts(MultiplyBackward{{2, 3, 1, 5}, {2, 1, 4, 1}}).sizes->src, (Sizes{120, 8}));
    EXPECT_EQ(opFacts(MultiplyBackward{{2, 3, 1, 5}, {2, 1, 4, 1}}).flops, 240);
    EXPECT_EQ(opFacts(Loss{LossKind::SoftmaxCrossEntropy, 4, 10}).sizes->src, (Sizes{40, 4}));
    EXPECT_EQ(opFacts(Loss{LossKind::MeanSquaredError, 4, 10}).sizes->src, (Sizes{40, 40}));
    EXPECT_EQ(opFacts(Loss{LossKind::MeanSquaredError, 4, 10, false}).sizes->dst, (Sizes{2}));
    EXPECT_EQ(opFacts(Sgd{5}).sizes->src, (Sizes{5, 5, 4}));
    EXPECT_EQ(opFacts(Sgd{5, 0.9}).sizes->dst, (Sizes{5, 5}));
    EXPECT_EQ(opFacts(Adam{5}).sizes->src, (Sizes{5, 5, 4, 5, 5}));
    EXPECT_EQ(opFacts(Dropout{9}).sizes->src, (Sizes{9, 1}));
    EXPECT_EQ(opFacts(Add{7}).flops, 7.0);
    EXPECT_EQ(opFacts(SumOfSquares{7}).flops, 14.0);
    EXPECT_EQ(opFacts(Sgd{10, 0.9, false, 0.1}).flops, 60.0);
    EXPECT_EQ(opFacts(CopyChannels{{2, 3, 4, 5}, 9, 1, 7, 2}).bytes, 4.0 * 2 * (2 * 2 * 20))
        << "only the copied channels move";
}

/// Neighbours that are walked alike are one axis, and the offsets are those of the four extents.
TEST(ProductAxes, WalkEachElementAtItsPlace) {
    const std::pair<Shape4, Shape4> factors[] = {{{2, 3, 4, 5}, {2, 3, 1, 1}}, {{2, 3, 4, 5}, {2, 3, 4, 5}},
                                                 {{2, 1, 4, 1}, {2, 3, 1, 5}}, {{1, 3, 1, 1}, {6, 3, 1, 4}},
                                                 {{1, 1, 1, 1}, {1, 1, 1, 1}}, {{2, 1, 1, 1}, {2, 3, 4, 5}}};
    for (const auto& [a, b] : factors) {
        SCOPED_TRACE(opDetail(Multiply{a, b}));
        const Shape4 all = *broadcastShape(a, b);
        const ProductAxes axes = productAxes(all, {all, a, b});
        ASSERT_EQ(axes.elements(), all.elements());
        std::int64_t i = 0;
        const auto in = [](const Shape4& s, const Shape4& at) {
            return (((at.n % s.n) * s.c + at.c % s.c) * s.h + at.h % s.h) * s.w + at.w % s.w;
        };
        for (std::int64_t n = 0; n < all.n; ++n)
            for (std::int64_t c = 0; c < all.c; ++c)
                for (std::int64_t y = 0; y < all.h; ++y)
                    for (std::int64_t x = 0; x < all.w; ++x, ++i) {
                        const Shape4 at{n, c, y, x};
                        EXPECT_EQ(axes.at(i), (std::array{i, in(a, at), in(b, at)})) << i;
                    }
        EXPECT_EQ(axes.along(1, true).elements() * axes.along(1, false).elements(), axes.elements());
        EXPECT_EQ(axes.along(1, true).elements(), a.elements());
    }
    EXPECT_EQ(productAxes({2, 3, 4, 5}, {Shape4{2, 3, 4, 5}, {2, 3, 4, 5}, {2, 3, 1, 1}}).inner().extent, 20);
}

} // namespace
} // namespace heteroscope::compute
