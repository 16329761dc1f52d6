// SPDX-License-Identifier: Apache-2.0
// Pooling by patches, for any window: a block copies what its part of the result needs to shared memory, with
// the padding, so that every window is whole there. Each thread walks down a column of windows: it reduces a
// row of the window and takes that into all windows that overlap there. Patches are whole planes, several at
// a time where these are small, or parts of one.
#pragma once

#include "compute/backends/nvidia/kernels/pool/pool_patch_plan.h"

#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// `plan`: what planPatches() says for this direction.
cudaError_t launchPatchForward(PatchPlan plan, const float* srcData, float* dst, cudaStream_t stream);
cudaError_t launchPatchBackward(PatchPlan plan, const float* srcData, const float* dstGrad, float* srcGrad,
                                cudaStream_t stream);

} // namespace heteroscope::compute::nvidia
