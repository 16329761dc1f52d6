// SPDX-License-Identifier: Apache-2.0
// Convolutions by Winograd's transforms against the plain ones: the last tiles of rows, planes and rounds,
// paddings, few and many planes, and with what follows them in a network. Their rounding is larger: of each
// element it depends on all of its tile, so that the bound is that of the largest element, many times.
#include "tests/cases/network_bounds.h"
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr const char* kWinograd = "cuda:0/cuda?transforms=on&impl=winograd";
constexpr std::uint32_t kWinogradSeed = 41;
/// Of the definition's bound. Seen: see tests/bench/gpu_drawn.
constexpr double kTransformFactor = 16;

struct WinogradCase {
    Shape4 src;
    std::int64_t filters, window;
    Padding2d padding;
    bool bias = false;
};

std::ostream& operator<<(std::ostream& out, const WinogradCase& one) {
    return out << one.src.n << "x" << one.src.c << "x" << one.src.h << "x" << one.src.w << " k" << one.window
               << " -> " << one.filters;
}

class Winograd : public testing::TestWithParam<WinogradCase> {
  protected:
    void SetUp() override {
        auto session = openTarget(kWinograd);
        if (!session)
            SKIP_WITHOUT("gpu,cuda", session.error().sentence());
        m_session = std::move(*session);
    }
    static ConvParams params(const WinogradCase& one) {
        ConvParams made;
        made.filters = one.filters;
        made.kernel = {one.window, one.window};
        made.padding = one.padding;
        made.bias = one.bias;
        return made;
    }
    static std::vector<float> plain(const Op& op, const Tensors& inputs) {
        const auto session = openTarget("cpu/openmp");
        EXPECT_TRUE(session.ok());
        auto result = runOp(**session, op, inputs);
        EXPECT_TRUE(result.ok()) << result.error().sentence();
        return result.ok() ? std::move(*result) : std::vector<float>();
    }
    static double boundOf(const Op& op, const Tensors& inputs, const std::vector<float>& expected) {
        const Bounds bounds = networkBounds(op, inputs, {expected});
        return kTransformFactor * *std::max_element(bounds[0].begin(), bounds[0].end());
    }

    void check(const Op& op) {
        SCOPED_TRACE(opDetail(op));
        const Tensors inputs = makeInputs(Data::Reals, op, kWinogradSeed);
        const std::vector<float> expected = plain(op, inputs);
        const double bound = boundOf(op, inputs, expected);
        const auto actual = runOp(*m_session, op, inputs);
        ASSERT_TRUE(actual.ok()) << actual.error().sentence();
        EXPECT_TRUE(nearTensor(expected, *actual, [&](std::size_t) { return bound; }));
        const auto again = runOp(*m_session, op, inputs);
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(*actual, *again) << "the same bits each time";
    }

    std::unique_ptr<Session> m_session;
};

TEST_P(Winograd, OfConvolutions) {
    check(ConvForward{params(GetParam()), GetParam().src});
}

TEST_P(Winograd, OfGradientsOfTheInput) {
    WinogradCase one = GetParam();
    one.bias = false;
    check(ConvBackwardData{params(one), one.src});
}

TEST_P(Winograd, WithASumAndAReluAfterIt) {
    const ConvForward op{params(GetParam()), GetParam().src};
    const Tensors inputs = makeInputs(Data::Reals, op, kWinogradSeed);
    std::vector<float> expected = plain(op, inputs);
    const double bound = boundOf(op, inputs, expected);
    const auto elements = static_cast<std::int64_t>(expected.size());
    const std::vector<float> other = makeData(Data::Reals, elements, kWinogradSeed + 1);
    std::transform(expected.begin(), expected.end(), other.begin(), expected.begin(),
                   [](float value, float added) { return std::max(value + added, 0.0F); });
    std::map<int, std::vector<float>> operands{{0, inputs[0]}, {1, inputs[1]}, {3, other}};
    std::vector<int> sources{0, 1};
    if (op.params.bias) {
        operands[2] = inputs[2];
        sources.push_back(2);
    }
    const OpChain chain{{op, sources, {4}},
                        {Add{elements}, {4, 3}, {5}},
                        {ActivationForward{ActivationKind::Relu, elements}, {5}, {6}}};
    const auto actual = runChain(*m_session, chain, operands, expected.size());
    ASSERT_TRUE(actual.ok()) << actual.error().sentence();
    EXPECT_TRUE(nearTensor(expected, *actual, [&](std::size_t) { return bound; }));
}

INSTANTIATE_TEST_SUITE_P(Shapes, Winograd,
                         testing::Values(WinogradCase{{1, 1, 1, 1}, 1, 3, {1, 1, 1, 1}},
                                         WinogradCase{{1, 1, 4, 4}, 1, 3, {1, 1, 1, 1}, true},
                                         WinogradCase{{2, 3, 5, 7}, 5, 3, {0, 2, 1, 0}, true},
                                         WinogradCase{{3, 17, 13, 9}, 33, 3, {2, 2, 2, 2}, true},
                                         WinogradCase{{2, 16, 12, 16}, 64, 3, {1, 1, 1, 1}, true},
                                         WinogradCase{{1, 130, 23, 31}, 100, 3, {1, 0, 1, 0}},
                                         WinogradCase{{4, 64, 56, 56}, 64, 3, {1, 1, 1, 1}, true},
                                         WinogradCase{
                                             {1, 32, 260, 300}, 48, 3, {0, 0, 0, 0}}, // several rounds
                                         WinogradCase{{5, 512, 7, 7}, 512, 3, {1, 1, 1, 1}},
                                         WinogradCase{{1, 1, 5, 5}, 1, 5, {0, 0, 0, 0}},
                                         WinogradCase{{2, 6, 11, 6}, 20, 5, {2, 1, 0, 4}, true},
                                         WinogradCase{{3, 48, 27, 27}, 130, 5, {2, 2, 2, 2}, true},
                                         WinogradCase{{1, 24, 200, 210}, 40, 5, {4, 4, 4, 4}}));

/// Unasked it is left to those who admit it, and the reason says how.
TEST(WinogradChoice, IsForThoseWhoAdmitIt) {
    const auto session = openTarget("cuda:0/cuda"), admitting = openTarget("cuda:0/cuda?transforms=on");
    if (!session)
        SKIP_WITHOUT("gpu,cuda", session.error().sentence());
    ASSERT_TRUE(admitting.ok());
    ConvParams params;
    params.filters = 256, params.kernel = {3, 3}, params.padding = {1, 1, 1, 1};
    const ConvForward op{params, {8, 256, 56, 56}};
    const auto rowOf = [&](Session& of) {
        for (const ImplementationRow& row : of.implementations(op))
            if (row.name == "winograd")
                return row;
        return ImplementationRow{};
    };
    EXPECT_FALSE(rowOf(**session).accepts);
    EXPECT_EQ(rowOf(**session).reason, "it rounds more than sums of products do: ?transforms=on admits it");
    EXPECT_TRUE(rowOf(**admitting).accepts);
    EXPECT_TRUE(rowOf(**admitting).taken);
}

} // namespace
} // namespace heteroscope::compute
