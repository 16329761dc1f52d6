// SPDX-License-Identifier: Apache-2.0
// Gradients of the input of convolutions as implicit matrix products: turned weights times the gradient over
// the pixels.
#include "compute/backends/nvidia/network/conv_kernels.h"
#include "compute/backends/nvidia/network/conv_operands.cuh"

namespace heteroscope::compute::nvidia {
namespace {

/// rows: channels; k: filter and place in the window.
template <bool Whole>
struct WeightsOfChannel {
    static constexpr bool kFast = true, kWhole = false, kEnds = !Whole, kCheap = false;
    using Row = unsigned;
    ConvGeometry g;
    const float* weights;

    __device__ void select(unsigned group) {
        weights += std::size_t(group) * g.groupFilters * g.groupChannels * g.window.divisor;
    }
    __device__ Row row(unsigned channel) const { return channel * g.window.divisor; }
    __device__ unsigned step(unsigned k) const {
        unsigned place = Whole ? k / kTileSteps : k;
        unsigned filter = g.window.split(place);
        if constexpr (Whole)
            filter = filter * kTileSteps + k % kTileSteps;
        return filter * unsigned(g.groupChannels) * g.window.divisor + place;
    }
    __device__ Source at(Row row, unsigned step) const { return {weights + (row + step), true}; }
};

/// rows: input pixels of the batch; k: filter and place in the window.
template <bool Whole>
struct GradientOverPixels {
    static constexpr bool kFast = false, kWhole = Whole, kEnds = !Whole, kCheap = false;
    using Row = Place;
    using Step = typename WindowOrder<Whole>::Step;
    ConvGeometry g;
    const float* dstGrad;

    __device__ void select(unsigned group) {
        dstGrad += std::size_t(group) * g.groupFilters * g.outPlane.divisor;
    }
    __device__ Row row(unsigned pixel) const {
        const unsigned image = g.plane.split(pixel), y = g.row.split(pixel);
        return {int(image) * g.filters * int(g.outPlane.divisor), int(y) + g.top, int(pixel) + g.left};
    }
    __device__ Step step(unsigned k) const { return WindowOrder<Whole>::of(g, k); }
    __device__ Step tile(unsigned k) const { return WindowOrder<Whole>::of(g, k); }
    __device__ std::size_t apart() const { return g.outPlane.divisor; }
    __device__ Source at(const Row& row, const Step& step) const {
        const int y = ConvGeometry::outputOver(row.y - step.i * g.dilationH, g.overStrideH, g.outHeight);
        const int x = ConvGeometry::outputOver(row.x - step.j * g.dilationW, g.overStrideW, g.outWidth);
        return {dstGrad + (row.offset + int(step.channel * g.outPlane.divisor) + y * g.outWidth + x),
                y >= 0 && x >= 0};
    }
};

ProductSize dataSize(const ConvGeometry& g) {
    return {g.groupChannels, g.pixels(), g.groupFilters * g.windowElements(), g.groups,
            !inWholeTiles(g.groupFilters)};
}

template <bool Whole>
cudaError_t launchData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    const PlanesOfBatch store{o.dst[0], epilogue, g.plane, unsigned(g.channels) * g.plane.divisor,
                              unsigned(g.groupChannels)};
    return launchSized<!Whole>(dataSize(g), WeightsOfChannel<Whole>{g, o.src[1]},
                               GradientOverPixels<Whole>{g, o.src[0]}, store, o);
}

} // namespace

std::size_t gemmDataWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return productWorkspace(dataSize(g), device);
}

cudaError_t gemmBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return inWholeTiles(g.groupFilters) ? launchData<true>(g, epilogue, o)
                                        : launchData<false>(g, epilogue, o);
}

} // namespace heteroscope::compute::nvidia
