// SPDX-License-Identifier: Apache-2.0
// What the three implicit matrix products of a convolution (tile_product.cuh) share. The operand that would
// be the unrolled input is found element by element: what a thread keeps of its pixel or its place in the
// window, and what a step of k adds to it.
#pragma once

#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/gemm/plain_operand.cuh"
#include "compute/backends/nvidia/kernels/gemm/tile_product.cuh"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace heteroscope::compute::nvidia {

/// A place in the planes of a batch: elements from the first, and row and column of the plane.
struct Place {
    int offset, y, x;
};

/// Of a matrix that one kernel makes for the next: every prepared convolution counts it where memory is
/// forecast.
inline constexpr double kMostScratchMatrix = 128 << 20;
inline constexpr std::string_view kTooLargeMatrix =
    "it takes a matrix in between of at most 128 MiB for an image";

/// How many images at a time have such a matrix, where one image's has so many elements; 0: not even one.
inline int imagesAtOnce(const ConvGeometry& g, double elements) {
    const double images = kMostScratchMatrix / (elements * sizeof(float));
    return images >= g.batch ? g.batch : int(images);
}

inline ConvGeometry withBatch(ConvGeometry g, int images) {
    g.batch = images;
    return g;
}

/// The cycles of all images, so many at a time; `cycles`: of a geometry of some of them.
template <class Cycles>
double cyclesOfRounds(const ConvGeometry& g, int atOnce, const Cycles& cycles) {
    const int rest = g.batch % atOnce;
    return double(g.batch / atOnce) * cycles(withBatch(g, atOnce)) +
           (rest > 0 ? cycles(withBatch(g, rest)) : 0);
}

/// What the largest of the rounds needs; `bytes`: of a geometry. Fewer images may be cut into slices that
/// many are not.
template <class Bytes>
std::size_t bytesOfRounds(const ConvGeometry& g, int atOnce, const Bytes& bytes) {
    const int rest = g.batch % atOnce;
    return std::max<std::size_t>(bytes(withBatch(g, atOnce)), rest > 0 ? bytes(withBatch(g, rest)) : 0);
}

/// Calls launch(geometry of some images, the first of them) for all of them, so many at a time.
template <class Launch>
cudaError_t launchRounds(const ConvGeometry& g, int atOnce, const Launch& launch) {
    for (std::int64_t first = 0; first < g.batch; first += atOnce)
        if (const cudaError_t code = launch(
                withBatch(g, int(std::min<std::int64_t>(atOnce, g.batch - first))), std::size_t(first));
            code != cudaSuccess)
            return code;
    return cudaSuccess;
}

/// Of one of floats, so that what follows it is aligned.
inline std::size_t scratchMatrixBytes(std::int64_t rows, std::int64_t columns) {
    return (std::size_t(rows) * std::size_t(columns) * sizeof(float) + 255) / 256 * 256;
}

/// The offset of a step of k beyond the last channel.
constexpr unsigned kNowhere = ~0U;

/// How a loader runs through k = (channel or filter, place in the window).
/// AsWeights: as the weights lie, all places of a channel. Tiled: kTileSteps channels for one place, then the
/// same channels for the next place, and so on: what is checked and divided is so for a tile as a whole; for
/// channels that are a multiple of that. Padded: likewise, the last tile of channels filled up with zeros.
enum class WindowSteps { AsWeights, Tiled, Padded };

/// Channels that k goes through.
inline std::int64_t channelsOfSteps(WindowSteps steps, int channels) {
    return steps == WindowSteps::Padded ? (std::int64_t{channels} + kTileSteps - 1) / kTileSteps * kTileSteps
                                        : channels;
}

template <WindowSteps Steps>
struct WindowOrder {
    static constexpr bool kTiled = Steps != WindowSteps::AsWeights;
    struct Step {
        unsigned channel;
        int i, j;
    };
    /// Of k; where steps are tiled, of the first step of the tile that k begins.
    static __device__ Step of(const ConvGeometry& g, unsigned k) {
        unsigned place = kTiled ? k / kTileSteps : k;
        const unsigned channel = g.window.split(place) * (kTiled ? kTileSteps : 1);
        const unsigned i = g.windowRow.split(place);
        return {channel, int(i), int(place)};
    }
};

/// rows: pixels of a batch; k: planes of a group, which has groupPlanes of an image's imagePlanes.
struct PlanesOfPixels {
    static constexpr bool kFast = false, kWhole = true, kEnds = true, kCheap = true;
    using Row = unsigned;
    struct Step {
        const float* at;
    };
    const float* base;
    FastDivision plane;
    unsigned imagePlanes, groupPlanes;

    __device__ void select(unsigned group) { base += std::size_t(group) * groupPlanes * plane.divisor; }
    __device__ Row row(unsigned pixel) const {
        const unsigned image = plane.split(pixel);
        return image * imagePlanes * plane.divisor + pixel;
    }
    __device__ Step tile(unsigned k) const { return {base + std::size_t(k) * plane.divisor}; }
    __device__ std::size_t stride() const { return plane.divisor; }
    __device__ Source at(Row row, const Step& step) const { return {step.at + row, true}; }
};

/// The other way round: rows are the planes of a group, k the pixels of a batch.
struct PixelsOfPlanes {
    static constexpr bool kFast = true, kWhole = false, kEnds = true, kCheap = true;
    using Row = unsigned;
    const float* base;
    FastDivision plane;
    unsigned imagePlanes, groupPlanes;

    __device__ void select(unsigned group) { base += std::size_t(group) * groupPlanes * plane.divisor; }
    __device__ Row row(unsigned index) const { return index * plane.divisor; }
    __device__ unsigned step(unsigned pixel) const {
        const unsigned image = plane.split(pixel);
        return image * imagePlanes * plane.divisor + pixel;
    }
    __device__ Source at(Row row, unsigned step) const { return {base + (row + step), true}; }
};

/// m: channels of a group; n: pixels of the batch, whose images lie `imageStride` apart.
struct PlanesOfBatch {
    float* base;
    Epilogue epilogue;
    FastDivision plane;
    unsigned imageStride, groupPlanes;
    bool vec4 = holdsVec4(base, plane.divisor);
    std::size_t offset = 0; ///< of the group

    __device__ void select(unsigned group) {
        offset = std::size_t(group) * groupPlanes * plane.divisor;
        epilogue.select(group * groupPlanes);
    }
    __device__ unsigned column(unsigned pixel) const {
        const unsigned image = plane.split(pixel);
        return image * imageStride + pixel;
    }
    __device__ void put(unsigned m, unsigned column, float value) const {
        const std::size_t index = offset + column + m * plane.divisor;
        base[index] = epilogue.of(value, m, index);
    }
    __device__ void putVec4(unsigned m, unsigned column, const float4& four) const {
        const std::size_t index = offset + column + m * plane.divisor;
        *reinterpret_cast<float4*>(base + index) =
            make_float4(epilogue.of(four.x, m, index), epilogue.of(four.y, m, index + 1),
                        epilogue.of(four.z, m, index + 2), epilogue.of(four.w, m, index + 3));
    }
};

/// Whether planes of that many pixels are made of whole groups of four, which are written at once.
inline bool holdsVec4(const FastDivision& plane) {
    return plane.divisor % 4 == 0;
}

/// The order that is expected to be done soonest: cyclesOf(steps) for one.
template <class CyclesOf>
WindowSteps soonestSteps(int channels, const CyclesOf& cyclesOf) {
    if (channels % kTileSteps == 0)
        return WindowSteps::Tiled;
    return cyclesOf(WindowSteps::Padded) < cyclesOf(WindowSteps::AsWeights) ? WindowSteps::Padded
                                                                            : WindowSteps::AsWeights;
}

template <bool Small, bool Half = false, bool Thin = false, class A, class B, class Store>
cudaError_t launchSized(const ProductSize& size, const A& a, const B& b, const Store& store,
                        const KernelOperands& o) {
    const Product<A, B, Store> product{
        unsigned(size.m), unsigned(size.n), unsigned(size.k), unsigned(size.groups), a, b, store};
    return launchProduct<Small, Half, Thin>(product, o.workspace, o.device, o.stream);
}

} // namespace heteroscope::compute::nvidia
