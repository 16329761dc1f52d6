// SPDX-License-Identifier: Apache-2.0
// Gradients of the weights of convolutions as implicit matrix products over all pixels of the batch.
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/conv/conv_operands.cuh"

#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

/// rows: channel, window row, window column; k: output pixels of the batch.
struct InputUnderWindow {
    static constexpr bool kFast = true, kWhole = false, kEnds = true, kCheap = false;
    using Row = Place;
    ConvGeometry g;
    const float* src;

    __device__ void select(unsigned group) { src += std::size_t(group) * g.groupChannels * g.plane.divisor; }
    __device__ Row row(unsigned index) const {
        const auto place = WindowOrder<false>::of(g, index);
        const int down = place.i * g.dilationH - g.top, right = place.j * g.dilationW - g.left;
        return {int(place.channel * g.plane.divisor) + down * g.width + right, down, right};
    }
    __device__ Place step(unsigned pixel) const {
        const unsigned image = g.outPlane.split(pixel), y = g.outRow.split(pixel);
        const int down = int(y) * g.strideH, right = int(pixel) * g.strideW;
        return {int(image) * g.channels * int(g.plane.divisor) + down * g.width + right, down, right};
    }
    __device__ Source at(const Row& row, const Place& step) const {
        const bool inside =
            unsigned(row.y + step.y) < unsigned(g.height) && unsigned(row.x + step.x) < unsigned(g.width);
        return {src + (row.offset + step.offset), inside};
    }
};

/// rows: filters; k: output pixels of the batch.
struct GradientOfFilter {
    static constexpr bool kFast = true, kWhole = false, kEnds = true, kCheap = false;
    using Row = unsigned;
    ConvGeometry g;
    const float* dstGrad;

    __device__ void select(unsigned group) {
        dstGrad += std::size_t(group) * g.groupFilters * g.outPlane.divisor;
    }
    __device__ Row row(unsigned filter) const { return filter * g.outPlane.divisor; }
    __device__ unsigned step(unsigned pixel) const {
        const unsigned image = g.outPlane.split(pixel);
        return image * unsigned(g.filters) * g.outPlane.divisor + pixel;
    }
    __device__ Source at(Row row, unsigned step) const { return {dstGrad + (row + step), true}; }
};

ProductSize weightsSize(const ConvGeometry& g) {
    return {g.groupFilters, g.groupChannels * g.windowElements(), g.outPixels(), g.groups};
}

} // namespace

std::string_view gemmWeightsRefusal(const ConvGeometry& g) {
    return g.groups > kMostGroups ? kTooManyGroups : std::string_view();
}

double gemmWeightsCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!gemmWeightsRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    return 0.94 * planProduct(weightsSize(g), device).cycles + 156 * g.operandMegabytes() + 7900;
}

std::size_t gemmWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return productWorkspace(weightsSize(g), device);
}

cudaError_t gemmBackwardWeights(const ConvGeometry& g, const KernelOperands& o) {
    const ProductSize size = weightsSize(g);
    return launchSized<false>(
        size, GradientOfFilter{g, o.src[1]}, InputUnderWindow{g, o.src[0]},
        PlainResult{o.dst[0], std::size_t(size.n), {}, std::size_t(size.m) * std::size_t(size.n)}, o);
}

} // namespace heteroscope::compute::nvidia
