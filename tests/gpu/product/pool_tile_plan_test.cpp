// SPDX-License-Identifier: Apache-2.0
// How poolings are cut into tiles is decided without a GPU: every tile must fit, hold all that its rows of
// the result need, and leave out nothing of the result.
#include "compute/backends/nvidia/kernels/pool/pool_kernels.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile_plan.h"
#include "tests/gpu/product/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>

namespace heteroscope::compute::nvidia {
namespace {

struct TileProblem {
    PoolParams params;
    Shape4 src;
};

std::int64_t tileDrawn(std::mt19937& random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

TileProblem tileProblem(const Shape4& src, Extent2d kernel, Extent2d stride, std::int64_t padding = 0) {
    TileProblem one{{}, src};
    one.params.kernel = kernel, one.params.stride = stride;
    one.params.padding = {padding, padding, padding, padding};
    return one;
}

/// Planes that a tile holds whole or in part, some far wider than high, paddings up to the window's size.
TileProblem drawnTileProblem(std::mt19937& random) {
    TileProblem one;
    const std::int64_t most = tileDrawn(random, 0, 3) == 0 ? 200 : 12;
    one.params.mode = tileDrawn(random, 0, 2) == 0 ? PoolMode::Average : PoolMode::Max;
    one.params.kernel = {tileDrawn(random, 1, most), tileDrawn(random, 1, most)};
    one.params.stride = {tileDrawn(random, 1, 12), tileDrawn(random, 1, 12)};
    const Extent2d kernel = one.params.kernel;
    one.params.padding = {tileDrawn(random, 0, kernel.h - 1), tileDrawn(random, 0, kernel.h - 1),
                          tileDrawn(random, 0, kernel.w - 1), tileDrawn(random, 0, kernel.w - 1)};
    const std::int64_t wide = tileDrawn(random, 1, 4000);
    const std::int64_t high = tileDrawn(random, 1, tileDrawn(random, 1, 300));
    one.src = {tileDrawn(random, 1, 64), tileDrawn(random, 1, 1000), high, wide};
    if (tileDrawn(random, 0, 1) == 0)
        std::swap(one.src.h, one.src.w);
    return one;
}

/// What the kernels copy for a tile: rows of src and of dst.
struct TileCopies {
    std::int64_t src, windows;
};

TileCopies copiesOf(const TileProblem& one, TileKind kind, const TilePlan& plan, std::int64_t first) {
    const Shape4 out = *poolOutputShape(one.params, one.src);
    const std::int64_t kernel = one.params.kernel.h, stride = one.params.stride.h;
    const std::int64_t pad = one.params.padding.top, high = one.src.h;
    if (plan.bands == 1)
        return {high, out.h};
    const std::int64_t end = std::min(first + plan.rows, kind == TileKind::Backward ? high : out.h);
    if (kind == TileKind::Forward)
        return {std::min((end - 1) * stride - pad + kernel, high) -
                    std::max(first * stride - pad, std::int64_t{0}),
                0};
    if (kind == TileKind::Cells)
        return {(end == out.h ? high : end * stride - pad) - (first == 0 ? 0 : first * stride - pad),
                end - first};
    std::int64_t from = out.h, to = 0;
    for (std::int64_t window = 0; window < out.h; ++window)
        if (window * stride - pad < end && window * stride - pad + kernel > first)
            from = std::min(from, window), to = window + 1;
    if (from >= to)
        return {0, 0};
    return {std::min((to - 1) * stride - pad + kernel, high) - std::max(from * stride - pad, std::int64_t{0}),
            to - from};
}

/// A copy begins up to three floats late, and ends with a whole word of four.
std::int64_t roomFor(std::int64_t floats) {
    return (floats + 3 + 3) / 4 * 4;
}

void expectSoundTiles(const TileProblem& one, TileKind kind, const TilePlan& plan) {
    const Shape4 out = *poolOutputShape(one.params, one.src);
    const std::int64_t all = kind == TileKind::Backward ? one.src.h : out.h;
    const std::int64_t planes = one.src.n * one.src.c, largest = std::numeric_limits<std::int32_t>::max();
    EXPECT_LE(plan.sharedFloats, kTileFloats);
    EXPECT_GE(std::int64_t{plan.rows} * plan.bands, all);
    EXPECT_LT(std::int64_t{plan.rows} * (plan.bands - 1), all);
    EXPECT_TRUE(plan.bands == 1 || plan.planes == 1);
    EXPECT_EQ(plan.tiles, (planes + plan.planes - 1) / plan.planes * plan.bands);
    EXPECT_LE(std::int64_t{plan.planes} * plan.rows * std::max(out.w, one.src.w) + kTileBlock, largest);
    EXPECT_EQ(plan.gradientAt % 4, 0);
    EXPECT_EQ(plan.targetAt % 4, 0);
    const bool reads = kind == TileKind::Forward || one.params.mode == PoolMode::Max;
    for (std::int64_t band = 0; band < plan.bands; ++band) {
        const TileCopies copies = copiesOf(one, kind, plan, band * plan.rows);
        const std::int64_t windows = kind == TileKind::Forward ? 0 : copies.windows * out.w * plan.planes;
        EXPECT_GE(plan.gradientAt,
                  reads || kind == TileKind::Cells ? roomFor(copies.src * one.src.w * plan.planes) : 0);
        EXPECT_GE(plan.targetAt, plan.gradientAt + (windows > 0 ? roomFor(windows) : 0));
        EXPECT_GE(plan.sharedFloats, plan.targetAt + (kind == TileKind::Backward && reads ? windows : 0));
    }
}

TEST(PoolTilePlan, FitsEveryDeviceAndHoldsAll) {
    std::mt19937 random(13);
    int planned = 0;
    while (planned < 4000 && !HasFailure()) {
        const TileProblem one = drawnTileProblem(random);
        if (!poolOutputShape(one.params, one.src).ok())
            continue;
        for (const bool backward : {false, true}) {
            SCOPED_TRACE((backward ? "backward " : "forward ") + opDetail(PoolForward{one.params, one.src}));
            const auto plan = planTiles(one.params, one.src, tileKind(one.params, backward));
            EXPECT_EQ(plan.has_value(), hasTileKernel(one.params, one.src, backward));
            if (!plan)
                continue;
            expectSoundTiles(one, tileKind(one.params, backward), *plan);
            for (const auto& [name, device] : kKnownDevices) {
                EXPECT_LE(plan->sharedFloats * int(sizeof(float)), device.sharedPerBlock) << name;
                EXPECT_TRUE(std::isfinite(tileCycles(one.params, one.src, *plan, backward, device))) << name;
            }
            ++planned;
        }
    }
}

TEST(PoolTilePlan, OfGradientsThatFillABlocksMemoryIsNotLarger) {
    for (const TileProblem& one :
         {tileProblem({64, 64, 5, 1753}, {4, 1}, {2, 1}), tileProblem({64, 64, 6, 1534}, {4, 1}, {3, 1})}) {
        const auto plan = planTiles(one.params, one.src, TileKind::Backward);
        ASSERT_TRUE(plan.has_value());
        expectSoundTiles(one, TileKind::Backward, *plan);
    }
}

TEST(PoolTilePlan, CountsResultsThatPaddingMakesMoreThanTheInput) {
    for (const TileProblem& one : {tileProblem({1, 64, 7, 7}, {150, 150}, {1, 1}, 149),
                                   tileProblem({1, 1, 10, 10}, {600, 600}, {1, 1}, 599),
                                   tileProblem({1, 8176, 1, 1}, {600, 600}, {1, 1}, 599),
                                   tileProblem({1, 9, 110, 110}, {32767, 32767}, {1, 1}, 32766),
                                   tileProblem({1, 9, 12260, 1}, {32767, 32767}, {1, 1}, 32766)}) {
        SCOPED_TRACE(opDetail(PoolForward{one.params, one.src}));
        const auto plan = planTiles(one.params, one.src, TileKind::Forward);
        ASSERT_TRUE(plan.has_value());
        expectSoundTiles(one, TileKind::Forward, *plan);
        EXPECT_EQ(plan->byOutPlane.divisor, std::int64_t{plan->outHeight} * plan->outWidth);
    }
}

std::string wayOf(const TileProblem& one, bool backward, const DeviceLimits& device) {
    return poolKernelName(one.params, one.src, backward, device);
}

TEST(PoolChoice, TakesTilesOnlyWhereThoseOfTheirKindFit) {
    std::vector<TileProblem> problems{tileProblem({1, 64, 2, 3698}, {1, 1}, {27, 1}),
                                      tileProblem({1, 3, 160, 3842}, {2, 5}, {3, 5}),
                                      tileProblem({16, 3, 249, 129}, {6, 1}, {63, 1})};
    std::mt19937 random(14);
    while (problems.size() < 2000)
        if (const TileProblem one = drawnTileProblem(random); poolOutputShape(one.params, one.src).ok())
            problems.push_back(one);
    for (const TileProblem& one : problems)
        for (const auto& [name, device] : kKnownDevices)
            for (const bool backward : {false, true})
                if (wayOf(one, backward, device) == "cuda:pool:tiles") {
                    EXPECT_TRUE(hasTileKernel(one.params, one.src, backward))
                        << name << (backward ? " backward " : " forward ")
                        << opDetail(PoolForward{one.params, one.src});
                }
}

TEST(PoolChoice, GradientsOfMaximaOfManyOverlappingWindowsAreSeparable) {
    for (const auto& [name, device] : kKnownDevices) {
        TileProblem one = tileProblem({64, 64, 56, 56}, {19, 19}, {1, 1}, 9);
        EXPECT_EQ(wayOf(one, true, device), "cuda:pool:separable") << name;
        one.params.mode = PoolMode::Average;
        EXPECT_EQ(wayOf(one, true, device), "cuda:pool:tiles") << name;
        EXPECT_EQ(wayOf(one, false, device), "cuda:pool:tiles") << name;
    }
}

/// The kernel that took least on an H100, by more than a tenth; times in microseconds.
TEST(PoolChoice, IsWhatWasFastestOnAnH100) {
    struct Measured {
        TileProblem problem;
        bool backward;
        const char* fastest;
    };
    const Measured all[] = {
        {tileProblem({256, 256, 28, 28}, {5, 5}, {1, 1}, 2), true, "cuda:pool:k5s1"},   // 613; patches 804
        {tileProblem({64, 256, 56, 56}, {5, 5}, {1, 1}, 2), true, "cuda:pool:k5s1"},    // 476; 729
        {tileProblem({4, 64, 224, 224}, {5, 5}, {1, 1}, 2), true, "cuda:pool:k5s1"},    // 149; 208
        {tileProblem({16, 64, 28, 28}, {5, 5}, {1, 1}, 2), true, "cuda:pool:patches"},  // 19.0; strips 31.9
        {tileProblem({64, 64, 20, 20}, {5, 5}, {1, 1}, 2), true, "cuda:pool:patches"},  // 36.8; 63.8
        {tileProblem({32, 512, 13, 13}, {5, 5}, {1, 1}, 2), true, "cuda:pool:patches"}, // 53.6; 95.3
        {tileProblem({64, 64, 112, 112}, {13, 13}, {1, 1}, 6), true,
         "cuda:pool:separable"}, // 1,792; patches 2,251
        {tileProblem({1, 64, 28, 28}, {11, 11}, {1, 1}, 5), true, "cuda:pool:separable"},    // 11.5; 18.4
        {tileProblem({16, 64, 224, 224}, {17, 17}, {1, 1}, 8), true, "cuda:pool:separable"}, // 2,360; 3,156
        {tileProblem({32, 512, 13, 13}, {13, 13}, {1, 1}, 6), true,
         "cuda:pool:patches"}, // 120; separable 163
        {tileProblem({16, 64, 112, 112}, {13, 13}, {2, 2}, 6), true, "cuda:pool:patches"}, // 201; 233
        {tileProblem({256, 64, 112, 112}, {7, 7}, {2, 2}, 3), true, "cuda:pool:patches"},  // 1,716; 2,824
        {tileProblem({256, 512, 14, 14}, {2, 2}, {2, 2}), false, "cuda:pool:tiles"},   // 49.2; strips 57.5
        {tileProblem({512, 512, 7, 7}, {2, 2}, {2, 2}), false, "cuda:pool:tiles"},     // 25.1; 33.4
        {tileProblem({256, 256, 28, 28}, {5, 5}, {1, 1}, 2), false, "cuda:pool:k5s1"}, // 223; patches 320
    };
    const auto* h100 =
        std::find_if(kKnownDevices.begin(), kKnownDevices.end(),
                     [](const KnownDevice& device) { return device.name == std::string_view("H100"); });
    ASSERT_NE(h100, kKnownDevices.end());
    for (const Measured& one : all)
        EXPECT_EQ(wayOf(one.problem, one.backward, h100->limits), one.fastest)
            << (one.backward ? "backward " : "forward ")
            << opDetail(PoolForward{one.problem.params, one.problem.src});
}

} // namespace
} // namespace heteroscope::compute::nvidia
