// SPDX-License-Identifier: Apache-2.0
// Our pooling kernels against the sequential implementation: the shared cases and many drawn at random,
// tensors that begin anywhere, every way of cutting a plane into bands. Maxima and their gradients must agree
// in every bit.
#include "compute/backends/nvidia/kernels/pool/pool_any.h"
#include "compute/backends/nvidia/kernels/pool/pool_kernels.h"
#include "compute/backends/nvidia/kernels/pool/pool_patch.h"
#include "compute/backends/nvidia/kernels/pool/pool_separable.h"
#include "compute/backends/nvidia/kernels/pool/pool_strip.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile.h"
#include "compute/backends/nvidia/kernels/pool/pool_wide.h"
#include "tests/cases/pool_cases.h"
#include "tests/gpu/pool/device_tensor.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"
#include "tests/support/sequential.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::uint32_t kSeed = 35;
constexpr double kHalfUlp = 0x1p-24;

enum class Path { Chosen, Strips, Tiles, Wide, Patches, Separable, Any };

/// How one op is launched.
struct Way {
    Path path = Path::Chosen;
    std::size_t offset = 0;                 ///< of all tensors, in floats
    int bandSteps = 0;                      ///< of strips; 0: chosen
    PatchSize patch{};                      ///< of patches; 0 rows: chosen
    std::int64_t mostBlocks = kPatchBlocks; ///< of patches
};

std::optional<PatchPlan> patchesOf(const PoolCase& one, const Way& way, bool backward) {
    auto plan = way.patch.rows == 0 ? planPatches(one.params, one.src, backward, deviceLimits())
                                    : planPatches(one.params, one.src, backward, deviceLimits(), way.patch);
    if (plan)
        plan->mostBlocks = way.mostBlocks;
    return plan;
}

std::string describe(const PoolCase& one, Way way, bool backward) {
    static constexpr const char* paths[] = {"chosen",  "strips",    "tiles", "wide",
                                            "patches", "separable", "any"};
    return one.name + ": " + opDetail(PoolForward{one.params, one.src}) +
           (backward ? " backward" : " forward") + " offset " + std::to_string(way.offset) + " by " +
           paths[static_cast<int>(way.path)] + " band " + std::to_string(way.bandSteps) + " patch " +
           std::to_string(way.patch.planes) + "x" + std::to_string(way.patch.rows) + "x" +
           std::to_string(way.patch.columns) + " blocks " + std::to_string(way.mostBlocks) + " (" +
           poolKernelName(one.params, one.src, backward, deviceLimits()) + ")";
}

bool canGo(const PoolCase& one, const Way& way, bool backward) {
    const Path path = way.path;
    if (path == Path::Strips)
        return hasStripKernel(one.params, one.src);
    if (path == Path::Wide)
        return hasWideKernel(one.params, one.src);
    if (path == Path::Patches)
        return patchesOf(one, way, backward).has_value();
    if (path == Path::Separable)
        return backward && hasSeparableKernel(one.params, one.src);
    return path != Path::Tiles || hasTileKernel(one.params, one.src, backward);
}

class PoolKernels : public testing::Test {
  protected:
    void SetUp() override {
        if (const std::string reason = whyNoGpu(); !reason.empty())
            SKIP_WITHOUT("gpu", reason);
    }

    static std::size_t outputs(const PoolCase& one) {
        return static_cast<std::size_t>(*poolOutputShape(one.params, one.src)->elements());
    }

    static cudaError_t launchForward(const PoolCase& one, Way way, const DeviceTensor& src,
                                     DeviceTensor& dst) {
        switch (way.path) {
        case Path::Strips:
            return launchStripForward(one.params, one.src, src.data(), dst.data(), nullptr, way.bandSteps);
        case Path::Tiles:
            return launchTileForward(one.params, one.src, src.data(), dst.data(), nullptr);
        case Path::Wide:
            return launchWideForward(one.params, one.src, src.data(), dst.data(), nullptr);
        case Path::Patches:
            return launchPatchForward(patchesOf(one, way, false).value(), src.data(), dst.data(), nullptr);
        case Path::Any:
            return launchAnyForward(one.params, one.src, src.data(), dst.data(), nullptr);
        default:
            return launchPoolForward(one.params, one.src, src.data(), dst.data(), deviceLimits(), nullptr);
        }
    }

    static cudaError_t launchBackward(const PoolCase& one, Way way, const DeviceTensor& src,
                                      const DeviceTensor& gradient, DeviceTensor& result) {
        const float *in = src.data(), *grad = gradient.data();
        switch (way.path) {
        case Path::Strips:
            return launchStripBackward(one.params, one.src, in, grad, result.data(), nullptr, way.bandSteps);
        case Path::Tiles:
            return launchTileBackward(one.params, one.src, in, grad, result.data(), nullptr);
        case Path::Wide:
            return launchWideBackward(one.params, one.src, in, grad, result.data(), nullptr);
        case Path::Patches:
            return launchPatchBackward(patchesOf(one, way, true).value(), in, grad, result.data(), nullptr);
        case Path::Separable:
            return launchSeparableBackward(one.params, one.src, in, grad, result.data(), nullptr);
        case Path::Any:
            return launchAnyBackward(one.params, one.src, in, grad, result.data(), nullptr);
        default:
            return launchPoolBackward(one.params, one.src, in, grad, result.data(), deviceLimits(), nullptr);
        }
    }

    static void expectComplete(const DeviceTensor& result) {
        expectCuda(cudaDeviceSynchronize(), "kernel");
        EXPECT_EQ(result.untouched(), 0U);
        EXPECT_TRUE(result.guardsIntact());
    }

    /// Rounding of averages: one for each term, one for the division.
    static void expectResult(const PoolCase& one, const std::vector<float>& expected,
                             const DeviceTensor& result, double scale) {
        if (one.params.mode == PoolMode::Max || scale == 0.0) {
            EXPECT_TRUE(sameTensor(expected, result.download()));
            return;
        }
        const auto terms = static_cast<double>(one.params.kernel.h * one.params.kernel.w);
        EXPECT_TRUE(nearTensor(expected, result.download(),
                               [&](std::size_t) { return (terms + 2) * kHalfUlp * scale; }));
    }

    static void checkForward(const PoolCase& one, Data data, Way way = {}) {
        SCOPED_TRACE(describe(one, way, false));
        const PoolForward op{one.params, one.src};
        const auto inputs = makeInputs(data, op, kSeed);
        std::vector<float> expected(outputs(one));
        computeSequential(op, {inputs[0].data()}, {expected.data()});
        const DeviceTensor src(inputs[0], way.offset);
        DeviceTensor dst(expected.size(), way.offset);
        ASSERT_EQ(launchForward(one, way, src, dst), cudaSuccess);
        expectComplete(dst);
        expectResult(one, expected, dst, data == Data::Integers ? 9.0 : 1.0);
    }

    static void checkBackward(const PoolCase& one, Data data, Way way = {}) {
        SCOPED_TRACE(describe(one, way, true));
        const PoolBackward op{one.params, one.src};
        auto inputs = makeInputs(data, op, kSeed);
        inputs[1] = makeData(data == Data::Special ? Data::Integers : data,
                             static_cast<std::int64_t>(inputs[1].size()), kSeed + 1);
        std::vector<float> expected(inputs[0].size());
        computeSequential(op, {inputs[0].data(), inputs[1].data()}, {expected.data()});
        const DeviceTensor src(inputs[0], way.offset), gradient(inputs[1], way.offset);
        DeviceTensor result(expected.size(), way.offset);
        ASSERT_EQ(launchBackward(one, way, src, gradient, result), cudaSuccess);
        expectComplete(result);
        expectResult(one, expected, result, 0.0); // gradients are added in the sequential order
    }

    static void check(const PoolCase& one, Data data, Way way = {}) {
        if (data == Data::Special && one.params.mode == PoolMode::Average)
            return;
        if (canGo(one, way, false))
            checkForward(one, data, way);
        if (canGo(one, way, true))
            checkBackward(one, data, way);
    }

    static void checkAllPaths(const PoolCase& one, Data data, std::size_t offset = 0) {
        for (const Path path :
             {Path::Chosen, Path::Strips, Path::Tiles, Path::Wide, Path::Patches, Path::Separable, Path::Any})
            check(one, data, {path, offset});
    }
};

std::int64_t drawn(std::mt19937& random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

/// A square window that has a kernel of its own, on a plane of any size around the edges of quads and strips.
PoolCase drawStripCase(std::mt19937& random) {
    static constexpr std::pair<int, int> sizes[] = {{2, 1}, {2, 2}, {3, 1}, {3, 2}, {5, 1}};
    const auto [kernel, stride] = sizes[drawn(random, 0, 4)];
    PoolCase one{
        "drawn", {}, {drawn(random, 1, 2), drawn(random, 1, 3), drawn(random, 1, 40), drawn(random, 1, 300)}};
    one.params.kernel = {kernel, kernel};
    one.params.stride = {stride, stride};
    one.params.padding = {drawn(random, 0, kernel - 1), drawn(random, 0, kernel - 1),
                          drawn(random, 0, kernel - 1), drawn(random, 0, kernel - 1)};
    return one;
}

PoolCase drawAnyCase(std::mt19937& random) {
    PoolCase one{
        "drawn", {}, {drawn(random, 1, 3), drawn(random, 1, 5), drawn(random, 1, 40), drawn(random, 1, 90)}};
    one.params.kernel = {drawn(random, 1, 9), drawn(random, 1, 9)};
    one.params.stride = {drawn(random, 1, 5), drawn(random, 1, 5)};
    const Extent2d kernel = one.params.kernel;
    one.params.padding = {drawn(random, 0, kernel.h - 1), drawn(random, 0, kernel.h - 1),
                          drawn(random, 0, kernel.w - 1), drawn(random, 0, kernel.w - 1)};
    return one;
}

/// Many narrow or low planes, windows up to those that see almost the whole plane, gaps between windows.
PoolCase drawNarrowCase(std::mt19937& random) {
    const bool low = drawn(random, 0, 1) == 0;
    const std::int64_t longSide = drawn(random, 1, 400), shortSide = drawn(random, 1, 9);
    PoolCase one{
        "drawn",
        {},
        {drawn(random, 1, 9), drawn(random, 1, 40), low ? shortSide : longSide, low ? longSide : shortSide}};
    one.params.kernel = {drawn(random, 1, 9), drawn(random, 1, 9)};
    one.params.stride = {drawn(random, 1, 11), drawn(random, 1, 11)};
    const Extent2d kernel = one.params.kernel;
    one.params.padding = {drawn(random, 0, kernel.h / 2), drawn(random, 0, kernel.h / 2),
                          drawn(random, 0, kernel.w / 2), drawn(random, 0, kernel.w / 2)};
    return one;
}

template <class Draw, class Check>
void checkDrawn(int cases, const Draw& draw, const Check& check) {
    std::mt19937 random(kSeed);
    for (int i = 0; i < cases; ++i) {
        PoolCase one = draw(random);
        one.params.mode = drawn(random, 0, 2) == 0 ? PoolMode::Average : PoolMode::Max;
        one.params.padValue = drawn(random, 0, 3) == 0 ? PadValue::Zero : PadValue::NegativeInfinity;
        one.params.countIncludePad = drawn(random, 0, 1) == 0;
        if (poolOutputShape(one.params, one.src).ok())
            check(one, random);
        if (testing::Test::HasFailure())
            return; // the first shows enough
    }
}

TEST_F(PoolKernels, SharedCasesOfWholeNumbers) {
    for (const PoolCase& one : poolCases())
        checkAllPaths(one, Data::Integers);
}

TEST_F(PoolKernels, SharedCasesOfReals) {
    for (const PoolCase& one : poolCases())
        checkAllPaths(one, Data::Reals);
}

TEST_F(PoolKernels, SharedCasesOfSpecialValues) {
    for (const PoolCase& one : poolCases())
        checkAllPaths(one, Data::Special);
}

TEST_F(PoolKernels, SharedCasesAtOddAddresses) {
    for (const PoolCase& one : poolCases()) {
        for (const std::size_t offset : {1U, 2U, 3U})
            checkAllPaths(one, Data::Reals, offset);
    }
}

TEST_F(PoolKernels, LargeCases) {
    for (const PoolCase& one : largePoolCases())
        checkAllPaths(one, Data::Reals);
}

TEST_F(PoolKernels, StripsOfEverySizeInBandsOfEveryHeight) {
    checkDrawn(400, drawStripCase, [this](const PoolCase& one, std::mt19937& random) {
        const Way way{Path::Strips, static_cast<std::size_t>(drawn(random, 0, 3)),
                      static_cast<int>(drawn(random, 0, 12))};
        check(one, drawn(random, 0, 1) == 0 ? Data::Special : Data::Reals, way);
    });
}

TEST_F(PoolKernels, TilesOfEverySize) {
    for (const auto& draw : {drawStripCase, drawAnyCase}) {
        checkDrawn(200, draw, [this](const PoolCase& one, std::mt19937& random) {
            const Way way{Path::Tiles, static_cast<std::size_t>(drawn(random, 0, 3)), 0};
            check(one, drawn(random, 0, 1) == 0 ? Data::Special : Data::Reals, way);
        });
    }
}

TEST_F(PoolKernels, PatchesOfEverySize) {
    for (const auto& draw : {drawStripCase, drawAnyCase, drawNarrowCase}) {
        checkDrawn(200, draw, [this](const PoolCase& one, std::mt19937& random) {
            const Way way{Path::Patches, static_cast<std::size_t>(drawn(random, 0, 3)), 0};
            check(one, drawn(random, 0, 1) == 0 ? Data::Special : Data::Reals, way);
        });
    }
}

/// Of one part of a plane or of several planes, with so few blocks that each takes several patches.
Way drawPatch(const PoolCase& one, std::mt19937& random, bool backward) {
    const Shape4 all = backward ? one.src : *poolOutputShape(one.params, one.src);
    const bool whole = drawn(random, 0, 1) == 0;
    Way way{Path::Patches, static_cast<std::size_t>(drawn(random, 0, 3)), 0};
    way.patch = {whole ? static_cast<int>(drawn(random, 1, 4)) : 1,
                 static_cast<int>(whole ? all.h : drawn(random, 1, all.h)),
                 static_cast<int>(whole ? all.w : drawn(random, 1, all.w))};
    way.mostBlocks = drawn(random, 1, 3);
    return way;
}

TEST_F(PoolKernels, PatchesOfSizesThatAreNotChosenInSeveralTurnsOfABlock) {
    int ran = 0;
    for (const auto& draw : {drawStripCase, drawAnyCase, drawNarrowCase}) {
        checkDrawn(200, draw, [&](const PoolCase& one, std::mt19937& random) {
            const Data data =
                drawn(random, 0, 1) == 0 && one.params.mode == PoolMode::Max ? Data::Special : Data::Reals;
            if (const Way way = drawPatch(one, random, false); canGo(one, way, false))
                checkForward(one, data, way), ++ran;
            if (const Way way = drawPatch(one, random, true); canGo(one, way, true))
                checkBackward(one, data, way), ++ran;
        });
    }
    EXPECT_GT(ran, 300);
}

TEST_F(PoolKernels, WindowsOfEverySize) {
    checkDrawn(300, drawAnyCase, [this](const PoolCase& one, std::mt19937& random) {
        check(one, drawn(random, 0, 1) == 0 ? Data::Special : Data::Reals, {Path::Any});
    });
}

TEST_F(PoolKernels, WindowsAsLargeAsThePlane) {
    for (const auto& [height, width] : {std::pair{70, 90}, {1, 3000}, {3000, 1}, {64, 64}}) {
        PoolCase one{"whole plane", {}, {2, 3, height, width}};
        one.params.kernel = {height, width};
        checkAllPaths(one, Data::Special);
        one.params.mode = PoolMode::Average;
        checkAllPaths(one, Data::Reals);
    }
}

TEST_F(PoolKernels, LargeWindowsApart) {
    checkDrawn(
        100,
        [](std::mt19937& random) {
            PoolCase one{"drawn", {}, {1, drawn(random, 1, 3), drawn(random, 1, 200), drawn(random, 1, 200)}};
            one.params.kernel = {drawn(random, 4, 90), drawn(random, 4, 90)};
            one.params.stride = {one.params.kernel.h + drawn(random, 0, 3),
                                 one.params.kernel.w + drawn(random, 0, 3)};
            one.params.padding = {drawn(random, 0, 3), drawn(random, 0, 3), drawn(random, 0, 3),
                                  drawn(random, 0, 3)};
            return one;
        },
        [this](const PoolCase& one, std::mt19937& random) {
            const Way way{Path::Wide, static_cast<std::size_t>(drawn(random, 0, 3)), 0};
            check(one, drawn(random, 0, 1) == 0 ? Data::Special : Data::Reals, way);
        });
}

TEST_F(PoolKernels, LargeWindowsThatOverlap) {
    checkDrawn(
        150,
        [](std::mt19937& random) {
            PoolCase one{"drawn", {}, {1, drawn(random, 1, 3), drawn(random, 1, 120), drawn(random, 1, 120)}};
            one.params.kernel = {drawn(random, 1, 28), drawn(random, 1, 28)};
            one.params.stride = {drawn(random, 1, one.params.kernel.h + 2),
                                 drawn(random, 1, one.params.kernel.w)};
            const Extent2d kernel = one.params.kernel;
            one.params.padding = {drawn(random, 0, kernel.h - 1), drawn(random, 0, kernel.h - 1),
                                  drawn(random, 0, kernel.w - 1), drawn(random, 0, kernel.w - 1)};
            return one;
        },
        [this](const PoolCase& one, std::mt19937& random) {
            const Way way{Path::Separable, static_cast<std::size_t>(drawn(random, 0, 3)), 0};
            check(one, drawn(random, 0, 1) == 0 ? Data::Special : Data::Reals, way);
        });
}

TEST_F(PoolKernels, RisingValuesThatEachWindowTakesFromAnotherPlace) {
    PoolCase one{"rising", {}, {2, 3, 70, 90}};
    one.params.kernel = {13, 13};
    one.params.stride = {1, 1};
    one.params.padding = {6, 6, 6, 6};
    const PoolBackward op{one.params, one.src};
    auto inputs = makeInputs(Data::Reals, op, kSeed);
    std::iota(inputs[0].begin(), inputs[0].end(), 1.0F);
    std::vector<float> expected(inputs[0].size());
    computeSequential(op, {inputs[0].data(), inputs[1].data()}, {expected.data()});
    for (const Path path : {Path::Chosen, Path::Patches, Path::Separable, Path::Any}) {
        const DeviceTensor src(inputs[0], 0), gradient(inputs[1], 0);
        DeviceTensor result(expected.size(), 0);
        ASSERT_EQ(launchBackward(one, {path, 0, 0}, src, gradient, result), cudaSuccess);
        expectComplete(result);
        EXPECT_TRUE(sameTensor(expected, result.download()));
    }
}

TEST_F(PoolKernels, MoreWindowsOnATileThanAreHeldAtOnce) {
    PoolCase one{"k41 s1", {}, {1, 2, 90, 130}};
    one.params.kernel = {41, 41};
    one.params.stride = {1, 1};
    one.params.padding = {20, 20, 20, 20};
    checkAllPaths(one, Data::Integers);
    one.params.mode = PoolMode::Average;
    checkAllPaths(one, Data::Reals);
}

/// Padding of `padding` rows and columns on every side.
PoolCase padded(const Shape4& src, Extent2d kernel, Extent2d stride, std::int64_t padding = 0) {
    PoolCase one{"window", {}, src};
    one.params.kernel = kernel, one.params.stride = stride;
    one.params.padding = {padding, padding, padding, padding};
    return one;
}

TEST_F(PoolKernels, GradientsOfWindowsApartInPlanesThatATileHardlyHolds) {
    for (const PoolCase& one :
         {padded({1, 64, 2, 3698}, {1, 1}, {27, 1}), padded({1, 3, 160, 3842}, {2, 5}, {3, 5}),
          padded({16, 3, 249, 129}, {6, 1}, {63, 1})})
        checkAllPaths(one, Data::Special);
}

TEST_F(PoolKernels, ResultsThatPaddingMakesFarLargerThanTheInput) {
    for (PoolCase one :
         {padded({1, 64, 7, 7}, {150, 150}, {1, 1}, 149), padded({1, 1, 10, 10}, {600, 600}, {1, 1}, 599)}) {
        for (const Path path : {Path::Chosen, Path::Tiles})
            check(one, Data::Special, {path});
        one.params.mode = PoolMode::Average;
        check(one, Data::Reals, {Path::Tiles});
    }
}

TEST_F(PoolKernels, GradientsOfTilesThatFillABlocksMemory) {
    for (const PoolCase& one :
         {padded({64, 64, 5, 1753}, {4, 1}, {2, 1}), padded({64, 64, 6, 1534}, {4, 1}, {3, 1})})
        for (const Path path : {Path::Chosen, Path::Tiles})
            checkBackward(one, Data::Special, {path, 1, 0});
}

TEST_F(PoolKernels, GradientsOfMaximaOfManyOverlappingWindows) {
    const PoolCase one = padded({64, 64, 56, 56}, {19, 19}, {1, 1}, 9);
    EXPECT_EQ(poolKernelName(one.params, one.src, true, deviceLimits()), "cuda:pool:separable");
    checkBackward(one, Data::Reals);
}

TEST_F(PoolKernels, MorePlanesThanBlocksAlongOneGridAxis) {
    PoolCase one{"many planes", {}, {3, 70000, 2, 2}};
    checkAllPaths(one, Data::Integers);
    one.params.kernel = {1, 2};
    checkAllPaths(one, Data::Integers);
}

TEST_F(PoolKernels, RefuseWhatHasNoOutput) {
    PoolParams params;
    params.kernel = {5, 5};
    EXPECT_EQ(launchPoolForward(params, {1, 1, 4, 4}, nullptr, nullptr, deviceLimits(), nullptr),
              cudaErrorInvalidValue);
    EXPECT_EQ(launchPoolBackward(params, {1, 1, 4, 4}, nullptr, nullptr, nullptr, deviceLimits(), nullptr),
              cudaErrorInvalidValue);
}

} // namespace

TEST(PoolKernelName, SaysWhichKernelRuns) {
    const auto name = [](const PoolParams& params, const Shape4& src, bool backward) {
        return poolKernelName(params, src, backward, DeviceLimits{});
    };
    PoolParams params;
    EXPECT_EQ(name(params, {1, 1, 64, 64}, false), "cuda:pool:k2s2");
    params.kernel = {8, 8}, params.stride = {1, 1};
    EXPECT_EQ(name(params, {1, 1, 64, 64}, true), "cuda:pool:patches");
    EXPECT_EQ(name(params, {1, 1, 64, 40000}, false), "cuda:pool:patches");
    params.kernel = {5, 5}, params.stride = {6, 6};
    EXPECT_EQ(name(params, {175, 319, 25, 6}, false), "cuda:pool:tiles");
    params.kernel = {4, 4};
    params.stride = {4, 4};
    EXPECT_EQ(name(params, {1, 1, 64, 64}, true), "cuda:pool:tiles");
    params.kernel = params.stride = {64, 64};
    EXPECT_EQ(name(params, {1, 1, 64, 40000}, true), "cuda:pool:wide");
    params.kernel = {30, 30}, params.stride = {1, 1};
    EXPECT_EQ(name(params, {1, 1, 80, 40000}, false), "cuda:pool:any");
    EXPECT_EQ(name(params, {1, 1, 80, 40000}, true), "cuda:pool:separable");
}

} // namespace heteroscope::compute::nvidia
