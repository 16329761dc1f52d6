// SPDX-License-Identifier: Apache-2.0
// Gathers a batch by a list of rows: a thread an element. Limited by device memory.
#include "compute/backends/nvidia/kernels/common/dependent_launch.cuh"
#include "compute/backends/nvidia/network/step_feed.h"
#include "compute/core/step_feed.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {
namespace {

constexpr unsigned kThreads = 256;

__global__ void __launch_bounds__(kThreads) fetchBatch(FeedArrays a) {
    waitForEarlier();
    const unsigned step = *a.cursor, index = blockIdx.x * kThreads + threadIdx.x;
    const unsigned* rows = a.order + std::size_t(step) * a.batch;
    if (index < a.batch * a.imageElements) {
        unsigned inImage = index;
        const unsigned example = a.image.split(inImage);
        a.input[index] = a.images[std::size_t(rows[example]) * a.imageElements + inImage];
    }
    if (index < a.batch * a.targetElements) {
        const unsigned example = index / a.targetElements, inTarget = index % a.targetElements;
        a.target[index] = a.targets[std::size_t(rows[example]) * a.targetElements + inTarget];
    }
    const float* values = a.values + std::size_t(step) * kStepValues;
    if (index == 0)
        *a.step = values[0];
    else if (index < kStepValues && a.hyper != nullptr)
        a.hyper[index - 1] = values[index];
}

__global__ void keepFigures(const float* figures, const float* gradientSquares, float* rows,
                            unsigned* cursor) {
    waitForEarlier();
    const unsigned step = *cursor, each = gradientSquares == nullptr ? 2 : 3;
    __syncwarp();
    if (threadIdx.x < each)
        rows[std::size_t(step) * each + threadIdx.x] =
            threadIdx.x < 2 ? figures[threadIdx.x] : *gradientSquares;
    if (threadIdx.x == 0)
        *cursor = step + 1;
}

} // namespace

cudaError_t launchFetch(const FeedArrays& arrays, cudaStream_t stream) {
    const unsigned elements = arrays.batch * std::max(arrays.imageElements, arrays.targetElements);
    const unsigned threads = std::max(elements, unsigned(kStepValues));
    return startDependent(fetchBatch, (threads + kThreads - 1) / kThreads, kThreads, 0, stream, arrays);
}

cudaError_t launchKeep(const float* figures, const float* gradientSquares, float* rows, unsigned* cursor,
                       cudaStream_t stream) {
    return startDependent(keepFigures, 1, 32, 0, stream, figures, gradientSquares, rows, cursor);
}

} // namespace heteroscope::compute::nvidia
