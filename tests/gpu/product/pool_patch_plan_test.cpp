// SPDX-License-Identifier: Apache-2.0
// How poolings are cut into patches is decided without a GPU: for every device and window a patch must fit,
// hold all that its part of the result needs, and leave out nothing of the result.
#include "compute/backends/nvidia/kernels/pool/pool_patch_plan.h"
#include "tests/gpu/product/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heteroscope::compute::nvidia {
namespace {

struct PatchProblem {
    PoolParams params;
    Shape4 src;
};

std::int64_t patchDrawn(std::mt19937& random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

/// As many small extents as large ones.
std::int64_t drawnPatchExtent(std::mt19937& random, std::int64_t low, std::int64_t high) {
    return patchDrawn(random, low, patchDrawn(random, low, patchDrawn(random, low, high)));
}

PatchProblem drawnPatchProblem(std::mt19937& random) {
    PatchProblem one;
    one.params.mode = patchDrawn(random, 0, 2) == 0 ? PoolMode::Average : PoolMode::Max;
    one.params.kernel = {patchDrawn(random, 1, 9), patchDrawn(random, 1, 9)};
    one.params.stride = {patchDrawn(random, 1, 12), patchDrawn(random, 1, 12)};
    const Extent2d kernel = one.params.kernel;
    one.params.padding = {patchDrawn(random, 0, kernel.h / 2), patchDrawn(random, 0, kernel.h / 2),
                          patchDrawn(random, 0, kernel.w / 2), patchDrawn(random, 0, kernel.w / 2)};
    one.src = {drawnPatchExtent(random, 1, 256), drawnPatchExtent(random, 1, 1024),
               drawnPatchExtent(random, 4, 1000), drawnPatchExtent(random, 4, 1000)};
    return one;
}

std::string patchText(const PatchProblem& one, bool backward, const KnownDevice& device) {
    return std::string(device.name) + (backward ? " backward " : " forward ") +
           opDetail(PoolForward{one.params, one.src});
}

/// Windows that cover elements first .. first + count - 1 of an axis, of `all`.
std::int64_t patchWindows(std::int64_t first, std::int64_t count, std::int64_t kernel, std::int64_t stride,
                          std::int64_t pad, std::int64_t all) {
    std::int64_t windows = 0;
    for (std::int64_t i = 0; i < all; ++i)
        windows += i * stride - pad < first + count && i * stride - pad + kernel > first ? 1 : 0;
    return windows;
}

/// One axis of a plan.
struct PatchAxis {
    std::int64_t all, pieces, each, windows, input, kernel, stride, pad, out;
};

void expectAxisHoldsAll(const PatchAxis& a, bool backward) {
    EXPECT_GE(a.pieces * a.each, a.all);
    EXPECT_LT((a.pieces - 1) * a.each, a.all);
    EXPECT_GE(a.input, (a.windows - 1) * std::min(a.stride, a.kernel) + a.kernel);
    for (std::int64_t piece = 0; backward && piece < a.pieces; ++piece) {
        const std::int64_t first = piece * a.each, count = std::min(a.each, a.all - first);
        EXPECT_GE(a.windows, patchWindows(first, count, a.kernel, a.stride, a.pad, a.out));
    }
}

void expectSoundPlan(const PatchProblem& one, bool backward, const PatchPlan& plan) {
    const Shape4 out = *poolOutputShape(one.params, one.src), all = backward ? one.src : out;
    expectAxisHoldsAll({all.h, plan.down, plan.rows, plan.windowRows, plan.inputRows, one.params.kernel.h,
                        one.params.stride.h, one.params.padding.top, out.h},
                       backward);
    expectAxisHoldsAll({all.w, plan.across, plan.columns, plan.windowColumns, plan.inputColumns,
                        one.params.kernel.w, one.params.stride.w, one.params.padding.left, out.w},
                       backward);
    EXPECT_EQ(plan.patches, (all.n * all.c + plan.planes - 1) / plan.planes * plan.down * plan.across);
    EXPECT_GE(plan.bands * plan.bandRows, plan.windowRows);
    EXPECT_LT(plan.planes * plan.rows * plan.columns, kNoTarget);
    EXPECT_GE(plan.pitch, plan.inputColumns + plan.skew * ((plan.inputColumns - 1) / 32));
    EXPECT_GE(plan.planePitch, plan.inputRows * plan.pitch);
    const bool readsInput = !backward || one.params.mode == PoolMode::Max;
    const int input = readsInput ? 4 * plan.planes * plan.planePitch : 0;
    const int windows = plan.planes * plan.windowRows * plan.windowColumns;
    if (!backward) {
        EXPECT_GE(plan.sharedBytes, input);
        return;
    }
    const int elements = plan.planes * plan.rows * plan.columns;
    EXPECT_GE(plan.gradientsAt, std::max(input, plan.listed ? 2 * elements : 0)); // the list takes its place
    EXPECT_GE(plan.targetsAt, plan.gradientsAt + 4 * windows);
    EXPECT_GE(plan.rangesAt, plan.targetsAt + (readsInput ? 2 * windows : 0));
    EXPECT_GE(plan.chosenAt, plan.rangesAt + 4 * (1 + plan.rows + plan.columns));
    EXPECT_GE(plan.sharedBytes, plan.chosenAt + (plan.listed ? elements : 0));
}

TEST(PoolPatchPlan, FitsEveryDeviceAndHoldsAll) {
    std::mt19937 random(12);
    int planned = 0;
    while (planned < 2000 && !HasFailure()) {
        const PatchProblem one = drawnPatchProblem(random);
        if (!poolOutputShape(one.params, one.src).ok())
            continue;
        const KnownDevice& device =
            kKnownDevices[static_cast<std::size_t>(patchDrawn(random, 0, kKnownDevices.size() - 1))];
        for (const bool backward : {false, true}) {
            SCOPED_TRACE(patchText(one, backward, device));
            const auto plan = planPatches(one.params, one.src, backward, device.limits);
            ASSERT_TRUE(plan.has_value());
            EXPECT_LE(plan->sharedBytes, std::min(kPatchBytes, device.limits.sharedPerBlock));
            expectSoundPlan(one, backward, *plan);
            ++planned;
        }
    }
}

TEST(PoolPatchPlan, OfAnySizeThatFitsHoldsAll) {
    std::mt19937 random(15);
    int planned = 0;
    while (planned < 2000 && !HasFailure()) {
        const PatchProblem one = drawnPatchProblem(random);
        const auto out = poolOutputShape(one.params, one.src);
        if (!out.ok())
            continue;
        for (const bool backward : {false, true}) {
            const Shape4 all = backward ? one.src : *out;
            const bool whole = patchDrawn(random, 0, 1) == 0;
            const PatchSize size{whole ? static_cast<int>(patchDrawn(random, 1, 20)) : 1,
                                 static_cast<int>(whole ? all.h : patchDrawn(random, 1, all.h)),
                                 static_cast<int>(whole ? all.w : patchDrawn(random, 1, all.w))};
            const auto plan = planPatches(one.params, one.src, backward, DeviceLimits{}, size);
            if (!plan)
                continue;
            SCOPED_TRACE(patchText(one, backward, kKnownDevices.front()));
            EXPECT_LE(plan->sharedBytes, kPatchBytes);
            EXPECT_EQ(plan->planes, size.planes);
            EXPECT_EQ(plan->rows, size.rows);
            EXPECT_EQ(plan->columns, size.columns);
            expectSoundPlan(one, backward, *plan);
            ++planned;
        }
    }
}

TEST(PoolPatchPlan, PutsManySmallPlanesIntoAPatch) {
    PoolParams params;
    params.kernel = {7, 7}, params.stride = {1, 7}, params.padding = {0, 0, 1, 1};
    for (const KnownDevice& device : kKnownDevices)
        for (const bool backward : {false, true})
            EXPECT_GT(planPatches(params, {239, 227, 10, 10}, backward, device.limits)->planes, 4)
                << device.name;
}

TEST(PoolPatchPlan, OccupiesTheDeviceWithFewPlanes) {
    PoolParams params;
    params.kernel = {8, 8}, params.stride = {1, 1}, params.padding = {4, 4, 3, 3};
    for (const KnownDevice& device : kKnownDevices)
        EXPECT_GE(planPatches(params, {5, 44, 18, 67}, false, device.limits)->patches,
                  device.limits.multiprocessors)
            << device.name;
}

TEST(PoolPatchPlan, RefusesWhatOverlapsTooMuchOrFitsNoBlock) {
    PoolParams params;
    params.stride = {1, 1};
    params.kernel = {18, 2};
    EXPECT_FALSE(planPatches(params, {1, 1, 100, 100}, true, DeviceLimits{}).has_value());
    params.kernel = {2, 20000};
    params.stride = {2, 20000};
    EXPECT_FALSE(planPatches(params, {1, 1, 100, 30000}, false, DeviceLimits{}).has_value());
}

} // namespace
} // namespace heteroscope::compute::nvidia
