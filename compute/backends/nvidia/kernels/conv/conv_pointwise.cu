// SPDX-License-Identifier: Apache-2.0
// A thread computes a few pixels of several result planes and reads each operand's pixel once for all of
// them; the weights lie in shared memory, whence all threads read the same ones. Limited by the memory where
// planes are few, else by fp32 issue.
#include "compute/backends/nvidia/kernels/conv/conv_pointwise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 128;
constexpr int kStaged = 64; ///< operand planes whose weights lie in shared memory at a time
constexpr std::int64_t kMostInGrid = 65535;

struct PointwiseProblem {
    FastDivision plane;
    unsigned pixels;                      ///< of the batch
    unsigned operands, results;           ///< planes of a group
    unsigned operandImage, resultImage;   ///< planes of an image
    unsigned operandStride, resultStride; ///< in the weights
    unsigned groups;
};

/// Operand planes that a thread reads at a time, those after them before it multiplies.
constexpr int kAhead = 4;
static_assert(kStaged % kAhead == 0);

/// A thread's pixels, kThreads apart from `first` on; those beyond the last are the last again.
template <int Pixels>
struct PixelsOfThread {
    unsigned images[Pixels], within[Pixels];
    const float* from[Pixels];
    float next[kAhead][Pixels];
    unsigned fetched = 0; // planes of the group

    __device__ PixelsOfThread(const PointwiseProblem& p, const float* src, unsigned first) {
#pragma unroll
        for (int v = 0; v < Pixels; ++v) {
            within[v] = min(first + v * kThreads, p.pixels - 1);
            images[v] = p.plane.split(within[v]);
            from[v] = src + std::size_t(images[v]) * p.operandImage * p.plane.divisor + within[v];
        }
        fetch(p);
    }
    /// Zeros beyond the last plane.
    __device__ void fetch(const PointwiseProblem& p) {
#pragma unroll
        for (int i = 0; i < kAhead; ++i, ++fetched)
#pragma unroll
            for (int v = 0; v < Pixels; ++v) {
                next[i][v] = fetched < p.operands ? *from[v] : 0.0F;
                from[v] += p.plane.divisor;
            }
    }
};

/// Adds the products of kAhead planes; weights: of each plane those of all results.
template <int Results, int Pixels>
__device__ __forceinline__ void multiplyAdd(const float (&in)[kAhead][Pixels], const float* weights,
                                            float (&sums)[Results][Pixels]) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
#pragma unroll
        for (int r = 0; r < Results; r += 4) {
            const float4 four = *reinterpret_cast<const float4*>(weights + i * Results + r);
            const float w[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int v = 0; v < Pixels; ++v)
                    sums[r + j][v] = fmaf(in[i][v], w[j], sums[r + j][v]);
        }
}

/// Results x Pixels of a thread.
template <int Results, int Pixels>
__global__ void __launch_bounds__(kThreads) pointwise(const PointwiseProblem p, const float* src,
                                                      const float* weights, Epilogue epilogue, float* dst) {
    __shared__ __align__(16) float shared[kStaged * Results];
    __shared__ Epilogue::OfChannel ofChannel[Results];
    const unsigned firstResult = blockIdx.y * Results, firstChannel = blockIdx.z * p.results + firstResult;
    const unsigned results = min(unsigned(Results), p.results - firstResult);
    const unsigned firstPixel = blockIdx.x * (kThreads * Pixels) + threadIdx.x;
    src += std::size_t(blockIdx.z) * p.operands * p.plane.divisor;
    weights += std::size_t(blockIdx.z) * p.operands * p.results + std::size_t(firstResult) * p.resultStride;
    if (threadIdx.x < results)
        ofChannel[threadIdx.x] = epilogue.ofChannel(firstChannel + threadIdx.x);
    PixelsOfThread<Pixels> thread(p, src, firstPixel);
    float sums[Results][Pixels] = {};
    for (unsigned first = 0; first < p.operands; first += kStaged) {
        const unsigned count = min(unsigned(kStaged), p.operands - first);
        const unsigned rounded = (count + kAhead - 1) / kAhead * kAhead;
        __syncthreads();
        for (unsigned i = threadIdx.x; i < rounded * Results; i += kThreads) {
            const unsigned operand = i / Results, result = i % Results;
            shared[i] = operand < count && result < results
                            ? weights[(first + operand) * p.operandStride + result * p.resultStride]
                            : 0.0F;
        }
        __syncthreads();
#pragma unroll 1
        for (unsigned k = 0; k < rounded; k += kAhead) {
            float in[kAhead][Pixels];
#pragma unroll
            for (int i = 0; i < kAhead; ++i)
#pragma unroll
                for (int v = 0; v < Pixels; ++v)
                    in[i][v] = thread.next[i][v];
            thread.fetch(p);
            multiplyAdd<Results, Pixels>(in, shared + k * Results, sums);
        }
    }
#pragma unroll
    for (int r = 0; r < Results; ++r)
#pragma unroll
        for (int v = 0; v < Pixels; ++v)
            if (unsigned(r) < results && firstPixel + v * kThreads < p.pixels) {
                const std::size_t index =
                    (std::size_t(thread.images[v]) * p.resultImage + firstChannel + r) * p.plane.divisor +
                    thread.within[v];
                dst[index] = epilogue.of(sums[r][v], ofChannel[r], index);
            }
}

PointwiseProblem forwardProblem(const ConvGeometry& g) {
    const auto channels = unsigned(g.groupChannels), filters = unsigned(g.groupFilters);
    return {g.plane,  unsigned(g.pixels()), channels, filters, unsigned(g.channels), unsigned(g.filters), 1,
            channels, unsigned(g.groups)};
}

PointwiseProblem dataProblem(const ConvGeometry& g) {
    const auto channels = unsigned(g.groupChannels), filters = unsigned(g.groupFilters);
    return {
        g.plane, unsigned(g.pixels()), filters, channels, unsigned(g.filters), unsigned(g.channels), channels,
        1,       unsigned(g.groups)};
}

/// How many results and pixels a thread has, and the cycles that its latencies take: of an operand plane, and
/// else.
struct PointwiseCut {
    int results, pixels;
    double planeWait, wait;
};
constexpr PointwiseCut kFewResults{4, 8, 164, 1710}, kManyResults{16, 4, 223, 8060};

std::int64_t chunksOf(const PointwiseProblem& p, const PointwiseCut& c) {
    return (std::int64_t{p.results} + c.results - 1) / c.results;
}

/// Fitted to 54 convolutions and their gradients on an H100, both cuts of each (root mean square of the
/// logarithm of the ratio 0.12): what is issued or waited for, and what is written and read, where it is the
/// more expensive when the operand, which every chunk of results reads, is larger than the second-level
/// cache.
double cyclesOf(const PointwiseProblem& p, const PointwiseCut& c, const DeviceLimits& device) {
    const double pixels = double(p.pixels), chunks = double(chunksOf(p, c)), planes = double(p.operands);
    const double blocks = std::ceil(pixels / (kThreads * c.pixels)) * chunks * double(p.groups);
    const double sums = double(c.results) * c.pixels;
    const double issued =
        blocks / device.multiprocessors * (planes * (1.15 * sums + 3.95 * c.pixels) + 12.6 * sums);
    const double megabyte = pixels * double(p.groups) * sizeof(float) * 1e-6; // of one plane
    const double operand = planes * megabyte;
    return std::max(issued, planes * c.planeWait + c.wait) + 1190 * double(p.results) * megabyte +
           (operand > 30 ? 172 : 52.1) * operand * chunks + 4870;
}

const PointwiseCut& cut(const PointwiseProblem& p, const DeviceLimits& device) {
    return cyclesOf(p, kFewResults, device) < cyclesOf(p, kManyResults, device) ? kFewResults : kManyResults;
}

double expectedCycles(const ConvGeometry& g, const PointwiseProblem& p, const DeviceLimits& device) {
    if (!pointwiseRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    return cyclesOf(p, cut(p, device), device);
}

template <int Results, int Pixels>
cudaError_t launch(const PointwiseProblem& p, const PointwiseCut& c, const Epilogue& epilogue,
                   const KernelOperands& o) {
    const unsigned blocks = (p.pixels + kThreads * Pixels - 1) / (kThreads * Pixels);
    pointwise<Results, Pixels><<<dim3(blocks, unsigned(chunksOf(p, c)), p.groups), kThreads, 0, o.stream>>>(
        p, o.src[0], o.src[1], epilogue, o.dst[0]);
    return cudaGetLastError();
}

cudaError_t launch(const PointwiseProblem& p, const Epilogue& epilogue, const KernelOperands& o) {
    const PointwiseCut& c = cut(p, o.device);
    return c.results == kFewResults.results
               ? launch<kFewResults.results, kFewResults.pixels>(p, c, epilogue, o)
               : launch<kManyResults.results, kManyResults.pixels>(p, c, epilogue, o);
}

} // namespace

std::string_view pointwiseRefusal(const ConvGeometry& g) {
    if (g.windowElements() != 1 || g.strideH != 1 || g.strideW != 1 || g.outHeight != g.height ||
        g.outWidth != g.width)
        return "it takes 1x1 kernels, strides of 1 and no padding";
    return g.groups > kMostInGrid || std::max(g.groupChannels, g.groupFilters) > 4 * kMostInGrid
               ? kMoreThanAGrid
               : std::string_view();
}

double pointwiseForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(g, forwardProblem(g), device);
}

double pointwiseDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(g, dataProblem(g), device);
}

cudaError_t pointwiseForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launch(forwardProblem(g), epilogue, o);
}

cudaError_t pointwiseBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launch(dataProblem(g), epilogue, o);
}

} // namespace heteroscope::compute::nvidia
