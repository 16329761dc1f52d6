// SPDX-License-Identifier: Apache-2.0
// How the elements of a channel are shared out: several blocks a channel, so that few channels still fill the
// device; each leaves a partial sum, which whoever needs it adds up in order.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/block_sum.cuh"
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/core/shape.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {

/// Grid: x slices of a channel, y channels (the grid's y extent is bounded, so blocks step over them).
struct ChannelWalk {
    unsigned channels, count; ///< count: elements of a channel
    FastDivision plane;
    unsigned slices;

    ChannelWalk(const Shape4& shape, const DeviceLimits& device)
        : channels(static_cast<unsigned>(shape.c)),
          count(static_cast<unsigned>(shape.n * shape.h * shape.w)),
          plane(shape.h * shape.w) {
        const std::int64_t wanted = (std::int64_t{8} * device.multiprocessors + shape.c - 1) / shape.c;
        const std::int64_t useful = (std::int64_t{count} + kSumThreads * 4 - 1) / (kSumThreads * 4);
        slices = static_cast<unsigned>(std::max<std::int64_t>(1, std::min(wanted, useful)));
    }

    std::size_t partialBytes() const { return std::size_t{channels} * slices * sizeof(Pair); }
    dim3 grid() const { return {slices, std::min(channels, 65535U)}; }

#ifdef __CUDACC__
    /// Calls f(index) for this thread's elements of a channel.
    template <class Function>
    __device__ void each(unsigned channel, Function f) const {
        for (unsigned i = blockIdx.x * kSumThreads + threadIdx.x; i < count; i += slices * kSumThreads) {
            unsigned inPlane = i;
            const unsigned image = plane.split(inPlane);
            f((image * channels + channel) * plane.divisor + inPlane);
        }
    }
    /// Calls f(channel) for this block's channels; every thread of the block does.
    template <class Function>
    __device__ void eachChannel(Function f) const {
        for (unsigned channel = blockIdx.y; channel < channels; channel += gridDim.y)
            f(channel);
    }
#endif
};

} // namespace heteroscope::compute::nvidia
