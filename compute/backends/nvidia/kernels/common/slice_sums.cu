// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/kernels/common/block_sum.cuh"
#include "compute/backends/nvidia/kernels/common/slice_sums.cuh"

#include <algorithm>

namespace heteroscope::compute::nvidia {
namespace {

__global__ void __launch_bounds__(kSumThreads) addSlices(SlicedSums sums) {
    const unsigned i = blockIdx.x * kSumThreads + threadIdx.x;
    if (i >= sums.results)
        return;
    Pair sum;
    for (unsigned slice = 0; slice < sums.slices; ++slice)
        sum.add(sums.partial[std::size_t(slice) * sums.results + i]);
    sums.write(i, sum);
}

} // namespace

unsigned sliceCount(std::int64_t blocks, std::int64_t terms, std::int64_t least, const DeviceLimits& device) {
    const std::int64_t wanted = (std::int64_t{8} * device.multiprocessors + blocks - 1) / blocks;
    const std::int64_t useful = std::min<std::int64_t>((terms + least - 1) / least, 65535);
    return static_cast<unsigned>(std::max<std::int64_t>(1, std::min(wanted, useful)));
}

cudaError_t launchSliceSums(const SlicedSums& sums, cudaStream_t stream) {
    if (sums.partial != nullptr)
        addSlices<<<(sums.results + kSumThreads - 1) / kSumThreads, kSumThreads, 0, stream>>>(sums);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
