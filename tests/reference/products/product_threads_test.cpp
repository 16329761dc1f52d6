// SPDX-License-Identifier: Apache-2.0
// Products and convolutions through the session: the same bits for any number of threads; products: NaN and
// infinities where the plain loops have them, and which implementation takes one.
#include "compute/backends/builtin.h"
#include "tests/support/op_runner.h"
#include "tests/support/tensor_match.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace heteroscope::compute {
namespace {

const BackendRegistry& registry() {
    static const BackendRegistry builtin = makeBuiltinRegistry();
    return builtin;
}

std::unique_ptr<Session> opened(const std::string& target) {
    return std::move(registry().open(*parseTarget(target))).value();
}

std::vector<std::string> levels() {
    std::vector<std::string> all;
    for (const char* level : {"baseline", "avx2", "avx512"})
        if (registry().open(*parseTarget(std::string("cpu/openmp?simd=") + level)))
            all.emplace_back(level);
    return all;
}

/// Of each way to compute a product, large enough for a team.
std::vector<Op> products() {
    std::vector<Op> all;
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{97, 131, 70},
                                  {200, 65, 800},
                                  {5, 700, 90},
                                  {17, 500, 500},
                                  {30, 40, 3000},
                                  {1, 900, 6000},
                                  {900, 1, 500},
                                  {90, 3, 9000},
                                  {1, 1, 300000}})
        all.emplace_back(Gemm{m, n, k});
    for (const bool bias : {false, true})
        for (const auto& [batch, units, inputs] :
             {std::array<std::int64_t, 3>{33, 120, 150}, {7, 130, 500}, {16, 20, 9000}, {40, 40, 2500}}) {
            all.emplace_back(DenseForward{{inputs, units, bias}, batch});
            all.emplace_back(DenseBackwardData{{inputs, units, bias}, batch});
            all.emplace_back(DenseBackwardWeights{{inputs, units, bias}, batch});
            all.emplace_back(DenseBackwardWeights{{units, 30, bias}, inputs});
        }
    return all;
}

/// Small images with many channels, large ones with few, strides, groups of one channel and of several.
std::vector<Op> convolutions() {
    const auto params = [](std::int64_t filters, std::int64_t kernel, std::int64_t stride,
                           std::int64_t groups) {
        ConvParams p;
        p.filters = filters, p.kernel = {kernel, kernel}, p.stride = {stride, stride}, p.groups = groups;
        p.padding = {kernel / 2, kernel / 2, kernel / 2, kernel / 2};
        return p;
    };
    std::vector<Op> all;
    for (const auto& [p, src] : {std::pair{params(130, 3, 1, 1), Shape4{1, 70, 7, 7}},
                                 {params(50, 3, 2, 1), Shape4{2, 40, 14, 15}},
                                 {params(90, 1, 1, 1), Shape4{1, 200, 11, 11}},
                                 {params(24, 1, 2, 1), Shape4{3, 30, 21, 20}},
                                 {params(5, 7, 2, 1), Shape4{1, 3, 70, 70}},
                                 {params(60, 3, 1, 60), Shape4{1, 60, 30, 30}},
                                 {params(48, 5, 3, 4), Shape4{2, 20, 25, 25}}}) {
        all.emplace_back(ConvForward{p, src});
        all.emplace_back(ConvBackwardData{p, src});
        all.emplace_back(ConvBackwardWeights{p, src});
    }
    return all;
}

TEST(ProductThreads, AnyNumberGivesTheSameBits) {
    const int most = kTimeFactor > 1 ? 3 : 17; // clang's OpenMP keeps the teams of every number
    std::vector<Op> ops = products();
    for (const Op& op : convolutions())
        ops.push_back(op);
    for (const std::string& level : levels())
        for (const Op& op : ops) {
            SCOPED_TRACE(level + " " + opName(op) + " " + opDetail(op));
            const auto inputs = makeInputs(Data::Reals, op, 5);
            const auto one = runOpAll(*opened("cpu/openmp?threads=1&simd=" + level), op, inputs);
            ASSERT_TRUE(one.ok()) << one.error().sentence();
            for (int threads = 2; threads <= most; ++threads) {
                const auto many = runOpAll(
                    *opened("cpu/openmp?threads=" + std::to_string(threads) + "&simd=" + level), op, inputs);
                ASSERT_TRUE(many.ok()) << many.error().sentence();
                ASSERT_EQ(one->size(), many->size());
                for (std::size_t i = 0; i < one->size(); ++i)
                    EXPECT_TRUE(sameTensor((*one)[i], (*many)[i])) << threads << " threads, output " << i;
            }
        }
}

/// More taps than a block of terms holds, the input read where it lies; windows as large as the image.
TEST(ProductThreads, WindowsOfManyTapsAreSummedAsInThePlainLoops) {
    ConvParams large;
    large.filters = 3, large.kernel = {25, 26};
    ConvParams depthwise = large;
    depthwise.filters = depthwise.groups = 4;
    const auto sequential = opened("cpu/sequential");
    for (const ConvParams& params : {large, depthwise})
        for (const Shape4& src : {Shape4{2, 4, 40, 61}, {1, 4, 25, 26}})
            for (const Op& op : {Op(ConvForward{params, src}), Op(ConvBackwardData{params, src})}) {
                const auto inputs = makeInputs(Data::Integers, op, 8);
                const auto expected = runOpAll(*sequential, op, inputs);
                for (const char* threads : {"1", "3"}) {
                    const auto actual =
                        runOpAll(*opened(std::string("cpu/openmp?threads=") + threads), op, inputs);
                    ASSERT_TRUE(expected.ok() && actual.ok());
                    EXPECT_TRUE(sameTensor((*expected)[0], (*actual)[0]))
                        << opName(op) << " " << opDetail(op);
                }
            }
}

/// A few special elements in both operands, far from each other.
void placeSpecials(std::vector<float>& values) {
    const float specials[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()};
    for (std::size_t i = 0; i < std::size(specials); ++i)
        values[(2 * i + 1) * values.size() / 7] = specials[i];
}

TEST(ProductThreads, NanAndInfinitiesComeOutAsInThePlainLoops) {
    const auto sequential = opened("cpu/sequential");
    for (const std::string& level : levels())
        for (const Op& op : products()) {
            SCOPED_TRACE(level + " " + opName(op) + " " + opDetail(op));
            auto inputs = makeInputs(Data::Integers, op, 6);
            placeSpecials(inputs[0]);
            placeSpecials(inputs[1]);
            const auto expected = runOpAll(*sequential, op, inputs);
            const auto actual = runOpAll(*opened("cpu/openmp?threads=3&simd=" + level), op, inputs);
            ASSERT_TRUE(expected.ok() && actual.ok());
            for (std::size_t i = 0; i < expected->size(); ++i) {
                EXPECT_TRUE(sameTensor((*expected)[i], (*actual)[i])) << "output " << i;
                EXPECT_TRUE(std::any_of((*expected)[i].begin(), (*expected)[i].end(), [](float x) {
                    return std::isnan(x);
                })) << "nothing special came out";
            }
        }
}

std::string taken(const Op& op) {
    const auto session = opened("cpu/openmp?threads=2");
    for (const ImplementationRow& row : session->implementations(op))
        if (row.taken)
            return row.name;
    return {};
}

TEST(ProductThreads, FewRowsOrColumnsAreDotProducts) {
    EXPECT_EQ(taken(Gemm{4096, 1, 4096}), "gemm_dot");
    EXPECT_EQ(taken(Gemm{37, 4, 500}), "gemm_dot");
    EXPECT_EQ(taken(DenseForward{{500, 300, true}, 16}), "gemm_dot");
    EXPECT_EQ(taken(Gemm{1, 4096, 4096}), "gemm_packed");
    EXPECT_EQ(taken(DenseForward{{500, 300, true}, 17}), "gemm_packed");
    EXPECT_EQ(taken(DenseBackwardWeights{{500, 300, true}, 16}), "gemm_packed");
}

} // namespace
} // namespace heteroscope::compute
