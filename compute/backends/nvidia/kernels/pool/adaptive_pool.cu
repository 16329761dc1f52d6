// SPDX-License-Identifier: Apache-2.0
// Average pooling to a given size: as many threads a window as it has elements for, forward; a thread an
// element, backward.
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kBlockLanes = 8; ///< log2 of kThreads

/// One axis of a plane that `outputs` windows divide: window i averages [first(i), last(i)). Small: all
/// products are below 2^31; else they are taken in 64 bits.
template <bool Small>
struct Axis {
    unsigned inputs = 1, outputs = 1;
    FastDivision byOutputs;

    Axis(std::int64_t in, std::int64_t out) : inputs(unsigned(in)), outputs(unsigned(out)), byOutputs(out) {}
    __device__ unsigned first(unsigned index) const {
        return Small ? byOutputs.quotient(index * inputs) : unsigned(std::uint64_t(index) * inputs / outputs);
    }
    __device__ unsigned last(unsigned index) const {
        return Small ? byOutputs.quotient((index + 1) * inputs + outputs - 1)
                     : unsigned((std::uint64_t(index + 1) * inputs + outputs - 1) / outputs);
    }
    __device__ unsigned size(unsigned index) const { return last(index) - first(index); }
};

/// The windows over an input are found by the same rule with both extents exchanged.
template <bool Small>
struct Problem {
    Axis<Small> down, across, coveringDown, coveringAcross;
    FastDivision byOutPlane, byPlane, byWidth;

    explicit Problem(const Shape4& src, const Extent2d& out)
        : down(src.h, out.h),
          across(src.w, out.w),
          coveringDown(out.h, src.h),
          coveringAcross(out.w, src.w),
          byOutPlane(out.h * out.w),
          byPlane(src.h * src.w),
          byWidth(src.w) {}
};

/// The sum over neighbouring threads, 2 to the power of `lanes` of them, in the first.
__device__ float sumOfLanes(float sum, int lanes) {
    for (int step = 1 << min(lanes, 5) >> 1; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0U, sum, step);
    if (lanes < kBlockLanes)
        return sum;
    __shared__ float ofWarps[kThreads / 32];
    if (threadIdx.x % 32 == 0)
        ofWarps[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (unsigned i = 0; i < kThreads / 32; ++i)
        sum += ofWarps[i];
    return sum;
}

template <bool Small>
__global__ void __launch_bounds__(kThreads) average(const __grid_constant__ Problem<Small> p, int lanes,
                                                    unsigned windows, const float* src, float* dst) {
    const unsigned group = 1U << lanes, lane = threadIdx.x & (group - 1);
    const unsigned window = (blockIdx.x << (kBlockLanes - lanes)) + (threadIdx.x >> lanes);
    unsigned x = min(window, windows - 1); // all threads add up
    const unsigned plane = p.byOutPlane.split(x), y = p.across.byOutputs.split(x);
    const unsigned top = p.down.first(y), left = p.across.first(x);
    const unsigned rows = p.down.last(y) - top, columns = p.across.last(x) - left, width = p.across.inputs;
    const float* corner = src + (std::size_t(plane) * p.down.inputs + top) * width + left;
    float sum = 0;
    if (columns == width) { // one piece of memory
#pragma unroll 4
        for (unsigned i = lane; i < rows * columns; i += group)
            sum += corner[i];
    } else {
        const unsigned stepRows = group / columns, stepColumns = group % columns;
        unsigned row = lane / columns, column = lane % columns;
        while (row < rows) {
            sum += corner[std::size_t(row) * width + column];
            row += stepRows, column += stepColumns;
            if (column >= columns)
                column -= columns, ++row;
        }
    }
    sum = sumOfLanes(sum, lanes);
    if (lane == 0 && window < windows)
        dst[window] = sum / float(rows * columns);
}

template <bool Small>
__global__ void __launch_bounds__(kThreads) spread(const __grid_constant__ Problem<Small> p,
                                                   unsigned elements, const float* dstGrad, float* srcGrad) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= elements)
        return;
    unsigned x = index;
    const unsigned plane = p.byPlane.split(x), y = p.byWidth.split(x);
    const unsigned firstX = p.coveringAcross.first(x), lastX = p.coveringAcross.last(x);
    const unsigned lastY = p.coveringDown.last(y);
    float sum = 0;
    for (unsigned i = p.coveringDown.first(y); i < lastY; ++i) {
        const unsigned rows = p.down.size(i);
        for (unsigned j = firstX; j < lastX; ++j)
            sum += dstGrad[(std::size_t(plane) * p.down.outputs + i) * p.across.outputs + j] /
                   float(rows * p.across.size(j));
    }
    srcGrad[index] = sum;
}

/// Whether all products of an index and an extent stay below 2^31.
bool isSmall(const Shape4& src, const Extent2d& out) {
    const auto fits = [](std::int64_t in, std::int64_t outputs) {
        return (in + 1) * (outputs + 1) < std::int64_t{1} << 31;
    };
    return fits(src.h, out.h) && fits(src.w, out.w);
}

/// log2 of the threads of a window: for some eight elements each; more where windows do not occupy the
/// device, a block where a warp would be at it for long.
int lanesFor(double area, double windows, const DeviceLimits& device) {
    if (area > 4096)
        return kBlockLanes;
    const double threads = 1024.0 * device.multiprocessors;
    int lanes = 0;
    while (lanes < 5 && (1 << lanes) < area && (8 << lanes < area || windows * (1 << lanes) < threads))
        ++lanes;
    return lanes;
}

} // namespace

cudaError_t launch(const AdaptivePoolForward& op, const KernelOperands& o) {
    const std::int64_t windows = op.src.n * op.src.c * op.output.h * op.output.w;
    const double area = double(op.src.h) * double(op.src.w) / (double(op.output.h) * double(op.output.w));
    const int lanes = lanesFor(area, double(windows), o.device);
    const std::int64_t together = kThreads >> lanes;
    const auto blocks = unsigned((windows + together - 1) / together);
    const auto start = [&](auto kernel, const auto& problem) {
        kernel<<<blocks, kThreads, 0, o.stream>>>(problem, lanes, unsigned(windows), o.src[0], o.dst[0]);
    };
    if (isSmall(op.src, op.output))
        start(&average<true>, Problem<true>(op.src, op.output));
    else
        start(&average<false>, Problem<false>(op.src, op.output));
    return cudaGetLastError();
}

cudaError_t launch(const AdaptivePoolBackward& op, const KernelOperands& o) {
    const std::int64_t elements = op.src.elements().value_or(0);
    const auto blocks = unsigned((elements + kThreads - 1) / kThreads);
    const auto start = [&](auto kernel, const auto& problem) {
        kernel<<<blocks, kThreads, 0, o.stream>>>(problem, unsigned(elements), o.src[0], o.dst[0]);
    };
    if (isSmall(op.src, op.output))
        start(&spread<true>, Problem<true>(op.src, op.output));
    else
        start(&spread<false>, Problem<false>(op.src, op.output));
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
