// SPDX-License-Identifier: Apache-2.0
// Which kernel computes a convolution is decided without a GPU, for every size that may be asked for.
#include "compute/backends/nvidia/kernels/conv/conv_direct.h"
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::compute::nvidia {
namespace {

DeviceLimits deviceOf(int multiprocessors) {
    DeviceLimits device;
    device.multiprocessors = multiprocessors;
    return device;
}

ConvBackwardData gradient(Shape4 src, std::int64_t filters, Extent2d kernel, Extent2d stride,
                          Padding2d padding = {}, std::int64_t groups = 1) {
    ConvParams params;
    params.filters = filters, params.kernel = kernel, params.stride = stride, params.padding = padding;
    params.groups = groups;
    return {params, src};
}

TEST(ConvChoice, StridesBeyondTheImageHaveAsManyPhasesAsRows) {
    for (const std::int64_t stride : {65536, 1 << 20, 536870911}) {
        const ConvBackwardData op = gradient({1, 1, 2, 2}, 1, {2, 2}, {stride, stride});
        EXPECT_EQ(networkRefusal(op), "");
        EXPECT_TRUE(std::isfinite(convCandidates(op, deviceOf(132)).front().cycles));
        EXPECT_TRUE(std::isfinite(directDataCycles({op.params, op.src}, deviceOf(132))));
    }
    const ConvBackwardData depthwise = gradient({1, 33, 2, 2}, 33, {2, 2}, {536870911, 536870911}, {}, 33);
    EXPECT_EQ(networkRefusal(depthwise), "");
}

TEST(ConvChoice, ManyImagesOfOnePixelFitAGrid) {
    for (const ConvBackwardData& op : {gradient({6291456, 1, 1, 1}, 1, {20, 20}, {255, 257}, {10, 9, 10, 9}),
                                       gradient({8388608, 1, 1, 1}, 1, {16, 16}, {255, 257}, {8, 7, 8, 7}),
                                       gradient({65536, 6144, 1, 1}, 1, {4, 4}, {255, 257}, {2, 1, 2, 1})})
        for (const int multiprocessors : {1, 14, 132}) {
            const ConvGeometry g(op.params, op.src);
            EXPECT_EQ(networkRefusal(op), "");
            EXPECT_TRUE(std::isfinite(gemmDataCycles(g, deviceOf(multiprocessors))));
        }
}

TEST(ConvChoice, TheMatrixOfColumnsStaysSmall) {
    const ConvBackwardData alexnet = gradient({128, 96, 27, 27}, 256, {5, 5}, {1, 1}, {2, 2, 2, 2});
    for (const int multiprocessors : {14, 46, 68, 132})
        for (const ConvCandidate& one : convCandidates(alexnet, deviceOf(multiprocessors)))
            if (std::isfinite(one.cycles)) {
                EXPECT_LE(convWorkspace(alexnet, one.kernel, deviceOf(multiprocessors)),
                          std::size_t{256} << 20);
            }
}

TEST(ConvChoice, LargeWindowsOfManyGroupsAreTakenOrRefusedInASentence) {
    EXPECT_EQ(networkRefusal(gradient({1, 60000, 8, 8}, 60000, {3, 3}, {1, 1}, {1, 1, 1, 1}, 60000)), "");
    const std::string refusal =
        networkRefusal(gradient({1, 600, 200, 200}, 600, {180, 180}, {1, 1}, {0, 0, 0, 0}, 600));
    EXPECT_TRUE(refusal.empty() || refusal.find("180x180 places in 600 groups") != std::string::npos)
        << refusal;
}

} // namespace
} // namespace heteroscope::compute::nvidia
