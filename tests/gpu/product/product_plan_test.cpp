// SPDX-License-Identifier: Apache-2.0
// How products are cut: plain arithmetic that needs no GPU.
#include "compute/backends/nvidia/kernels/gemm/product_plan.h"
#include "tests/gpu/product/devices.h"

#include <gtest/gtest.h>

#include <array>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::array kSizes{ProductSize{1, 1, 1},          ProductSize{245, 4096, 4096},
                            ProductSize{10, 4096, 245},    ProductSize{64, 262144, 147},
                            ProductSize{4096, 4096, 245},  ProductSize{1, 1, 1 << 20},
                            ProductSize{8, 100, 300, 500}, ProductSize{512, 49, 4608}};

TEST(ProductPlan, SlicesCoverEveryStepAndNoneIsEmpty) {
    for (const ProductSize& size : kSizes)
        for (const auto& [name, device] : kKnownDevices) {
            const ProductCut cut = planProduct(size, device).cut;
            const std::int64_t each = std::int64_t{cut.stepsPerSlice} * kTileSteps;
            EXPECT_GE(each * cut.slices, size.k) << size.m << " x " << size.n << " x " << size.k;
            EXPECT_LT(each * (cut.slices - 1), size.k) << size.m << " x " << size.n << " x " << size.k;
        }
}

TEST(ProductPlan, ScratchMemoryHoldsTheResultsOfEverySlice) {
    for (const ProductSize& size : kSizes)
        for (const auto& [name, device] : kKnownDevices) {
            const ProductCut cut = planProduct(size, device).cut;
            const std::int64_t results = size.m * size.n * size.groups * std::int64_t{sizeof(float)};
            EXPECT_EQ(productWorkspace(size, device),
                      cut.slices == 1 ? 0U : static_cast<std::size_t>(results) * cut.slices);
        }
}

TEST(ProductPlan, FewTilesAreSlicedUntilTheDeviceIsFull) {
    const DeviceLimits h100{90, 132};
    const ProductCut cut = planProduct({245, 4096, 4096}, h100).cut;
    EXPECT_GE(cut.tilesM * cut.tilesN * cut.slices, 132U);
    EXPECT_EQ(planProduct({4096, 4096, 64}, h100).cut.slices, 1U);
    EXPECT_GT(planProduct({335, 12, 48841}, h100).cut.slices, 64U); // gradients of few weights
}

TEST(ProductPlan, SlicesOfAllGroupsFitAGrid) {
    for (const std::int64_t groups : {1, 125, 126, 500})
        for (const auto& [name, device] : kKnownDevices) {
            const ProductCut cut = planProduct({1, 1, 1 << 20, groups}, device).cut;
            EXPECT_LE(cut.slices * groups, 65535) << name << ", " << groups;
        }
}

TEST(ProductPlan, OtherTilesAreTakenOnlyWhereTheyAreAskedFor) {
    const DeviceLimits& h100 = kKnownDevices[4].limits;
    const auto tile = [&](std::int64_t m, std::int64_t n, auto ask) {
        ProductSize size{m, n, 720};
        const TileChoice plain = planProduct(size, h100).tile;
        EXPECT_TRUE(plain == TileChoice::Large || plain == TileChoice::Middle || plain == TileChoice::Small);
        ask(size);
        return planProduct(size, h100).tile;
    };
    EXPECT_EQ(tile(64, 156492, [](ProductSize& size) { size.half = size.packed = true; }), TileChoice::Half);
    EXPECT_EQ(tile(45, 156492, [](ProductSize& size) { size.packed = true; }), TileChoice::Rows48);
    EXPECT_EQ(tile(12, 156492, [](ProductSize& size) { size.flat = true; }), TileChoice::Flat);
    EXPECT_EQ(tile(156492, 12, [](ProductSize& size) { size.narrow = true; }), TileChoice::Narrow);
    EXPECT_EQ(rowsOfTile(TileChoice::Half) * 2, rowsOfTile(TileChoice::Large));
}

TEST(ProductPlan, SlicesThatSumRowsHaveRoomForTheSums) {
    const DeviceLimits& h100 = kKnownDevices[4].limits;
    for (const std::int64_t n : {1, 3, 4, 72}) {
        EXPECT_GE(columnOfSums(n), n);
        EXPECT_EQ(columnOfSums(n) % 4, 0) << "vectors that hold the last columns end before";
        EXPECT_GT(columnsOfSlice(n, true), columnOfSums(n));
        EXPECT_EQ(columnsOfSlice(n, true) % 4, 0) << "rows are written as vectors";
        EXPECT_EQ(columnsOfSlice(n, false), n);
        ProductSize size{64, n, 1 << 20};
        const std::size_t plain = productWorkspace(size, h100);
        size.rowSums = true;
        EXPECT_EQ(productWorkspace(size, h100) / std::size_t(columnsOfSlice(n, true)),
                  plain / std::size_t(n));
    }
}

} // namespace
} // namespace heteroscope::compute::nvidia
