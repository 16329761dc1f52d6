// SPDX-License-Identifier: Apache-2.0
// A thread an element of the matrix, or of the input's gradient. Limited by device memory.
#include "compute/backends/nvidia/kernels/conv/conv_axis.h"
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

/// The taps of an axis of the window that reach one of the input's rows or columns: every cycle-th, whose
/// outputs lie `step` apart.
struct TapWalk {
    FastDivision stride, common, cycle;
    int inverse, dilation, step, kernel, outputs;

    TapWalk(const GradientAxis& axis, int outputs)
        : stride(axis.stride),
          common(axis.common),
          cycle(axis.cycle()),
          inverse(axis.inverse),
          dilation(axis.dilation),
          step(axis.dilation / axis.common),
          kernel(axis.kernel),
          outputs(outputs) {}

    /// offset: of the row or column, with the padding. each(tap, output) in the order of taps.
    template <class Each>
    __device__ void walk(unsigned offset, const Each& each) const {
        unsigned phase = offset;
        stride.split(phase);
        unsigned rest = phase, tap = common.split(rest);
        if (rest != 0)
            return;
        if (inverse > 1) // of a dilation; else the remainder is there already
            tap = unsigned(std::uint64_t{tap} * unsigned(inverse) % cycle.divisor);
        else
            cycle.split(tap);
        const int first = tap < unsigned(kernel) ? int(offset) - int(tap) * dilation : -1;
        if (first < 0)
            return;
        int output = int(stride.quotient(unsigned(first)));
#pragma unroll 4
        for (int i = int(tap); i < kernel && output >= 0; i += int(cycle.divisor), output -= step)
            if (output < outputs)
                each(i, output);
    }
};

/// A thread an element.
__global__ void __launch_bounds__(kThreads)
    rollUp(ConvGeometry g, TapWalk rows, TapWalk taps, unsigned elements, const float* columns,
           Epilogue epilogue, float* gradient) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= elements)
        return;
    unsigned x = index;
    const unsigned plane = g.plane.split(x), y = g.row.split(x);
    const float* window = columns + std::size_t(plane) * g.window.divisor * g.outPlane.divisor;
    float sum = 0;
    rows.walk(y + unsigned(g.top), [&](int i, int row) {
        const float* const line =
            window + std::size_t(i * g.kernelW) * g.outPlane.divisor + unsigned(row * g.outWidth);
        taps.walk(x + unsigned(g.left), [&](int j, int column) {
            sum += line[std::size_t(j) * g.outPlane.divisor + unsigned(column)];
        });
    });
    gradient[index] = epilogue.of(sum, plane % unsigned(g.channels), index);
}

/// The same with strides of 1. A row's taps are read before they are added, in their order.
__global__ void __launch_bounds__(kThreads)
    rollUpUnit(ConvGeometry g, unsigned elements, const float* columns, Epilogue epilogue, float* gradient) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= elements)
        return;
    unsigned x = index;
    const unsigned plane = g.plane.split(x), y = g.row.split(x);
    const float* window = columns + std::size_t(plane) * g.window.divisor * g.outPlane.divisor;
    float sum = 0;
    for (int i = 0; i < g.kernelH; ++i, window += std::size_t(g.kernelW) * g.outPlane.divisor) {
        const int row = int(y) + g.top - i * g.dilationH;
        if (unsigned(row) >= unsigned(g.outHeight))
            continue;
        const float* tap = window + unsigned(row * g.outWidth);
#pragma unroll 4
        for (int j = 0; j < g.kernelW; ++j, tap += g.outPlane.divisor) {
            const int column = int(x) + g.left - j * g.dilationW;
            if (unsigned(column) < unsigned(g.outWidth))
                sum += tap[column];
        }
    }
    gradient[index] = epilogue.of(sum, plane % unsigned(g.channels), index);
}

constexpr int kSpread = 4; ///< elements of a thread

/// Of a window of one place: each of its elements goes to one of the input's, between which zeros lie.
__global__ void __launch_bounds__(kThreads)
    spread(ConvGeometry g, unsigned elements, const float* columns, Epilogue epilogue, float* gradient) {
    const unsigned first = blockIdx.x * kThreads * kSpread + threadIdx.x;
    float values[kSpread];
    unsigned planes[kSpread];
#pragma unroll
    for (int r = 0; r < kSpread; ++r) {
        unsigned x = min(first + r * kThreads, elements - 1);
        planes[r] = g.plane.split(x);
        const unsigned y = g.row.split(x);
        const int row = ConvGeometry::outputOver(int(y) + g.top, g.overStrideH, g.outHeight);
        const int column = ConvGeometry::outputOver(int(x) + g.left, g.overStrideW, g.outWidth);
        values[r] =
            row >= 0 && column >= 0
                ? columns[std::size_t(planes[r]) * g.outPlane.divisor + unsigned(row * g.outWidth + column)]
                : 0.0F;
    }
#pragma unroll
    for (int r = 0; r < kSpread; ++r)
        if (const unsigned index = first + r * kThreads; index < elements)
            gradient[index] = epilogue.of(values[r], planes[r] % unsigned(g.channels), index);
}

/// A thread an output, as rollUp() reads and adds.
__global__ void __launch_bounds__(kThreads)
    addPlaces(ConvGeometry g, unsigned elements, const float* products, Epilogue epilogue, float* dst) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= elements)
        return;
    unsigned x = index;
    const unsigned plane = g.outPlane.split(x), y = g.outRow.split(x);
    const float* window = products + std::size_t(plane) * g.window.divisor * g.plane.divisor;
    const int top = int(y) * g.strideH - g.top, left = int(x) * g.strideW - g.left;
    float sum = 0;
    for (int i = 0; i < g.kernelH; ++i, window += std::size_t(g.kernelW) * g.plane.divisor) {
        const int row = top + i * g.dilationH;
        if (unsigned(row) >= unsigned(g.height))
            continue;
        const float* place = window + unsigned(row * g.width);
#pragma unroll 4
        for (int j = 0; j < g.kernelW; ++j, place += g.plane.divisor) {
            const int column = left + j * g.dilationW;
            if (unsigned(column) < unsigned(g.width))
                sum += place[column];
        }
    }
    dst[index] = epilogue.of(sum, plane % unsigned(g.filters), index);
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
    const std::int64_t image = src.c * src.h * src.w;
    return launchRollUp(ConvGeometry(params, {count, src.c, src.h, src.w}), Epilogue{}, columns,
                        gradient + first * image, stream);
}

cudaError_t launchRollUp(const ConvGeometry& g, const Epilogue& epilogue, const float* columns,
                         float* gradient, cudaStream_t stream) {
    const std::int64_t elements = g.pixels() * g.channels;
    const auto start = [&](auto* kernel, int ofThread) {
        kernel<<<blocksFor((elements + ofThread - 1) / ofThread), kThreads, 0, stream>>>(
            g, unsigned(elements), columns, epilogue, gradient);
    };
    if (g.windowElements() == 1)
        start(spread, kSpread);
    else if (g.strideH == 1 && g.strideW == 1)
        start(rollUpUnit, 1);
    else
        rollUp<<<blocksFor(elements), kThreads, 0, stream>>>(
            g, TapWalk(GradientAxis(g.height, g.kernelH, g.strideH, g.top, g.dilationH), g.outHeight),
            TapWalk(GradientAxis(g.width, g.kernelW, g.strideW, g.left, g.dilationW), g.outWidth),
            unsigned(elements), columns, epilogue, gradient);
    return cudaGetLastError();
}

cudaError_t launchAddPlaces(const ConvGeometry& g, const Epilogue& epilogue, const float* products,
                            float* dst, cudaStream_t stream) {
    const std::int64_t elements = g.outPixels() * g.filters;
    addPlaces<<<blocksFor(elements), kThreads, 0, stream>>>(g, unsigned(elements), products, epilogue, dst);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
