// SPDX-License-Identifier: Apache-2.0
// Launches of the small-window convolutions fit every device: plain arithmetic that needs no GPU.
#include "compute/backends/nvidia/network/window_conv.h"
#include "tests/gpu/product/devices.h"

#include <gtest/gtest.h>

#include <random>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kAsked = 96 * 1024; ///< what the kernels ask for at most
constexpr int kMostThreadsOfBlock = 1024, kMostBlocksYZ = 65535, kDraws = 2000;

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
    return drawn;
}

void expectFits(const LaunchShape& shape, const DeviceLimits& device) {
    EXPECT_LE(shape.sharedBytes, std::min(device.sharedPerBlock, kAsked));
    EXPECT_LE(shape.threads, kMostThreadsOfBlock);
    EXPECT_GE(shape.threads, 1);
    EXPECT_GE(shape.blocksX, 1U);
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
            if (takesWindowForward(params, src))
                expectFits(windowForwardShape(geometry, device.limits), device.limits), ++forward;
            if (takesWindowData(params, src))
                expectFits(windowDataShape(geometry, device.limits), device.limits), ++data;
            if (takesWindowWeights(params, src))
                expectFits(windowWeightsShape(geometry, device.limits), device.limits), ++weights;
        }
        if (HasFailure())
            return;
    }
    EXPECT_GT(forward, 1000);
    EXPECT_GT(data, 1000);
    EXPECT_GT(weights, 1000);
}

} // namespace
} // namespace heteroscope::compute::nvidia
