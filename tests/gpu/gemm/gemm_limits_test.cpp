// SPDX-License-Identifier: Apache-2.0
// Names, limits and the choice of tiles: what needs no GPU.
#include "compute/backends/nvidia/cuda/gemm_kernels.h"
#include "compute/backends/nvidia/cuda/gemm_tiling_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::compute::nvidia {
namespace {

using register_gemm::chooseTiling;
using register_gemm::TilingChoice;
using testing::AllOf;
using testing::HasSubstr;

TEST(GemmNames, areReadAsTheyAreWritten) {
    for (const std::string_view name : {"guarded", "loops", "tiled", "block", "block-shared", "register"}) {
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
    EXPECT_THAT(gemmRefusal(GemmKernel::Loops, 1, std::int64_t(1) << 40, 1), HasSubstr("1073741824"));
    EXPECT_THAT(gemmRefusal(GemmKernel::Loops, 5, 0, 1), HasSubstr("n = 0"));
    EXPECT_THAT(gemmRefusal(GemmKernel::Loops, -5, 1, 1), HasSubstr("m = -5"));
}

TEST(GemmTiling, fillsTheGpuBeforeItTakesLargeTiles) {
    constexpr int kMultiprocessors = 132;
    EXPECT_EQ(chooseTiling(1, 1, kMultiprocessors), TilingChoice::Tiny);
    EXPECT_EQ(chooseTiling(256, 256, kMultiprocessors), TilingChoice::Tiny);
    EXPECT_EQ(chooseTiling(512, 512, kMultiprocessors), TilingChoice::Sliced);
    EXPECT_EQ(chooseTiling(1536, 1536, kMultiprocessors), TilingChoice::Small);
    EXPECT_EQ(chooseTiling(768, 1300, kMultiprocessors), TilingChoice::Medium);
    EXPECT_EQ(chooseTiling(4096, 4096, kMultiprocessors), TilingChoice::Large);
    EXPECT_EQ(chooseTiling(8192, 8192, kMultiprocessors), TilingChoice::Large);
    EXPECT_EQ(chooseTiling(1024, 1024, 8), TilingChoice::Large) << "a small GPU is filled sooner";
}

} // namespace
} // namespace heteroscope::compute::nvidia
