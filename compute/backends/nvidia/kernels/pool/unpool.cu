// SPDX-License-Identifier: Apache-2.0
// A thread a window of 2x2, also those that the pooling leaves out at odd edges. Limited by device memory.
#include "compute/backends/nvidia/kernels/common/dependent_launch.cuh"
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/backends/nvidia/kernels/pool/unpool.h"
#include "compute/backends/nvidia/kernels/pool/unpool_window.cuh"

namespace heteroscope::compute::nvidia {
namespace {

constexpr unsigned kUnpoolThreads = 256;

__global__ void __launch_bounds__(kUnpoolThreads)
    unpoolRelu(unsigned windows, FastDivision windowsOfPlane, FastDivision windowsOfRow, unsigned height,
               unsigned width, const float* values, const float* pooledGrad, float* grad) {
    waitForEarlier();
    unsigned x = blockIdx.x * kUnpoolThreads + threadIdx.x;
    if (x >= windows)
        return;
    const unsigned plane = windowsOfPlane.split(x), y = windowsOfRow.split(x);
    const std::size_t corner = (std::size_t(plane) * height + 2 * y) * width + 2 * x;
    if (2 * y + 1 < height && 2 * x + 1 < width) {
        PooledWindow window;
        window.load(values + corner, int(width));
        const float gradient = pooledGrad[(std::size_t(plane) * (height / 2) + y) * (width / 2) + x];
        window.write(gradient, true, grad + corner, int(width));
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
        if (2 * y + i / 2 < height && 2 * x + i % 2 < width)
            grad[corner + i / 2 * width + i % 2] = 0.0F;
}

} // namespace

cudaError_t launchUnpoolRelu(const Shape4& src, const float* values, const float* pooledGrad, float* grad,
                             cudaStream_t stream) {
    const std::int64_t high = (src.h + 1) / 2, wide = (src.w + 1) / 2, windows = src.n * src.c * high * wide;
    return startDependent(unpoolRelu, unsigned((windows + kUnpoolThreads - 1) / kUnpoolThreads),
                          kUnpoolThreads, 0, stream, unsigned(windows), FastDivision(high * wide),
                          FastDivision(wide), unsigned(src.h), unsigned(src.w), values, pooledGrad, grad);
}

} // namespace heteroscope::compute::nvidia
