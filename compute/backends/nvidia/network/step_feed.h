// SPDX-License-Identifier: Apache-2.0
// Batches and figures of a training on the device.
#pragma once

#include "compute/backends/nvidia/device/cuda_session.h"
#include "compute/backends/nvidia/kernels/common/fast_division.h"

#include <memory>

namespace heteroscope::compute::nvidia {

/// With the images resident where the session's options and the memory allow it, else streamed through
/// page-locked memory beside the computing. The session outlives the feed.
Result<std::unique_ptr<StepFeed>> makeCudaStepFeed(CudaSession& session, const StepFeedPlan& plan);

/// What the kernels of a feed read and write; all device memory. `cursor`: the step, one number.
struct FeedArrays {
    const float *images, *targets, *values;
    const unsigned* order; ///< of rows of images, a batch a step
    unsigned* cursor;
    float *input, *target, *step, *hyper; ///< hyper may be nullptr
    unsigned batch, imageElements, targetElements;
    FastDivision image;
};

/// Copies the rows and values of the step at the cursor.
cudaError_t launchFetch(const FeedArrays& arrays, cudaStream_t stream);
/// rows[cursor] = figures (two numbers) and, unless nullptr, gradientSquares (one), then the cursor goes on.
cudaError_t launchKeep(const float* figures, const float* gradientSquares, float* rows, unsigned* cursor,
                       cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
