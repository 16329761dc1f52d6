// SPDX-License-Identifier: Apache-2.0
// Convolutions as implicit matrix products (tile_product.cuh). The operand that would be the unrolled input
// is found element by element: what a thread keeps of its pixel or its place in the window, and what a step
// of k adds to it.
#include "compute/backends/nvidia/network/conv_kernels.h"
#include "compute/backends/nvidia/network/plain_operand.cuh"
#include "compute/backends/nvidia/network/tile_product.cuh"

namespace heteroscope::compute::nvidia {
namespace {

/// An address and the place in a plane that belongs to it.
struct Place {
    const float* base;
    int y, x;
};
struct Offset {
    unsigned elements;
    int y, x;
};

/// The element of a plane under a window, zero in the padding.
__device__ inline float inPlane(const ConvGeometry& g, const Place& place, const Offset& offset) {
    const int y = place.y + offset.y, x = place.x + offset.x;
    const bool inside = unsigned(y) < unsigned(g.height) && unsigned(x) < unsigned(g.width);
    return inside ? place.base[offset.elements + unsigned(y * g.width + x)] : 0.0F;
}

/// The place in the window, and the channel or filter before it, of a step of k.
__device__ inline Offset inWindow(const ConvGeometry& g, unsigned k, unsigned apart) {
    const unsigned channel = g.window.split(k), i = g.windowRow.split(k);
    return {channel * apart, int(i) * g.dilationH, int(k) * g.dilationW};
}

/// rows: output pixels of the batch; k: channel, window row, window column.
struct InputUnderPixels {
    static constexpr bool kFast = false;
    using Row = Place;
    ConvGeometry g;
    const float* src;

    __device__ void select(unsigned group) { src += std::size_t(group) * g.groupChannels * g.plane.divisor; }
    __device__ Row row(unsigned pixel) const {
        const unsigned image = g.outPlane.split(pixel), y = g.outRow.split(pixel);
        return {src + std::size_t(image) * g.channels * g.plane.divisor, int(y) * g.strideH - g.top,
                int(pixel) * g.strideW - g.left};
    }
    __device__ Offset step(unsigned k) const { return inWindow(g, k, g.plane.divisor); }
    __device__ float at(const Row& row, const Offset& step) const { return inPlane(g, row, step); }
};

/// rows: channel, window row, window column; k: output pixels of the batch.
struct InputUnderWindow {
    static constexpr bool kFast = true;
    using Row = Place;
    ConvGeometry g;
    const float* src;

    __device__ void select(unsigned group) { src += std::size_t(group) * g.groupChannels * g.plane.divisor; }
    __device__ Row row(unsigned index) const {
        const Offset place = inWindow(g, index, g.plane.divisor);
        return {src + place.elements, place.y - g.top, place.x - g.left};
    }
    __device__ Offset step(unsigned pixel) const {
        const unsigned image = g.outPlane.split(pixel), y = g.outRow.split(pixel);
        return {image * unsigned(g.channels) * g.plane.divisor, int(y) * g.strideH, int(pixel) * g.strideW};
    }
    __device__ float at(const Row& row, const Offset& step) const { return inPlane(g, row, step); }
};

/// rows: input pixels of the batch; k: filter, window row, window column.
struct GradientOverPixels {
    static constexpr bool kFast = false;
    using Row = Place;
    ConvGeometry g;
    const float* dstGrad;

    __device__ void select(unsigned group) {
        dstGrad += std::size_t(group) * g.groupFilters * g.outPlane.divisor;
    }
    __device__ Row row(unsigned pixel) const {
        const unsigned image = g.plane.split(pixel), y = g.row.split(pixel);
        return {dstGrad + std::size_t(image) * g.filters * g.outPlane.divisor, int(y) + g.top,
                int(pixel) + g.left};
    }
    __device__ Offset step(unsigned k) const { return inWindow(g, k, g.outPlane.divisor); }
    __device__ float at(const Row& row, const Offset& step) const {
        const int y = ConvGeometry::outputOver(row.y - step.y, g.overStrideH, g.outHeight);
        const int x = ConvGeometry::outputOver(row.x - step.x, g.overStrideW, g.outWidth);
        return y >= 0 && x >= 0 ? row.base[step.elements + unsigned(y * g.outWidth + x)] : 0.0F;
    }
};

/// rows: channels; k: filter, window row, window column.
struct WeightsOfChannel {
    static constexpr bool kFast = true;
    using Row = const float*;
    ConvGeometry g;
    const float* weights;

    __device__ void select(unsigned group) {
        weights += std::size_t(group) * g.groupFilters * g.groupChannels * g.window.divisor;
    }
    __device__ Row row(unsigned channel) const { return weights + channel * g.window.divisor; }
    __device__ unsigned step(unsigned k) const {
        const unsigned filter = g.window.split(k);
        return filter * unsigned(g.groupChannels) * g.window.divisor + k;
    }
    __device__ float at(Row row, unsigned step) const { return row[step]; }
};

/// rows: filters; k: output pixels of the batch.
struct GradientOfFilter {
    static constexpr bool kFast = true;
    using Row = const float*;
    ConvGeometry g;
    const float* dstGrad;

    __device__ void select(unsigned group) {
        dstGrad += std::size_t(group) * g.groupFilters * g.outPlane.divisor;
    }
    __device__ Row row(unsigned filter) const { return dstGrad + filter * g.outPlane.divisor; }
    __device__ unsigned step(unsigned pixel) const {
        const unsigned image = g.outPlane.split(pixel);
        return image * unsigned(g.filters) * g.outPlane.divisor + pixel;
    }
    __device__ float at(Row row, unsigned step) const { return row[step]; }
};

/// m: channels of a group; n: pixels of the batch, whose images lie `imageApart` apart.
struct PlanesOfBatch {
    float* base;
    Epilogue epilogue;
    FastDivision plane;
    unsigned imageApart, groupPlanes;
    std::size_t offset = 0; ///< of the group

    __device__ void select(unsigned group) {
        offset = std::size_t(group) * groupPlanes * plane.divisor;
        epilogue.select(group * groupPlanes);
    }
    __device__ unsigned column(unsigned pixel) const {
        const unsigned image = plane.split(pixel);
        return image * imageApart + pixel;
    }
    __device__ void put(unsigned m, unsigned column, float value) const {
        const std::size_t index = offset + column + m * plane.divisor;
        base[index] = epilogue.of(value, m, index);
    }
};

ProductSize forwardSize(const ConvGeometry& g) {
    return {g.groupFilters, g.outPixels(), g.groupChannels * g.windowElements(), g.groups};
}
ProductSize dataSize(const ConvGeometry& g) {
    return {g.groupChannels, g.pixels(), g.groupFilters * g.windowElements(), g.groups};
}
ProductSize weightsSize(const ConvGeometry& g) {
    return {g.groupFilters, g.groupChannels * g.windowElements(), g.outPixels(), g.groups};
}

template <class A, class B, class Store>
cudaError_t launchSized(const ProductSize& size, const A& a, const B& b, const Store& store,
                        const KernelOperands& o) {
    const Product<A, B, Store> product{
        unsigned(size.m), unsigned(size.n), unsigned(size.k), unsigned(size.groups), a, b, store};
    return launchProduct(product, o.workspace, o.multiprocessors, o.stream);
}

} // namespace

std::size_t gemmForwardWorkspace(const ConvGeometry& g, int multiprocessors) {
    return productWorkspace(forwardSize(g), multiprocessors);
}
std::size_t gemmDataWorkspace(const ConvGeometry& g, int multiprocessors) {
    return productWorkspace(dataSize(g), multiprocessors);
}
std::size_t gemmWeightsWorkspace(const ConvGeometry& g, int multiprocessors) {
    return productWorkspace(weightsSize(g), multiprocessors);
}

cudaError_t gemmForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    const ProductSize size = forwardSize(g);
    const auto depth = std::size_t(size.k);
    return launchSized(size, PlainOperand<true>{o.src[1], depth, depth * std::size_t(g.groupFilters)},
                       InputUnderPixels{g, o.src[0]},
                       PlanesOfBatch{o.dst[0], epilogue, g.outPlane, unsigned(g.filters) * g.outPlane.divisor,
                                     unsigned(g.groupFilters)},
                       o);
}

cudaError_t gemmBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchSized(dataSize(g), WeightsOfChannel{g, o.src[1]}, GradientOverPixels{g, o.src[0]},
                       PlanesOfBatch{o.dst[0], epilogue, g.plane, unsigned(g.channels) * g.plane.divisor,
                                     unsigned(g.groupChannels)},
                       o);
}

cudaError_t gemmBackwardWeights(const ConvGeometry& g, const KernelOperands& o) {
    const ProductSize size = weightsSize(g);
    return launchSized(
        size, GradientOfFilter{g, o.src[1]}, InputUnderWindow{g, o.src[0]},
        PlainResult{o.dst[0], std::size_t(size.n), {}, std::size_t(size.m) * std::size_t(size.n)}, o);
}

} // namespace heteroscope::compute::nvidia
