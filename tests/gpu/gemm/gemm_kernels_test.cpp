// SPDX-License-Identifier: Apache-2.0
// Every matrix product of the ladder against a reference in double precision.
#include "compute/backends/nvidia/kernels/gemm/gemm_kernels.h"
#include "tests/cases/gemm_cases.h"
#include "tests/gpu/gemm/gemm_on_device.h"
#include "tests/support/require/skip.h"
#include "tests/support/sequential.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace heteroscope::compute::nvidia {
namespace {

/// k in that many slices, or as many as there are of 32 steps.
GemmPlan cutInto(GemmPlan plan, int slices, std::int64_t k) {
    const auto steps = int((k + 31) / 32);
    plan.depth = (steps + slices - 1) / slices * 32;
    plan.slices = int((k + plan.depth - 1) / plan.depth);
    return plan;
}

/// The plan of every kernel that takes the size, of what is taken when none is asked for, and every tile with
/// k in one and in several slices.
std::vector<GemmPlan> plansOf(const Gemm& size) {
    std::vector<GemmPlan> plans{planGemm(size.m, size.n, size.k, limitsOfDevice())};
    for (const GemmKernel kernel : gemmKernels()) {
        if (!gemmRefusal(kernel, size.m, size.n, size.k).empty())
            continue;
        const GemmPlan plan = planGemm(kernel, size.m, size.n, size.k, limitsOfDevice());
        plans.push_back(plan);
        if (kernel == GemmKernel::SkinnyM || kernel == GemmKernel::SkinnyN)
            for (const int slices : {1, 3})
                plans.push_back(cutInto(plan, slices, size.k));
        if (kernel == GemmKernel::Register || kernel == GemmKernel::SplitK)
            for (const GemmTileSize& tile : kGemmTiles) {
                const GemmPlan whole{kernel, tile.tile, 1, int(size.k)};
                plans.push_back(kernel == GemmKernel::SplitK ? cutInto(whole, 5, size.k) : whole);
            }
    }
    return plans;
}

std::vector<float> integers(std::int64_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_int_distribution<int> value(-8, 8);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& element : values)
        element = float(value(engine));
    return values;
}

std::vector<float> reals(std::int64_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> value(0.0F, 1.0F);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& element : values)
        element = value(engine);
    return values;
}

/// The product in double precision, and the same of the absolute values, which bounds the error of any order
/// of summation: |error| <= k u / (1 - k u) * sum |a| |b| with u = 2^-24 (Higham, Accuracy and
/// Stability, 3.5).
struct Reference {
    std::vector<float> c;
    std::vector<double> magnitude;

    Reference(const Gemm& size, const std::vector<float>& a, const std::vector<float>& b) {
        std::vector<double> sums(static_cast<std::size_t>(size.m * size.n));
        magnitude.resize(sums.size());
        for (std::int64_t row = 0; row < size.m; ++row)
            for (std::int64_t i = 0; i < size.k; ++i) {
                const double left = a[std::size_t(row * size.k + i)];
                for (std::int64_t column = 0; column < size.n; ++column) {
                    const double term = left * double(b[std::size_t(i * size.n + column)]);
                    sums[std::size_t(row * size.n + column)] += term;
                    magnitude[std::size_t(row * size.n + column)] += std::fabs(term);
                }
            }
        c.assign(sums.begin(), sums.end());
    }

    /// One unit more than k for rounding the reference itself to float.
    double bound(std::size_t element, std::int64_t k) const {
        const double units = double(k + 1) * std::ldexp(1.0, -24);
        return units / (1.0 - units) * magnitude[element];
    }
};

std::string text(const GemmPlan& plan, const Gemm& size) {
    return std::string(gemmKernelName(plan.kernel)) + ", tile " + std::to_string(int(plan.tile)) + ", " +
           std::to_string(plan.slices) + " slices " + std::to_string(size.m) + "x" + std::to_string(size.n) +
           "x" + std::to_string(size.k);
}

class GemmKernels : public testing::Test {
  protected:
    void SetUp() override {
        if (const std::string why = whyNoGpu(); !why.empty())
            SKIP_WITHOUT("gpu", why);
    }

    static void expectExact(const GemmPlan& plan, const Gemm& size, const std::vector<float>& a,
                            const std::vector<float>& b, const std::vector<float>& expected,
                            const Offsets& offsets = {}) {
        const DeviceProduct actual = productOnDevice(plan, size, a, b, offsets);
        ASSERT_EQ(actual.error, "") << text(plan, size);
        EXPECT_TRUE(sameTensor(expected, actual.c)) << text(plan, size);
    }

    /// Integers exactly, reals within the bound, by every plan.
    static void expectAgreement(const Gemm& size) {
        const auto wholeA = integers(size.m * size.k, 1), wholeB = integers(size.k * size.n, 2);
        const auto realA = reals(size.m * size.k, 3), realB = reals(size.k * size.n, 4);
        const Reference exact(size, wholeA, wholeB), reference(size, realA, realB);
        for (const GemmPlan& plan : plansOf(size)) {
            expectExact(plan, size, wholeA, wholeB, exact.c);
            const DeviceProduct actual = productOnDevice(plan, size, realA, realB);
            ASSERT_EQ(actual.error, "") << text(plan, size);
            EXPECT_TRUE(nearTensor(reference.c, actual.c, [&](std::size_t element) {
                return reference.bound(element, size.k);
            })) << text(plan, size);
        }
    }
};

class GemmSquares : public GemmKernels, public testing::WithParamInterface<std::int64_t> {};

TEST_P(GemmSquares, agreeWithTheReference) {
    expectAgreement({GetParam(), GetParam(), GetParam()});
}

INSTANTIATE_TEST_SUITE_P(Sizes, GemmSquares,
                         testing::Values(1, 2, 3, 7, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256,
                                         257, 1000),
                         testing::PrintToStringParamName());

TEST_F(GemmKernels, agreeOnTheSizesOfAllImplementations) {
    for (const Gemm& size : gemmCases())
        expectAgreement(size);
}

/// Aligned to vectors or not; k ends within what a warp takes at once.
TEST_F(GemmKernels, agreeWhereOneExtentIsSmall) {
    for (const std::int64_t few : {1, 2, 3, 4, 5, 8, 9, 15, 16})
        for (const std::int64_t k : {257, 300, 515, 1024, 4099}) {
            expectAgreement({few, 260, k});
            expectAgreement({133, few, k});
        }
    for (const std::int64_t few : {1, 2, 7, 31, 32, 33, 64, 100}) {
        expectAgreement({200, 300, few});
        expectAgreement({65, 515, few});
    }
    for (const Gemm& size : {Gemm{1, 1, 20000}, Gemm{16, 16, 9999}, Gemm{64, 64, 4096}, Gemm{17, 3, 7001}})
        expectAgreement(size);
}

TEST_F(GemmKernels, agreeOnRectangles) {
    const Gemm sizes[] = {{1, 1024, 9},   {1024, 1, 40}, {31, 33, 1},    {129, 63, 257}, {64, 256, 16},
                          {65, 260, 15},  {63, 252, 17}, {2000, 36, 40}, {36, 2000, 40}, {3, 341, 100},
                          {129, 66, 257}, {65, 262, 15}, {255, 2, 40}};
    for (const Gemm& size : sizes)
        expectAgreement(size);
}

/// Results of many tiles, with and without rows of whole vectors.
TEST_F(GemmKernels, agreeWhereTilesAreLarge) {
    for (const Gemm& size :
         {Gemm{2049, 2052, 33}, Gemm{2111, 2047, 16}, Gemm{4100, 1030, 19}, Gemm{1500, 1024, 50}}) {
        const auto a = integers(size.m * size.k, 5), b = integers(size.k * size.n, 6);
        const Reference reference(size, a, b);
        for (const GemmPlan& plan : plansOf(size))
            if (plan.kernel >= GemmKernel::Register)
                expectExact(plan, size, a, b, reference.c);
    }
}

class GemmOffsets : public GemmKernels, public testing::WithParamInterface<Gemm> {};

TEST_P(GemmOffsets, operandsNeedNotBeAlignedToVectors) {
    const Gemm& size = GetParam();
    const auto a = integers(size.m * size.k, 7), b = integers(size.k * size.n, 8);
    const Reference reference(size, a, b);
    for (const GemmPlan& plan : plansOf(size))
        for (const Offsets& offsets :
             {Offsets{1, 0, 0}, Offsets{0, 1, 0}, Offsets{0, 0, 3}, Offsets{2, 2, 2}})
            expectExact(plan, size, a, b, reference.c, offsets);
}

INSTANTIATE_TEST_SUITE_P(Sizes, GemmOffsets,
                         testing::Values(Gemm{96, 128, 40}, Gemm{8, 200, 512}, Gemm{200, 8, 512}),
                         [](const auto& i) { return "m" + std::to_string(i.param.m); });

TEST_F(GemmKernels, agreeWithSequential) {
    const Gemm size{97, 61, 130};
    const auto a = integers(size.m * size.k, 9), b = integers(size.k * size.n, 10);
    std::vector<float> expected(static_cast<std::size_t>(size.m * size.n));
    computeSequential(size, {a.data(), b.data()}, {expected.data()});
    for (const GemmPlan& plan : plansOf(size))
        expectExact(plan, size, a, b, expected);
}

/// A NaN of A belongs to its row of the result, an infinity of B to its column, and both to nothing else.
TEST_F(GemmKernels, passNanAndInfinityOnOnlyWhereTheyBelong) {
    for (const Gemm& size : {Gemm{30, 34, 21}, Gemm{13, 34, 301}, Gemm{30, 13, 301}, Gemm{30, 34, 301}}) {
        const std::int64_t row = size.m - 1, column = size.n - 1, step = size.k - 1;
        std::vector<float> a(static_cast<std::size_t>(size.m * size.k), 1.0F);
        std::vector<float> b(static_cast<std::size_t>(size.k * size.n), 1.0F);
        a[std::size_t(row * size.k + step)] = std::numeric_limits<float>::quiet_NaN();
        b[std::size_t(step * size.n + column)] = std::numeric_limits<float>::infinity();
        std::vector<float> expected(static_cast<std::size_t>(size.m * size.n), float(size.k));
        for (std::int64_t i = 0; i < size.m; ++i)
            expected[std::size_t(i * size.n + column)] = std::numeric_limits<float>::infinity();
        for (std::int64_t j = 0; j < size.n; ++j)
            expected[std::size_t(row * size.n + j)] = std::numeric_limits<float>::quiet_NaN();
        for (const GemmPlan& plan : plansOf(size))
            expectExact(plan, size, a, b, expected);
    }
}

TEST_F(GemmKernels, giveTheSameBitsAgain) {
    for (const Gemm& size : {Gemm{256, 256, 301}, Gemm{512, 512, 300}, Gemm{1024, 1023, 200},
                             Gemm{16, 1000, 3000}, Gemm{1000, 16, 3000}})
        for (const GemmPlan& plan : plansOf(size)) {
            const auto a = reals(size.m * size.k, 11), b = reals(size.k * size.n, 12);
            const DeviceProduct first = productOnDevice(plan, size, a, b);
            ASSERT_EQ(first.error, "");
            for (int again = 0; again < 3; ++again)
                expectExact(plan, size, a, b, first.c);
        }
}

TEST_F(GemmKernels, launchRefusesWhatTheRefusalNames) {
    EXPECT_EQ(launchGemm({GemmKernel::Block}, 50, 50, 50, {}, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(launchGemm({GemmKernel::Register}, 0, 5, 5, {}, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(launchGemm({GemmKernel::SkinnyM}, 5, 5, 100, {}, nullptr), cudaErrorInvalidValue) << "no depth";
    EXPECT_EQ(launchGemm({GemmKernel::SkinnyM}, 17, 5, 5, {}, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(launchGemm({GemmKernel::SkinnyN}, 5, 17, 5, {}, nullptr), cudaErrorInvalidValue);
}

} // namespace
} // namespace heteroscope::compute::nvidia
