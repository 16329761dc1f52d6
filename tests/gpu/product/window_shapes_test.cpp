// SPDX-License-Identifier: Apache-2.0
// Launches of the small-window convolutions fit every device: plain arithmetic that needs no GPU.
#include "compute/backends/nvidia/kernels/conv/window_conv.h"
#include "tests/gpu/product/devices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kAsked = 96 * 1024; ///< what the kernels ask for at most
constexpr int kMostThreadsOfBlock = 1024, kMostBlocksYZ = 65535, kDraws = 2000;
constexpr std::size_t kMostPartialBytes = 64 << 20; ///< of what blocks of gradients of weights leave

struct Drawn {
    ConvParams params;
    Shape4 src;
};

Drawn draw(std::mt19937& random) {
    const auto from = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    Drawn drawn;
    const std::int64_t kernel = from(0, 1) == 0 ? 3 : 5;
    drawn.params.kernel = {kernel, kernel};
    drawn.params.padding = {from(0, kernel - 1), from(0, kernel - 1), from(0, kernel - 1),
                            from(0, kernel - 1)};
    drawn.params.filters = from(1, 200);
    drawn.src = {from(1, 300), from(1, 200), from(kernel, 300), from(kernel, 300)};
    if (from(0, 1) == 0) { // a few pixels of many channels, with all the padding that they need
        const std::int64_t half = kernel / 2;
        drawn.params.padding = {half, half, half, half};
        drawn.params.filters = from(1, 2048);
        drawn.src = {from(1, 300), from(1, 2048), from(1, 8), from(1, 8)};
    }
    return drawn;
}

ConvGeometry padded(std::int64_t filters, const Shape4& src) {
    ConvParams params;
    params.kernel = {3, 3};
    params.padding = {1, 1, 1, 1};
    params.filters = filters;
    return {params, src};
}

void expectFits(const LaunchShape& shape, const DeviceLimits& device) {
    EXPECT_GE(shape.sharedBytes, 0);
    EXPECT_LE(shape.sharedBytes, std::min(device.sharedPerBlock, kAsked));
    EXPECT_LE(shape.threads, kMostThreadsOfBlock);
    EXPECT_GE(shape.threads, 1);
    EXPECT_GE(shape.blocksX, 1U);
    EXPECT_LE(shape.blocksX, unsigned(std::numeric_limits<int>::max()));
    EXPECT_LE(shape.blocksY, unsigned(kMostBlocksYZ));
    EXPECT_LE(shape.blocksZ, unsigned(kMostBlocksYZ));
}

TEST(WindowShapes, FitEveryDevice) {
    std::mt19937 random(75);
    int forward = 0, data = 0, weights = 0;
    for (int i = 0; i < kDraws; ++i) {
        const auto [params, src] = draw(random);
        SCOPED_TRACE("kernel " + std::to_string(params.kernel.h) + ", " + std::to_string(params.filters) +
                     " filters, " + std::to_string(src.n) + "x" + std::to_string(src.c) + "x" +
                     std::to_string(src.h) + "x" + std::to_string(src.w));
        const ConvGeometry geometry(params, src);
        for (const KnownDevice& device : kKnownDevices) {
            SCOPED_TRACE(device.name);
            if (std::isfinite(windowForwardCycles(geometry, device.limits)))
                expectFits(windowForwardShape(geometry, device.limits), device.limits), ++forward;
            if (std::isfinite(windowDataCycles(geometry, device.limits)))
                expectFits(windowDataShape(geometry, device.limits), device.limits), ++data;
            if (std::isfinite(windowWeightsCycles(geometry, device.limits)))
                expectFits(windowWeightsShape(geometry, device.limits), device.limits), ++weights;
        }
        if (HasFailure())
            return;
    }
    EXPECT_GT(forward, 1000);
    EXPECT_GT(data, 1000);
    EXPECT_GT(weights, 1000);
}

TEST(WindowShapes, OfTheLargestProblemsAreNoneOrFit) {
    const ConvGeometry problems[] = {padded(1009, {1 << 21, 1009, 1, 1}),
                                     padded(1, {1, 1, 1, 100'000'000}),
                                     padded(1, {1, 1, 100'000'000, 1}),
                                     padded(1, {1, 1, 20'000, 32'768}),
                                     padded(1024, {1, 1, 30'000, 100}),
                                     padded(1, {1 << 21, 1000, 1, 1}),
                                     padded(1, {std::numeric_limits<int>::max(), 1, 1, 1})};
    for (const ConvGeometry& geometry : problems)
        for (const KnownDevice& device : kKnownDevices) {
            SCOPED_TRACE(device.name);
            if (std::isfinite(windowForwardCycles(geometry, device.limits)))
                expectFits(windowForwardShape(geometry, device.limits), device.limits);
            if (std::isfinite(windowDataCycles(geometry, device.limits)))
                expectFits(windowDataShape(geometry, device.limits), device.limits);
            if (std::isfinite(windowWeightsCycles(geometry, device.limits))) {
                expectFits(windowWeightsShape(geometry, device.limits), device.limits);
                EXPECT_GT(windowWeightsCycles(geometry, device.limits), 0);
                EXPECT_LE(windowWeightsWorkspace(geometry, device.limits), kMostPartialBytes);
            }
        }
}

} // namespace
} // namespace heteroscope::compute::nvidia
