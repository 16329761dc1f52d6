// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies to shared memory.
#pragma once

#include <cuda_pipeline.h>

namespace heteroscope::compute::nvidia {

/// Until all copies that threads of the block began before are there, for every thread.
__device__ __forceinline__ void waitForCopies() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

} // namespace heteroscope::compute::nvidia
