// SPDX-License-Identifier: Apache-2.0
// Convolutions as implicit matrix products: weights times the input under the windows.
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/conv/conv_operands.cuh"

#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

/// rows: filters; k: channel and place in the window.
template <bool Whole>
struct WeightsOfFilter {
    static constexpr bool kFast = true, kWhole = false, kEnds = !Whole, kCheap = false;
    using Row = unsigned;
    ConvGeometry g;
    const float* weights;

    __device__ void select(unsigned group) {
        weights += std::size_t(group) * g.groupFilters * g.groupChannels * g.window.divisor;
    }
    __device__ Row row(unsigned filter) const {
        return filter * unsigned(g.groupChannels) * g.window.divisor;
    }
    __device__ unsigned step(unsigned k) const {
        if constexpr (!Whole)
            return k;
        unsigned place = k / kTileSteps;
        const unsigned channel = g.window.split(place) * kTileSteps + k % kTileSteps;
        return channel * g.window.divisor + place;
    }
    __device__ Source at(Row row, unsigned step) const { return {weights + (row + step), true}; }
};

/// rows: output pixels of the batch; k: channel and place in the window.
template <bool Whole>
struct InputUnderPixels {
    static constexpr bool kFast = false, kWhole = Whole, kEnds = !Whole, kCheap = false;
    using Row = Place;
    using Step = typename WindowOrder<Whole>::Step;
    ConvGeometry g;
    const float* src;

    __device__ void select(unsigned group) { src += std::size_t(group) * g.groupChannels * g.plane.divisor; }
    __device__ Row row(unsigned pixel) const {
        const unsigned image = g.outPlane.split(pixel), y = g.outRow.split(pixel);
        const int top = int(y) * g.strideH - g.top, left = int(pixel) * g.strideW - g.left;
        return {int(image) * g.channels * int(g.plane.divisor) + top * g.width + left, top, left};
    }
    __device__ Step step(unsigned k) const { return WindowOrder<Whole>::of(g, k); }
    __device__ Step tile(unsigned k) const { return WindowOrder<Whole>::of(g, k); }
    __device__ std::size_t stride() const { return g.plane.divisor; }
    __device__ Source at(const Row& row, const Step& step) const {
        const int down = step.i * g.dilationH, right = step.j * g.dilationW;
        const bool inside =
            unsigned(row.y + down) < unsigned(g.height) && unsigned(row.x + right) < unsigned(g.width);
        return {src + (row.offset + int(step.channel * g.plane.divisor) + down * g.width + right), inside};
    }
};

ProductSize forwardSize(const ConvGeometry& g) {
    return {g.groupFilters, g.outPixels(), g.groupChannels * g.windowElements(), g.groups,
            !inWholeTiles(g.groupChannels)};
}

template <bool Whole>
cudaError_t launchForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    const PlanesOfBatch store{o.dst[0], epilogue, g.outPlane, unsigned(g.filters) * g.outPlane.divisor,
                              unsigned(g.groupFilters)};
    return launchSized<!Whole>(forwardSize(g), WeightsOfFilter<Whole>{g, o.src[1]},
                               InputUnderPixels<Whole>{g, o.src[0]}, store, o);
}

} // namespace

std::string_view gemmForwardRefusal(const ConvGeometry& g) {
    return g.groups > kMostGroups ? kTooManyGroups : std::string_view();
}

double gemmForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!gemmForwardRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    const double product = planProduct(forwardSize(g), device).cycles;
    return product * (inWholeTiles(g.groupChannels) ? 0.94 : 0.98) + 248 * g.operandMegabytes() + 5300;
}

std::size_t gemmForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return productWorkspace(forwardSize(g), device);
}

cudaError_t gemmForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return inWholeTiles(g.groupChannels) ? launchForward<true>(g, epilogue, o)
                                         : launchForward<false>(g, epilogue, o);
}

} // namespace heteroscope::compute::nvidia
