// SPDX-License-Identifier: Apache-2.0
// Names, limits and the choice of tiles: what needs no GPU.
#include "compute/backends/nvidia/kernels/gemm/gemm_kernels.h"
#include "compute/core/op.h"
#include "tests/gpu/product/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::compute::nvidia {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(GemmNames, areReadAsTheyAreWritten) {
    for (const std::string_view name : {"guarded", "loops", "tiled", "block", "block-shared", "register",
                                        "split-k", "skinny-m", "skinny-n", "skinny-k"}) {
        const auto kernel = gemmKernelFromName(name);
        ASSERT_TRUE(kernel) << name;
        EXPECT_EQ(gemmKernelName(*kernel), name);
    }
    EXPECT_FALSE(gemmKernelFromName("blocked"));
    EXPECT_FALSE(gemmKernelFromName(""));
}

TEST(GemmRefusal, namesTheLimitOfASingleBlock) {
    for (const GemmKernel kernel : {GemmKernel::Block, GemmKernel::BlockShared}) {
        EXPECT_EQ(gemmRefusal(kernel, 32, 32, 100000), "");
        EXPECT_EQ(gemmRefusal(kernel, 1, 1024, 1), "");
        EXPECT_EQ(gemmRefusal(kernel, 1024, 1, 1), "");
        EXPECT_THAT(gemmRefusal(kernel, 32, 33, 1),
                    AllOf(HasSubstr(gemmKernelName(kernel)), HasSubstr("1024"), HasSubstr("32 x 33")));
        EXPECT_NE(gemmRefusal(kernel, 1, 1025, 1), "");
        EXPECT_NE(gemmRefusal(kernel, 50, 50, 50), "");
    }
}

TEST(GemmRefusal, namesTheLimitsOfGridsAndSizes) {
    for (const GemmKernel kernel : {GemmKernel::Guarded, GemmKernel::Tiled}) {
        EXPECT_EQ(gemmRefusal(kernel, 65535 * 32, 1, 1), "");
        EXPECT_THAT(gemmRefusal(kernel, 65535 * 32 + 1, 1, 1), HasSubstr("2097120"));
    }
    EXPECT_EQ(gemmRefusal(GemmKernel::Loops, 65535 * 32 + 1, 1, 1), "");
    EXPECT_EQ(gemmRefusal(GemmKernel::Register, 1, 1, 1 << 26), "");
    EXPECT_THAT(gemmRefusal(GemmKernel::Register, 1, 1, (1 << 26) + 1), HasSubstr("67108864"));
    EXPECT_EQ(gemmRefusal(GemmKernel::SkinnyM, 16, 1000, 9), "");
    EXPECT_THAT(gemmRefusal(GemmKernel::SkinnyM, 17, 1000, 9),
                AllOf(HasSubstr("kernel=skinny-m"), HasSubstr("16 rows"), HasSubstr("17")));
    EXPECT_THAT(gemmRefusal(GemmKernel::SkinnyN, 1000, 17, 9),
                AllOf(HasSubstr("kernel=skinny-n"), HasSubstr("16 columns"), HasSubstr("17")));
    EXPECT_THAT(gemmRefusal(GemmKernel::SkinnyK, 1, 1, 1 << 27), HasSubstr("at most 64"));
    EXPECT_EQ(gemmRefusal(GemmKernel::SkinnyK, 1000, 1000, 64), "");
    EXPECT_THAT(gemmRefusal(GemmKernel::SkinnyK, 1000, 1000, 65), HasSubstr("at most 64 columns of A"));
    EXPECT_THAT(gemmRefusal(GemmKernel::SplitK, 9, 9, 255), HasSubstr("at least 256"));
    EXPECT_THAT(gemmRefusal(GemmKernel::Loops, 1, std::int64_t(1) << 40, 1), HasSubstr("1073741824"));
    EXPECT_THAT(gemmRefusal(GemmKernel::Loops, 5, 0, 1), HasSubstr("n = 0"));
    EXPECT_THAT(gemmRefusal(GemmKernel::Loops, -5, 1, 1), HasSubstr("m = -5"));
}

constexpr Gemm kSizes[] = {
    {1, 1, 1},          {1, 1, 65536},    {64, 64, 65536},         {1, 4096, 4096},    {4096, 1, 4096},
    {1023, 1027, 1025}, {16, 30890, 626}, {37136, 4, 37},          {8192, 8192, 8192}, {65536, 65536, 256},
    {17, 17, 1 << 26},  {512, 512, 512},  {1 << 30, 1 << 30, 300}, {128, 17, 1 << 26}};

TEST(GemmPlan, CoversEveryStepOfKAndCutsNoneEmpty) {
    for (const Gemm& size : kSizes)
        for (const auto& [name, device] : kKnownDevices) {
            const GemmPlan plan = planGemm(size.m, size.n, size.k, device);
            EXPECT_EQ(gemmRefusal(plan.kernel, size.m, size.n, size.k), "");
            EXPECT_GE(std::int64_t{plan.depth} * plan.slices, size.k) << name;
            EXPECT_LT(std::int64_t{plan.depth} * (plan.slices - 1), size.k) << name;
            EXPECT_LE(plan.slices, 65535) << name; // of a grid in y
            if (plan.kernel == GemmKernel::Register || plan.kernel == GemmKernel::SplitK) {
                const std::int64_t rows = kGemmTiles[std::size_t(plan.tile)].rows;
                EXPECT_LT((rows - 1) * size.k, std::int64_t{1} << 32) << name << ": offsets in a tile of A";
            }
            if (plan.slices > 1) {
                EXPECT_EQ(plan.depth % 32, 0) << "rows of A stay aligned to vectors";
            }
        }
}

TEST(GemmPlan, ScratchMemoryHoldsEverySliceAndIsBounded) {
    for (const Gemm& size : kSizes)
        for (const auto& [name, device] : kKnownDevices) {
            const GemmPlan plan = planGemm(size.m, size.n, size.k, device);
            const std::size_t bytes = gemmWorkspaceBytes(plan, size.m, size.n);
            const std::size_t slices = plan.slices == 1 ? 0 : std::size_t(size.m * size.n) * plan.slices;
            EXPECT_EQ(bytes, slices * sizeof(float));
            EXPECT_LE(slices, std::size_t{16} << 20) << name;
        }
}

TEST(GemmPlan, FillsTheDeviceBeforeItTakesLargeTiles) {
    const DeviceLimits h100{90, 132};
    EXPECT_EQ(planGemm(4096, 4096, 4096, h100).tile, GemmTile::Large);
    EXPECT_EQ(planGemm(8192, 8192, 8192, h100).kernel, GemmKernel::Register);
    EXPECT_EQ(planGemm(1536, 1536, 1536, h100).tile, GemmTile::Small) << "nothing is won by slices";
    EXPECT_EQ(planGemm(GemmKernel::Register, 256, 256, 256, h100).tile, GemmTile::Tiny);
    EXPECT_GE(planGemm(64, 64, 65536, h100).slices, 32);
    EXPECT_EQ(planGemm(1, 4096, 4096, h100).kernel, GemmKernel::SkinnyM);
    EXPECT_EQ(planGemm(4096, 1, 4096, h100).kernel, GemmKernel::SkinnyN);
}

/// On an H200 these took 1.36 to 1.95 times as long with as few slices as fill the device with one block
/// each.
TEST(GemmPlan, GivesEachMultiprocessorSeveralBlocksOfFewRowsOrColumns) {
    const DeviceLimits h200{90, 132};
    const auto blocksEach = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
        const GemmPlan plan = planGemm(m, n, k, h200);
        const bool rows = plan.kernel == GemmKernel::SkinnyM;
        EXPECT_TRUE(rows || plan.kernel == GemmKernel::SkinnyN) << m << 'x' << n << 'x' << k;
        const std::int64_t tiles =
            rows ? (n + kSkinnyMColumns - 1) / kSkinnyMColumns : (m + kSkinnyNRows - 1) / kSkinnyNRows;
        return double(tiles * plan.slices) / h200.multiprocessors;
    };
    EXPECT_GE(blocksEach(1, 3889, 7080), 1.8);
    EXPECT_GE(blocksEach(1, 2766, 34389), 1.8);
    EXPECT_GE(blocksEach(1, 277, 52476), 1.8);
    EXPECT_GE(blocksEach(273, 1, 21266), 1.6);
    EXPECT_LE(blocksEach(2140, 2, 99), 1) << "over before more blocks have begun";
}

TEST(GemmPlan, TakesTheKernelForFewStepsOfKWhereOperandsAreLong) {
    const DeviceLimits h200{90, 132};
    for (const Gemm& size : {Gemm{56121, 1285, 22}, Gemm{49279, 1883, 37}, Gemm{18635, 6483, 16}})
        EXPECT_EQ(planGemm(size.m, size.n, size.k, h200).kernel, GemmKernel::SkinnyK) << size.m;
}

} // namespace
} // namespace heteroscope::compute::nvidia
