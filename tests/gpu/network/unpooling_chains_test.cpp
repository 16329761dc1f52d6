// SPDX-License-Identifier: Apache-2.0
// A gradient that our kernels pass on through a pooling of 2x2 windows, and through the ReLU before it, is
// the one that the operations give one after another, bit for bit, also where planes have odd edges.
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace heteroscope::compute {
namespace {

constexpr std::uint32_t kChainSeed = 11;
/// Numbers of memory in a chain.
constexpr int kDstGrad = 0, kWeights = 1, kPooledGrad = 2, kValues = 3, kPooled = 4, kUnpooled = 5, kGrad = 6;

struct Case {
    std::string name;
    Op first;
    Shape4 values; ///< of what was pooled
};

Case conv(std::int64_t batch, std::int64_t channels, std::int64_t filters, std::int64_t kernel,
          const Extent2d& values) {
    ConvParams params;
    params.filters = filters;
    params.kernel = {kernel, kernel};
    const std::int64_t pad = kernel / 2;
    params.padding = {pad, pad, pad, pad};
    const Shape4 pooled{batch, channels, values.h / 2, values.w / 2};
    return {opDetail(ConvBackwardData{params, pooled}) + " of " + std::to_string(values.h) + "x" +
                std::to_string(values.w),
            ConvBackwardData{params, pooled},
            {batch, channels, values.h, values.w}};
}

Case dense(std::int64_t batch, std::int64_t channels, std::int64_t units, const Extent2d& values) {
    const DenseBackwardData op{{channels * (values.h / 2) * (values.w / 2), units, true}, batch};
    return {opDetail(op) + " of " + std::to_string(values.h) + "x" + std::to_string(values.w),
            op,
            {batch, channels, values.h, values.w}};
}

std::vector<Case> cases() {
    return {conv(32, 32, 32, 3, {20, 20}), conv(32, 16, 32, 3, {40, 40}), conv(64, 13, 7, 3, {21, 23}),
            conv(65, 11, 3, 5, {22, 19}),  conv(64, 33, 70, 3, {9, 14}),  conv(16, 33, 2, 3, {33, 2 * 17}),
            dense(32, 32, 128, {10, 10}),  dense(7, 5, 30, {11, 9}),      dense(64, 3, 1, {2, 3})};
}

class UnpoolingChains : public testing::Test {
  protected:
    void SetUp() override {
        auto session = openTarget("cuda:0/cuda");
        if (!session)
            SKIP_WITHOUT("gpu,cuda", session.error().sentence());
        m_session = std::move(*session);
        auto window = openTarget("cuda:0/cuda?impl=window");
        ASSERT_TRUE(window.ok()) << window.error().sentence();
        m_window = std::move(*window);
    }

    /// By the kernel that computes it in the chain: another sums in another order.
    std::vector<float> first(const Op& op, const Tensors& inputs) {
        if (!std::holds_alternative<ConvBackwardData>(op))
            return one(op, inputs);
        auto result = runOp(*m_window, op, inputs);
        EXPECT_TRUE(result.ok()) << result.error().sentence();
        return result.ok() ? std::move(*result) : std::vector<float>();
    }

    std::vector<float> one(const Op& op, const Tensors& inputs) {
        auto result = runOp(*m_session, op, inputs);
        EXPECT_TRUE(result.ok()) << result.error().sentence();
        return result.ok() ? std::move(*result) : std::vector<float>();
    }

    void check(const Case& one, bool relu, Data data) {
        SCOPED_TRACE(one.name + (relu ? ", relu" : ""));
        const PoolBackward pool{{}, one.values};
        const ActivationBackward activation{ActivationKind::Relu, *one.values.elements()};
        const Tensors gradients = makeInputs(Data::Reals, one.first, kChainSeed);
        std::vector<float> values = makeData(data, *one.values.elements(), kChainSeed + 1);
        if (relu)
            for (float& value : values)
                value = value > 0.0F ? value : 0.0F;
        const std::map<int, std::vector<float>> inputs{
            {kDstGrad, gradients[0]},
            {kWeights, gradients[1]},
            {kValues, values},
            {kPooled, this->one(PoolForward{{}, one.values}, {values})}};
        OpChain chain{{one.first, {kDstGrad, kWeights}, {kPooledGrad}},
                      {pool, {kValues, kPooledGrad, kPooled}, {kUnpooled}}};
        std::vector<float> expected =
            this->one(pool, {values, first(one.first, gradients), inputs.at(kPooled)});
        if (relu) {
            chain.push_back({activation, {kValues, kUnpooled}, {kGrad}});
            expected = this->one(activation, {values, expected});
        }
        const auto actual = runChain(*m_session, chain, inputs, expected.size());
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ((*actual)[i], expected[i]) << "element " << i;
    }

    std::unique_ptr<Session> m_session, m_window;
};

TEST_F(UnpoolingChains, GiveWhatTheirOperationsGive) {
    for (const Case& one : cases())
        for (const Data data : {Data::Integers, Data::Reals}) {
            check(one, false, data);
            check(one, true, data);
        }
}

TEST_F(UnpoolingChains, OfAPoolingAndItsReluNameTheKernelThatRuns) {
    const Shape4 values{32, 32, 20, 20};
    const OpChain chain{
        {PoolBackward{{}, values}, {kValues, kPooledGrad, kPooled}, {kUnpooled}},
        {ActivationBackward{ActivationKind::Relu, *values.elements()}, {kValues, kUnpooled}, {kGrad}}};
    const std::vector<int> from{kValues, kPooledGrad, kPooled}, into{kGrad};
    EXPECT_EQ(m_session->supportsChain(chain, into).implementation, "cuda:pool:unpool+relu");
    auto prepared = m_session->prepareChain(chain, from, into);
    ASSERT_TRUE(prepared.ok()) << prepared.error().sentence();
    EXPECT_EQ((*prepared)->implementation(), "cuda:pool:unpool+relu");
    for (const ImplementationRow& row : m_session->chainImplementations(chain, from, into))
        EXPECT_EQ(row.accepts, row.name == "unpool") << row.name;
    auto tiles = openTarget("cuda:0/cuda?impl=tiles"); // which no such chain has
    ASSERT_TRUE(tiles.ok()) << tiles.error().sentence();
    EXPECT_FALSE((*tiles)->supportsChain(chain, into).supported);
}

TEST_F(UnpoolingChains, AreRefusedWhereTheGradientIsNotOfThoseMaxima) {
    const Case one = conv(32, 32, 32, 3, {20, 20});
    const auto supported = [&](const PoolBackward& pool, int values) {
        const OpChain chain{
            {one.first, {kDstGrad, kWeights}, {kPooledGrad}},
            {pool, {kValues, kPooledGrad, kPooled}, {kUnpooled}},
            {ActivationBackward{ActivationKind::Relu, *pool.src.elements()}, {values, kUnpooled}, {kGrad}}};
        const std::vector<int> into{kGrad};
        return m_session->supportsChain(chain, into).supported;
    };
    EXPECT_TRUE(supported({{}, one.values}, kValues));
    EXPECT_FALSE(supported({{}, one.values}, 7)) << "another ReLU";
    EXPECT_FALSE(supported({{}, {32, 32, 24, 20}}, kValues)) << "another shape";
    PoolParams average;
    average.mode = PoolMode::Average;
    EXPECT_FALSE(supported({average, one.values}, kValues));
}

} // namespace
} // namespace heteroscope::compute
