// SPDX-License-Identifier: Apache-2.0
// Convolutions by Winograd's transforms against the plain ones: the last tiles of rows, planes and rounds,
// paddings, few and many planes, and with what follows them in a network. The rounding of a result depends on
// all of its tile, so that the largest sum of magnitudes bounds all.
#include "tests/cases/network_bounds.h"
#include "tests/gpu/network/gpu_target_test.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

namespace heteroscope::compute {
namespace {

constexpr const char* kWinograd = "cuda:0/cuda?transforms=on&impl=winograd";
constexpr std::uint32_t kWinogradSeed = 41;
/// How far a result may be off, over the largest sum of magnitudes of a result: 31 halves of a unit in the
/// last place were the most on 13 shapes of 9 to 4608 terms, which many terms do not make more.
constexpr double kLargestError = 64 * 0x1p-24;

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

ConvParams paramsOf(const WinogradCase& one) {
    ConvParams made;
    made.filters = one.filters;
    made.kernel = {one.window, one.window};
    made.padding = one.padding;
    made.bias = one.bias;
    return made;
}

/// The definition's bound is (terms + 2) halves of a unit in the last place of the sum of magnitudes.
double boundOf(const Op& op, const Tensors& inputs, const std::vector<float>& expected) {
    const auto* const forward = std::get_if<ConvForward>(&op);
    const ConvParams& params = forward != nullptr ? forward->params : std::get<ConvBackwardData>(op).params;
    const double planes = static_cast<double>(forward != nullptr ? forward->src.c : params.filters);
    const double terms = planes * static_cast<double>(params.kernel.h * params.kernel.w);
    const Bounds bounds = networkBounds(op, inputs, {expected});
    return kLargestError / 0x1p-24 / (terms + 2) * *std::max_element(bounds[0].begin(), bounds[0].end());
}

void check(Session& session, const Op& op) {
    SCOPED_TRACE(opDetail(op));
    const Tensors inputs = makeInputs(Data::Reals, op, kWinogradSeed);
    const std::vector<float> expected = openMpResult(op, inputs);
    const double bound = boundOf(op, inputs, expected);
    const auto actual = runOp(session, op, inputs);
    ASSERT_TRUE(actual.ok()) << actual.error().sentence();
    EXPECT_TRUE(nearTensor(expected, *actual, [&](std::size_t) { return bound; }));
    const auto again = runOp(session, op, inputs);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*actual, *again) << "the same bits each time";
}

class Winograd : public testing::TestWithParam<WinogradCase> {
  protected:
    void SetUp() override {
        auto session = openTarget(kWinograd);
        if (!session)
            SKIP_WITHOUT("gpu,cuda", session.error().sentence());
        m_session = std::move(*session);
    }

    std::unique_ptr<Session> m_session;
};

TEST_P(Winograd, OfConvolutions) {
    check(*m_session, ConvForward{paramsOf(GetParam()), GetParam().src});
}

TEST_P(Winograd, OfGradientsOfTheInput) {
    WinogradCase one = GetParam();
    one.bias = false;
    check(*m_session, ConvBackwardData{paramsOf(one), one.src});
}

TEST_P(Winograd, WithASumAndAReluAfterIt) {
    const ConvForward op{paramsOf(GetParam()), GetParam().src};
    const Tensors inputs = makeInputs(Data::Reals, op, kWinogradSeed);
    std::vector<float> expected = openMpResult(op, inputs);
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

/// Any extents, planes and paddings; the seed is printed, HETEROSCOPE_TEST_SEED draws others.
TEST(WinogradDrawn, AgreesWithThePlainOnes) {
    const auto session = openTarget(kWinograd);
    if (!session)
        SKIP_WITHOUT("gpu,cuda", session.error().sentence());
    const char* const given = std::getenv("HETEROSCOPE_TEST_SEED");
    const auto seed = given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : 1U;
    std::printf("seed %u\n", seed);
    std::mt19937 random(seed);
    const auto from = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    constexpr int kDraws = 500;
    for (int draw = 0; draw < kDraws && !testing::Test::HasFailure(); ++draw) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", draw " + std::to_string(draw));
        WinogradCase one;
        one.window = draw % 2 == 0 ? 3 : 5;
        one.filters = from(1, 140);
        do { // planes may be smaller than the window, paddings larger
            one.src = {from(1, 5), from(1, 70), from(1, 30), from(1, 30)};
            for (std::int64_t* side :
                 {&one.padding.top, &one.padding.bottom, &one.padding.left, &one.padding.right})
                *side = from(0, one.window + 2);
        } while (one.src.h + one.padding.top + one.padding.bottom < one.window ||
                 one.src.w + one.padding.left + one.padding.right < one.window);
        if (draw % 4 < 2) {
            one.bias = from(0, 1) == 1;
            check(**session, ConvForward{paramsOf(one), one.src});
        } else {
            check(**session, ConvBackwardData{paramsOf(one), one.src});
        }
    }
}

/// A NaN is read by the tiles of 6x6 that cover it: at most 2 of 4x4 results, or 3 of 2x2, in each direction.
/// Their results may be lost with those that the definition loses; no other is touched.
TEST(WinogradSpecial, ANaNStaysInTheTilesThatReadIt) {
    const auto session = openTarget(kWinograd);
    if (!session)
        SKIP_WITHOUT("gpu,cuda", session.error().sentence());
    for (const std::int64_t window : {3, 5})
        for (const float special :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            SCOPED_TRACE(std::to_string(window) + " " + std::to_string(special));
            ConvParams params;
            params.filters = 3, params.kernel = {window, window}, params.bias = false;
            params.padding = {window / 2, window / 2, window / 2, window / 2};
            const ConvForward op{params, {1, 2, 24, 28}};
            Tensors inputs = makeInputs(Data::Reals, op, kWinogradSeed);
            inputs[0][28 * 24 + 28 * 11 + 13] = special;
            const std::vector<float> expected = openMpResult(op, inputs);
            const auto actual = runOp(**session, op, inputs);
            ASSERT_TRUE(actual.ok()) << actual.error().sentence();
            std::int64_t lost = 0, lostOfAll = 0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                lostOfAll += std::isfinite(expected[i]) ? 0 : 1;
                if (!std::isfinite(expected[i])) {
                    EXPECT_FALSE(std::isfinite((*actual)[i])) << i;
                }
                if (std::isfinite((*actual)[i]))
                    EXPECT_NEAR(expected[i], (*actual)[i], 1e-4) << i;
                else
                    ++lost;
            }
            EXPECT_EQ(lostOfAll, 3 * window * window);
            EXPECT_LE(lost, 3 * (window == 3 ? 2 * 2 * 16 : 3 * 3 * 4));
        }
}

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
