// SPDX-License-Identifier: Apache-2.0
// Adds the slices of a product whose k was cut: each group of threads of a block takes every eighth slice,
// and the groups' sums are added in order. Limited by the bandwidth of the second-level cache, which mostly
// still holds the slices.
#include "compute/backends/nvidia/kernels/common/dependent_launch.cuh"
#include "compute/backends/nvidia/kernels/gemm/gemm_launch.h"

#include <cstdint>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kElements = 32, kGroups = 8; ///< of a block: groups of Width elements, groups of threads

/// `all`: elements of a slice, a multiple of Width.
template <int Width>
__global__ void __launch_bounds__(kElements* kGroups)
    addSlices(const float* partial, float* c, std::size_t all, int count) {
    waitForEarlier();
    struct alignas(Width * sizeof(float)) Vector {
        float of[Width];
    };
    __shared__ Vector ofGroups[kGroups][kElements];
    const int element = int(threadIdx.x) % kElements, group = int(threadIdx.x) / kElements;
    const std::size_t index = (std::size_t(blockIdx.x) * kElements + element) * Width;
    Vector sum{};
    if (index < all) {
#pragma unroll 4
        for (int slice = group; slice < count; slice += kGroups) {
            const Vector one = *reinterpret_cast<const Vector*>(partial + slice * all + index);
#pragma unroll
            for (int i = 0; i < Width; ++i)
                sum.of[i] += one.of[i];
        }
    }
    ofGroups[group][element] = sum;
    __syncthreads();
    if (group > 0 || index >= all)
        return;
#pragma unroll
    for (int other = 1; other < kGroups; ++other)
#pragma unroll
        for (int i = 0; i < Width; ++i)
            sum.of[i] += ofGroups[other][element].of[i];
    *reinterpret_cast<Vector*>(c + index) = sum;
}

} // namespace

cudaError_t launchAddSlices(const GemmProblem& problem, const GemmSlices& slices, cudaStream_t stream) {
    const std::size_t all = std::size_t(problem.m) * std::size_t(problem.n);
    const bool vectors = all % 4 == 0 && reinterpret_cast<std::uintptr_t>(problem.c) % 16 == 0 &&
                         reinterpret_cast<std::uintptr_t>(slices.partial) % 16 == 0;
    const std::size_t perBlock = std::size_t(kElements) * (vectors ? 4 : 1);
    return startDependent(vectors ? addSlices<4> : addSlices<1>, unsigned((all + perBlock - 1) / perBlock),
                          kElements * kGroups, 0, stream, slices.partial, problem.c, all, slices.count);
}

} // namespace heteroscope::compute::nvidia
