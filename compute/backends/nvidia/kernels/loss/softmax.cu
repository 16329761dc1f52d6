// SPDX-License-Identifier: Apache-2.0
// Softmax over channels: a block a row where channels lie together, a thread a pixel where pixels do.
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <cmath>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 128;

struct Maximum {
    static __device__ float of(float a, float b) { return fmaxf(a, b); }
    static __device__ float none() { return -INFINITY; }
};
struct Total {
    static __device__ float of(float a, float b) { return a + b; }
    static __device__ float none() { return 0.0F; }
};

/// Channels that a block shares: those of one row.
struct RowOfBlock {
    unsigned first, count;
    __device__ RowOfBlock(unsigned channels, unsigned, FastDivision)
        : first(blockIdx.x * channels), count(channels) {}
    __device__ bool idle() const { return false; }
    /// Combines f(index) over the channels; every thread has the result.
    template <class Combine, class Function>
    __device__ float over(Function f) const {
        __shared__ float ofWarps[kThreads / 32];
        float value = Combine::none();
        for (unsigned c = threadIdx.x; c < count; c += kThreads)
            value = Combine::of(value, f(first + c));
        for (int offset = 16; offset > 0; offset /= 2)
            value = Combine::of(value, __shfl_xor_sync(~0U, value, offset));
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            ofWarps[threadIdx.x / 32] = value;
        __syncthreads();
        value = ofWarps[0];
        for (int i = 1; i < kThreads / 32; ++i)
            value = Combine::of(value, ofWarps[i]);
        return value;
    }
    template <class Function>
    __device__ void each(Function f) const {
        for (unsigned c = threadIdx.x; c < count; c += kThreads)
            f(first + c);
    }
};

/// Channels of one thread's pixel, a plane apart.
struct PixelOfThread {
    unsigned first, count, stride;
    bool beyond;
    __device__ PixelOfThread(unsigned channels, unsigned pixels, FastDivision plane)
        : count(channels), stride(plane.divisor) {
        unsigned inPlane = blockIdx.x * kThreads + threadIdx.x;
        beyond = inPlane >= pixels;
        const unsigned image = plane.split(inPlane);
        first = image * channels * stride + inPlane;
    }
    __device__ bool idle() const { return beyond; }
    template <class Combine, class Function>
    __device__ float over(Function f) const {
        float value = Combine::none();
        for (unsigned c = 0; c < count; ++c)
            value = Combine::of(value, f(first + c * stride));
        return value;
    }
    template <class Function>
    __device__ void each(Function f) const {
        for (unsigned c = 0; c < count; ++c)
            f(first + c * stride);
    }
};

template <class Place>
__global__ void __launch_bounds__(kThreads)
    softmax(unsigned channels, unsigned pixels, FastDivision plane, const float* src, float* dst) {
    const Place place(channels, pixels, plane);
    if (place.idle())
        return;
    const float most = place.template over<Maximum>([&](unsigned i) { return src[i]; });
    const float sum = place.template over<Total>([&](unsigned i) { return expf(src[i] - most); });
    place.each([&](unsigned i) { dst[i] = expf(src[i] - most) / sum; });
}

template <class Place>
__global__ void __launch_bounds__(kThreads)
    softmaxGradient(unsigned channels, unsigned pixels, FastDivision plane, const float* y,
                    const float* dstGrad, float* srcGrad) {
    const Place place(channels, pixels, plane);
    if (place.idle())
        return;
    const float sum = place.template over<Total>([&](unsigned i) { return dstGrad[i] * y[i]; });
    place.each([&](unsigned i) { srcGrad[i] = y[i] * (dstGrad[i] - sum); });
}

unsigned blocksFor(unsigned pixels) {
    return (pixels + kThreads - 1) / kThreads;
}

} // namespace

cudaError_t launch(const SoftmaxForward& op, const KernelOperands& o) {
    const auto channels = unsigned(op.src.c), pixels = unsigned(op.src.n * op.src.h * op.src.w);
    const FastDivision plane(op.src.h * op.src.w);
    if (plane.divisor == 1)
        softmax<RowOfBlock><<<pixels, kThreads, 0, o.stream>>>(channels, pixels, plane, o.src[0], o.dst[0]);
    else
        softmax<PixelOfThread>
            <<<blocksFor(pixels), kThreads, 0, o.stream>>>(channels, pixels, plane, o.src[0], o.dst[0]);
    return cudaGetLastError();
}

cudaError_t launch(const SoftmaxBackward& op, const KernelOperands& o) {
    const auto channels = unsigned(op.src.c), pixels = unsigned(op.src.n * op.src.h * op.src.w);
    const FastDivision plane(op.src.h * op.src.w);
    if (plane.divisor == 1)
        softmaxGradient<RowOfBlock>
            <<<pixels, kThreads, 0, o.stream>>>(channels, pixels, plane, o.src[0], o.src[1], o.dst[0]);
    else
        softmaxGradient<PixelOfThread><<<blocksFor(pixels), kThreads, 0, o.stream>>>(
            channels, pixels, plane, o.src[0], o.src[1], o.dst[0]);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
