// SPDX-License-Identifier: Apache-2.0
// Sums of many terms for each of some results, cut into slices so that few results still fill the device:
// each slice leaves a partial sum, which are then added in order.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/block_sum.cuh"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// How many slices: 8 blocks a multiprocessor where `blocks` have a slice each, and `least` terms or more in
/// each. At most 65535, which is what a grid's y extent may be.
unsigned sliceCount(std::int64_t blocks, std::int64_t terms, std::int64_t least, const DeviceLimits& device);

/// Where sums go: to the results where there is one slice, else to a partial sum a slice.
struct SlicedSums {
    unsigned results, slices;
    float *first, *second; ///< of Pair's a and b; second may be nullptr
    Pair* partial;         ///< bytes() of memory, partial[slice * results + result]; nullptr for one slice

    SlicedSums(std::int64_t count, unsigned slicesOfEach, float* a, float* b, void* workspace)
        : results(static_cast<unsigned>(count)),
          slices(slicesOfEach),
          first(a),
          second(b),
          partial(slicesOfEach == 1 ? nullptr : static_cast<Pair*>(workspace)) {}

    static std::size_t bytes(std::int64_t results, unsigned slices) {
        return slices == 1 ? 0 : static_cast<std::size_t>(results) * slices * sizeof(Pair);
    }

#ifdef __CUDACC__
    __device__ void write(unsigned result, const Pair& sum) const {
        first[result] = float(sum.a);
        if (second != nullptr)
            second[result] = float(sum.b);
    }
    __device__ void put(unsigned slice, unsigned result, const Pair& sum) const {
        if (partial == nullptr)
            write(result, sum);
        else
            partial[std::size_t(slice) * results + result] = sum;
    }
#endif
};

/// Adds the partial sums, where there are some.
cudaError_t launchSliceSums(const SlicedSums& sums, cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
