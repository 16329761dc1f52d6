// SPDX-License-Identifier: Apache-2.0
// Gradients of the weights of convolutions as implicit matrix products over all pixels of the batch: of the
// output, or, where filters are few, of the input, with a row for each filter and place in the window.
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
        const auto place = WindowOrder<WindowSteps::AsWeights>::of(g, index);
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

/// rows: filter, window row, window column; k: input pixels of the batch. Strides of 1.
struct GradientUnderPlace {
    static constexpr bool kFast = true, kWhole = false, kEnds = true, kCheap = false;
    using Row = Place;
    ConvGeometry g;
    const float* dstGrad;

    __device__ void select(unsigned group) {
        dstGrad += std::size_t(group) * g.groupFilters * g.outPlane.divisor;
    }
    __device__ Row row(unsigned index) const {
        const auto place = WindowOrder<WindowSteps::AsWeights>::of(g, index); // of filters, not channels
        const int up = g.top - place.i * g.dilationH, left = g.left - place.j * g.dilationW;
        return {int(place.channel * g.outPlane.divisor) + up * g.outWidth + left, up, left};
    }
    __device__ Place step(unsigned pixel) const {
        const unsigned image = g.plane.split(pixel), y = g.row.split(pixel);
        return {int(image) * g.filters * int(g.outPlane.divisor) + int(y) * g.outWidth + int(pixel), int(y),
                int(pixel)};
    }
    __device__ Source at(const Row& row, const Place& step) const {
        const bool inside = unsigned(row.y + step.y) < unsigned(g.outHeight) &&
                            unsigned(row.x + step.x) < unsigned(g.outWidth);
        return {dstGrad + (row.offset + step.offset), inside};
    }
};

/// m: filter and place in the window; n: channel.
struct WeightsOfPlaces {
    static constexpr bool vec4 = false;
    float* base;
    FastDivision window;
    unsigned filterStride, groupStride;

    __device__ void select(unsigned group) { base += std::size_t(group) * groupStride; }
    __device__ unsigned column(unsigned channel) const { return channel * window.divisor; }
    __device__ void put(unsigned m, unsigned column, float value) const {
        const unsigned filter = window.split(m);
        base[filter * filterStride + column + m] = value;
    }
    __device__ void putVec4(unsigned, unsigned, const float4&) const {}
};

/// m: filters; n: weights of a filter. The sums of the gradient's rows are the gradient of the bias.
struct WeightsAndBias {
    static constexpr bool kRowSums = true;
    float *weights, *bias;
    unsigned columns, groupFilters;
    bool vec4 = holdsVec4(weights, columns);

    __device__ void select(unsigned group) {
        weights += std::size_t(group) * groupFilters * columns;
        bias += group * groupFilters;
    }
    __device__ unsigned column(unsigned n) const { return n; }
    __device__ void put(unsigned m, unsigned n, float value) const {
        (n == columns ? bias[m] : weights[std::size_t(m) * columns + n]) = value;
    }
    __device__ void putVec4(unsigned m, unsigned n, const float4& four) const {
        *reinterpret_cast<float4*>(weights + std::size_t(m) * columns + n) = four;
    }
};

ProductSize weightsSize(const ConvGeometry& g) {
    ProductSize size{g.groupFilters, g.groupChannels * g.windowElements(), g.outPixels(), g.groups};
    size.half = size.flat = size.narrow = true;
    size.rowSums = g.bias;
    return size;
}

ProductSize placesSize(const ConvGeometry& g) {
    ProductSize size{g.groupFilters * g.windowElements(), g.groupChannels, g.pixels(), g.groups};
    size.half = size.flat = size.narrow = true;
    return size;
}

} // namespace

std::string_view placesWeightsRefusal(const ConvGeometry& g) {
    return g.groups > kMostGroups             ? kTooManyGroups
           : g.strideH != 1 || g.strideW != 1 ? "it takes strides of 1"
                                              : std::string_view();
}

double placesWeightsCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!placesWeightsRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    const double bias = g.bias ? 4500 + 2480e-6 * double(g.outPixels() * g.filters) * sizeof(float) : 0;
    return 0.916 * planProduct(placesSize(g), device).cycles + 300 * g.operandMegabytes() + bias + 6200;
}

std::size_t placesWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return productWorkspace(placesSize(g), device);
}

cudaError_t placesBackwardWeights(const ConvGeometry& g, const KernelOperands& o) {
    const unsigned filterStride = unsigned(g.groupChannels) * g.window.divisor;
    return launchSized<false, true, true>(
        placesSize(g), GradientUnderPlace{g, o.src[1]},
        PixelsOfPlanes{o.src[0], g.plane, unsigned(g.channels), unsigned(g.groupChannels)},
        WeightsOfPlaces{o.dst[0], g.window, filterStride, unsigned(g.groupFilters) * filterStride}, o);
}

std::string_view gemmWeightsRefusal(const ConvGeometry& g) {
    return g.groups > kMostGroups ? kTooManyGroups : std::string_view();
}

double gemmWeightsCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!gemmWeightsRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    return 0.965 * planProduct(weightsSize(g), device).cycles + 396 * g.operandMegabytes() + 5020;
}

std::size_t gemmWeightsWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return productWorkspace(weightsSize(g), device);
}

cudaError_t gemmBackwardWeights(const ConvGeometry& g, const KernelOperands& o) {
    const PixelsOfPlanes gradient{o.src[1], g.outPlane, unsigned(g.filters), unsigned(g.groupFilters)};
    const InputUnderWindow input{g, o.src[0]};
    const auto columns = unsigned(g.groupChannels) * g.window.divisor;
    if (g.bias)
        return launchSized<false, true, true>(
            weightsSize(g), gradient, input,
            WeightsAndBias{o.dst[0], o.dst[1], columns, unsigned(g.groupFilters)}, o);
    return launchSized<false, true, true>(
        weightsSize(g), gradient, input,
        PlainResult{o.dst[0], columns, {}, std::size_t(g.groupFilters) * columns}, o);
}

} // namespace heteroscope::compute::nvidia
