// SPDX-License-Identifier: Apache-2.0
// Which kernel computes a convolution is decided without a GPU, for every size that may be asked for.
#include "compute/backends/nvidia/kernels/conv/conv_direct.h"
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/conv/conv_packed.h"
#include "compute/backends/nvidia/kernels/conv/conv_scaling.h"
#include "compute/backends/nvidia/kernels/conv/conv_winograd.h"
#include "tests/gpu/product/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

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

TEST(ConvChoice, LargeWindowsOfManyGroupsAreTakenWithoutProducts) {
    for (const ConvBackwardData& op :
         {gradient({1, 60000, 8, 8}, 60000, {3, 3}, {1, 1}, {1, 1, 1, 1}, 60000),
          gradient({1, 600, 200, 200}, 600, {180, 180}, {1, 1}, {0, 0, 0, 0}, 600)}) {
        EXPECT_EQ(networkRefusal(op), "");
        const std::vector<ConvCandidate> candidates = convCandidates(op, deviceOf(1));
        EXPECT_EQ(candidates.front().kernel, ConvKernel::Direct);
        EXPECT_TRUE(std::isfinite(candidates.front().cycles));
        for (const ConvCandidate& one : candidates)
            EXPECT_EQ(std::isfinite(one.cycles), one.refusal.empty()) << one.refusal;
    }
}

TEST(ConvChoice, DepthwiseWindowsOfOnePlaceAreScaledOnEveryDevice) {
    const ConvBackwardData op = gradient({68, 1006, 19, 19}, 1006, {1, 1}, {1, 1}, {}, 1006);
    for (const auto& [name, device] : kKnownDevices) {
        SCOPED_TRACE(name);
        EXPECT_EQ(convCandidates(op, device).front().kernel, ConvKernel::Scaling);
        EXPECT_EQ(convCandidates(ConvForward{op.params, op.src}, device).front().kernel, ConvKernel::Scaling);
        EXPECT_EQ(convWorkspace(op, ConvKernel::Scaling, device), 0U);
    }
}

TEST(ConvChoice, ScalingTellsWhichWindowsAndGroupsItTakes) {
    const auto of = [](const ConvBackwardData& op) { return ConvGeometry(op.params, op.src); };
    EXPECT_EQ(scalingDataRefusal(of(gradient({1, 4, 8, 8}, 4, {1, 1}, {1, 1}, {}, 4))), "");
    EXPECT_EQ(scalingDataRefusal(of(gradient({1, 4, 8, 8}, 4, {1, 2}, {1, 1}, {}, 4))),
              "it takes 1x1 kernels");
    EXPECT_EQ(scalingDataRefusal(of(gradient({1, 2, 8, 8}, 32, {1, 1}, {1, 1}, {}, 2))), "");
    EXPECT_EQ(scalingDataRefusal(of(gradient({1, 2, 8, 8}, 34, {1, 1}, {1, 1}, {}, 2))),
              "it takes groups that read at most 16 planes");
    EXPECT_EQ(scalingForwardRefusal(of(gradient({1, 2, 8, 8}, 34, {1, 1}, {1, 1}, {}, 2))), "");
}

TEST(ConvChoice, LargeForwardProductsPackTheirWeightsOnEveryDevice) {
    const ConvBackwardData op = gradient({32, 96, 27, 27}, 256, {5, 5}, {1, 1}, {2, 2, 2, 2});
    const ConvForward forward{op.params, op.src};
    const auto weightBytes = std::size_t{256} * 96 * 25 * sizeof(float);
    for (const auto& [name, device] : kKnownDevices) {
        SCOPED_TRACE(name);
        const std::vector<ConvCandidate> candidates = convCandidates(forward, device);
        EXPECT_EQ(std::find_if(candidates.begin(), candidates.end(),
                               [](const ConvCandidate& one) { return !transforms(one.kernel); })
                      ->kernel,
                  ConvKernel::Packed);
        EXPECT_GE(convWorkspace(forward, ConvKernel::Packed, device), weightBytes);
        EXPECT_GE(convWorkspace(op, ConvKernel::Packed, device), weightBytes);
    }
}

TEST(ConvChoice, PackedProductsTellWhichLimitRefuses) {
    const auto of = [](const ConvBackwardData& op) { return ConvGeometry(op.params, op.src); };
    const ConvGeometry strided = of(gradient({1, 64, 56, 56}, 64, {3, 3}, {9, 8}));
    EXPECT_EQ(packedDataRefusal(strided), "it takes strides of at most 64 phases");
    EXPECT_EQ(packedForwardRefusal(strided), "");
    EXPECT_EQ(packedDataRefusal(of(gradient({1, 64, 56, 56}, 64, {3, 3}, {8, 8}))), "");
    EXPECT_EQ(packedForwardRefusal(of(gradient({1, 64, 56, 56}, 64, {16, 16}, {1, 1}))), "");
    EXPECT_EQ(packedForwardRefusal(of(gradient({1, 64, 56, 56}, 64, {16, 17}, {1, 1}))),
              "it takes kernels of at most 256 elements");
    EXPECT_EQ(packedForwardRefusal(of(gradient({1, 2048, 8, 8}, 2048, {3, 3}, {1, 1}))),
              "it takes weights of at most 128 MiB");
    EXPECT_EQ(packedForwardRefusal(of(gradient({1, 501, 8, 8}, 501, {3, 3}, {1, 1}, {}, 501))),
              kTooManyGroups);
}

TEST(ConvChoice, TransformedProductsTellWhichLimitRefuses) {
    const auto of = [](const ConvBackwardData& op) { return ConvGeometry(op.params, op.src); };
    for (const std::int64_t window : {3, 5})
        for (const std::int64_t padding : {0, 1, 9}) {
            const ConvGeometry g = of(gradient({2, 64, 56, 56}, 64, {window, window}, {1, 1},
                                               {padding, padding, padding, padding}));
            EXPECT_EQ(winogradForwardRefusal(g), "");
            EXPECT_EQ(winogradDataRefusal(g), "");
        }
    const std::string_view other = "it takes 3x3 and 5x5 kernels, strides and dilations of 1 and one group";
    EXPECT_EQ(winogradForwardRefusal(of(gradient({1, 64, 56, 56}, 64, {3, 5}, {1, 1}))), other);
    EXPECT_EQ(winogradForwardRefusal(of(gradient({1, 64, 56, 56}, 64, {3, 3}, {1, 2}))), other);
    EXPECT_EQ(winogradForwardRefusal(of(gradient({1, 64, 56, 56}, 64, {3, 3}, {1, 1}, {}, 2))), other);
    EXPECT_EQ(winogradForwardRefusal(of(gradient({1, 1024, 8, 8}, 1024, {3, 3}, {1, 1}))),
              "it takes transformed weights, and those of 128 tiles, of at most 128 MiB");
}

/// Scratch memory is bounded however many images there are, and holds weights and one round of tiles.
TEST(ConvChoice, TransformedTilesAreTakenSomeAtATime) {
    for (const auto& [name, device] : kKnownDevices) {
        SCOPED_TRACE(name);
        for (const std::int64_t images : {1, 16, 256}) {
            const ConvBackwardData op = gradient({images, 64, 224, 224}, 64, {3, 3}, {1, 1}, {1, 1, 1, 1});
            const std::size_t bytes = convWorkspace(op, ConvKernel::Winograd, device);
            EXPECT_LE(bytes, std::size_t{48} << 20) << images;
            EXPECT_EQ(bytes, convWorkspace(ConvForward{op.params, op.src}, ConvKernel::Winograd, device));
        }
    }
}

/// Sizes from 1 on that together stay below 2^31 elements.
ConvBackwardData drawnConvolution(std::mt19937& random) {
    const auto upTo = [&](std::int64_t most) { // as many small ones as large ones
        const double bits = std::uniform_real_distribution<double>(0, std::log2(double(most) + 1))(random);
        return std::clamp(static_cast<std::int64_t>(std::exp2(bits)), std::int64_t{1}, most);
    };
    std::int64_t room = std::numeric_limits<std::int32_t>::max();
    const auto take = [&](std::int64_t most) {
        const std::int64_t size = upTo(std::min(most, room));
        room /= size;
        return size;
    };
    const std::int64_t groups = take(room), channels = groups * take(64);
    const Shape4 src{take(room), channels, take(room), take(room)};
    const Extent2d kernel{upTo(src.h), upTo(src.w)};
    return gradient(src, groups * upTo(64), kernel, {upTo(1 << 20), upTo(1 << 20)}, {}, groups);
}

TEST(ConvChoice, WhateverIsNotRefusedHasAKernel) {
    std::mt19937 random(16);
    int asked = 0;
    while (asked < 2000 && !HasFailure()) {
        const ConvBackwardData op = drawnConvolution(random);
        SCOPED_TRACE(opDetail(op));
        const ConvForward forward{op.params, op.src};
        const ConvBackwardWeights weights{op.params, op.src};
        if (!networkRefusal(op).empty() || !networkRefusal(weights).empty())
            continue;
        for (const int multiprocessors : {1, 132}) {
            const DeviceLimits device = deviceOf(multiprocessors);
            EXPECT_EQ(convCandidates(op, device).front().refusal, "");
            EXPECT_EQ(convCandidates(forward, device).front().refusal, "");
            EXPECT_EQ(convCandidates(weights, device).front().refusal, "");
        }
        ++asked;
    }
}

} // namespace
} // namespace heteroscope::compute::nvidia
