// SPDX-License-Identifier: Apache-2.0
// A thread an element of the matrix, or of the input's gradient. Limited by device memory.
#include "compute/backends/nvidia/kernels/conv/unroll.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostRows = 65535; // of a grid in y

/// x: output pixels; y: rows of all images.
__global__ void __launch_bounds__(kThreads)
    unroll(ConvGeometry g, unsigned rows, const float* src, float* columns) {
    unsigned x = blockIdx.x * kThreads + threadIdx.x;
    const unsigned pixel = x;
    if (pixel >= g.outPlane.divisor)
        return;
    const unsigned y = g.outRow.split(x);
    for (unsigned row = blockIdx.y; row < rows; row += gridDim.y) {
        unsigned j = row; // channels of the images lie one after the other, as their rows do
        const unsigned plane = g.window.split(j), i = g.windowRow.split(j);
        const int inY = int(y) * g.strideH + int(i) * g.dilationH - g.top;
        const int inX = int(x) * g.strideW + int(j) * g.dilationW - g.left;
        const bool inside = unsigned(inY) < unsigned(g.height) && unsigned(inX) < unsigned(g.width);
        columns[std::size_t(row) * g.outPlane.divisor + pixel] =
            inside ? src[std::size_t(plane) * g.plane.divisor + unsigned(inY * g.width + inX)] : 0.0F;
    }
}

__global__ void __launch_bounds__(kThreads)
    rollUp(ConvGeometry g, unsigned elements, const float* columns, Epilogue epilogue, float* gradient) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= elements)
        return;
    unsigned x = index;
    const unsigned plane = g.plane.split(x), y = g.row.split(x);
    const float* rows = columns + std::size_t(plane) * g.window.divisor * g.outPlane.divisor;
    float sum = 0;
    for (int i = 0; i < g.kernelH; ++i) {
        const int row =
            ConvGeometry::outputOver(int(y) + g.top - i * g.dilationH, g.overStrideH, g.outHeight);
        for (int j = 0; row >= 0 && j < g.kernelW; ++j) {
            const int column =
                ConvGeometry::outputOver(int(x) + g.left - j * g.dilationW, g.overStrideW, g.outWidth);
            if (column >= 0)
                sum += rows[std::size_t(i * g.kernelW + j) * g.outPlane.divisor +
                            unsigned(row * g.outWidth + column)];
        }
    }
    gradient[index] = epilogue.of(sum, plane % unsigned(g.channels), index);
}

unsigned blocksFor(std::int64_t threads) {
    return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

} // namespace

cudaError_t launchUnroll(const ConvParams& params, const Shape4& src, std::int64_t first, std::int64_t count,
                         const float* values, float* columns, cudaStream_t stream) {
    const ConvGeometry g(params, src);
    const std::int64_t rows = count * src.c * g.windowElements();
    const dim3 grid(blocksFor(g.outPlane.divisor), static_cast<unsigned>(std::min(rows, kMostRows)));
    unroll<<<grid, kThreads, 0, stream>>>(g, unsigned(rows), values + first * src.c * src.h * src.w, columns);
    return cudaGetLastError();
}

cudaError_t launchRollUp(const ConvParams& params, const Shape4& src, std::int64_t first, std::int64_t count,
                         const float* columns, float* gradient, cudaStream_t stream) {
    const ConvGeometry g(params, src);
    const std::int64_t image = src.c * src.h * src.w, elements = count * image;
    rollUp<<<blocksFor(elements), kThreads, 0, stream>>>(g, unsigned(elements), columns, Epilogue{},
                                                         gradient + first * image);
    return cudaGetLastError();
}

cudaError_t launchRollUp(const ConvGeometry& g, const Epilogue& epilogue, const float* columns,
                         float* gradient, cudaStream_t stream) {
    const std::int64_t elements = g.pixels() * g.channels;
    rollUp<<<blocksFor(elements), kThreads, 0, stream>>>(g, unsigned(elements), columns, epilogue, gradient);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
