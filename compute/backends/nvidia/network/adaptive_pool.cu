// SPDX-License-Identifier: Apache-2.0
// Average pooling to a given size: a warp a window forward, a thread an element backward.
#include "compute/backends/nvidia/network/fast_division.h"
#include "compute/backends/nvidia/network/network_kernels.h"

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 256;

/// Sizes of a plane and of its output. Products of a row and an extent are taken in 64 bits.
struct Problem {
    unsigned h, w, outH, outW;

    /// Row `index` of the output averages the rows [first, last).
    static __device__ unsigned first(unsigned index, unsigned outputs, unsigned inputs) {
        return unsigned(std::uint64_t(index) * inputs / outputs);
    }
    static __device__ unsigned last(unsigned index, unsigned outputs, unsigned inputs) {
        return unsigned((std::uint64_t(index + 1) * inputs + outputs - 1) / outputs);
    }
};

__global__ void __launch_bounds__(kThreads)
    average(Problem p, unsigned windows, const float* src, float* dst) {
    const unsigned window = blockIdx.x * (kThreads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (window >= windows)
        return;
    const unsigned plane = window / (p.outH * p.outW), inPlane = window % (p.outH * p.outW);
    const unsigned y = inPlane / p.outW, x = inPlane % p.outW;
    const unsigned top = Problem::first(y, p.outH, p.h), left = Problem::first(x, p.outW, p.w);
    const unsigned rows = Problem::last(y, p.outH, p.h) - top, columns = Problem::last(x, p.outW, p.w) - left;
    const float* corner = src + (std::size_t(plane) * p.h + top) * p.w + left;
    float sum = 0;
    for (unsigned i = lane; i < rows * columns; i += 32)
        sum += corner[i / columns * p.w + i % columns];
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(~0U, sum, apart);
    if (lane == 0)
        dst[window] = sum / float(rows * columns);
}

__global__ void __launch_bounds__(kThreads)
    spread(Problem p, unsigned elements, const float* dstGrad, float* srcGrad) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= elements)
        return;
    const unsigned row = index / p.w, x = index % p.w, plane = row / p.h, y = row % p.h;
    // The outputs over an input are found by the same rule with both extents exchanged.
    const unsigned firstY = Problem::first(y, p.h, p.outH), lastY = Problem::last(y, p.h, p.outH);
    const unsigned firstX = Problem::first(x, p.w, p.outW), lastX = Problem::last(x, p.w, p.outW);
    float sum = 0;
    for (unsigned i = firstY; i < lastY; ++i) {
        const unsigned rows = Problem::last(i, p.outH, p.h) - Problem::first(i, p.outH, p.h);
        for (unsigned j = firstX; j < lastX; ++j) {
            const unsigned columns = Problem::last(j, p.outW, p.w) - Problem::first(j, p.outW, p.w);
            sum += dstGrad[(plane * p.outH + i) * p.outW + j] / float(rows * columns);
        }
    }
    srcGrad[index] = sum;
}

Problem problemOf(const Shape4& src, const Extent2d& output) {
    return {unsigned(src.h), unsigned(src.w), unsigned(output.h), unsigned(output.w)};
}

} // namespace

cudaError_t launch(const AdaptivePoolForward& op, const KernelOperands& o) {
    const std::int64_t windows = op.src.n * op.src.c * op.output.h * op.output.w;
    constexpr int kWarps = kThreads / 32;
    average<<<unsigned((windows + kWarps - 1) / kWarps), kThreads, 0, o.stream>>>(
        problemOf(op.src, op.output), unsigned(windows), o.src[0], o.dst[0]);
    return cudaGetLastError();
}

cudaError_t launch(const AdaptivePoolBackward& op, const KernelOperands& o) {
    const std::int64_t elements = op.src.elements().value_or(0);
    spread<<<unsigned((elements + kThreads - 1) / kThreads), kThreads, 0, o.stream>>>(
        problemOf(op.src, op.output), unsigned(elements), o.src[0], o.dst[0]);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
