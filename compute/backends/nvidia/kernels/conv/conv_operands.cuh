// SPDX-License-Identifier: Apache-2.0
// What the three implicit matrix products of a convolution (tile_product.cuh) share. The operand that would
// be the unrolled input is found element by element: what a thread keeps of its pixel or its place in the
// window, and what a step of k adds to it.
#pragma once

#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"
#include "compute/backends/nvidia/kernels/gemm/plain_operand.cuh"
#include "compute/backends/nvidia/kernels/gemm/tile_product.cuh"

#include <type_traits>

namespace heteroscope::compute::nvidia {

/// A place in the planes of a batch: elements from the first, and row and column of the plane.
struct Place {
    int offset, y, x;
};

/// How a loader runs through k = (channel or filter, place in the window).
/// Whole: kTileSteps channels for one place, then the same channels for the next place, and so on: what is
/// checked and divided is so for a tile as a whole. For channels that are a multiple of that. Otherwise as
/// the weights lie: all places of a channel.
template <bool Whole>
struct WindowOrder {
    struct Step {
        unsigned channel;
        int i, j;
    };
    /// Of k; where tiles are whole, of the first step of the tile that k begins.
    static __device__ Step of(const ConvGeometry& g, unsigned k) {
        unsigned place = Whole ? k / kTileSteps : k;
        const unsigned channel = g.window.split(place) * (Whole ? kTileSteps : 1);
        const unsigned i = g.windowRow.split(place);
        return {channel, int(i), int(place)};
    }
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

/// Whether k goes through that many channels or filters in whole tiles.
inline bool inWholeTiles(int channels) {
    return channels % kTileSteps == 0;
}

template <bool Small, class A, class B, class Store>
cudaError_t launchSized(const ProductSize& size, const A& a, const B& b, const Store& store,
                        const KernelOperands& o) {
    const Product<A, B, Store> product{
        unsigned(size.m), unsigned(size.n), unsigned(size.k), unsigned(size.groups), a, b, store};
    return launchProduct<Small>(product, o.workspace, o.device, o.stream);
}

} // namespace heteroscope::compute::nvidia
