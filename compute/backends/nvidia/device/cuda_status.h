// SPDX-License-Identifier: Apache-2.0
// CUDA's error codes as our errors, in words a person can act on. Any thread.
#pragma once

#include "compute/base/result.h"

#include <cuda_runtime_api.h>
#include <string>

namespace heteroscope::compute::nvidia {

/// Success, or the error: out of memory keeps its class (OutOfMemory), a lost device or a kernel fault says
/// that the process has to be started again, since CUDA accepts no further work in it. `what` is a clause:
/// "copying to the device"; `where` names the device or the operation.
Status cudaStatus(cudaError_t code, const std::string& what, const std::string& where);

/// Whether the code leaves the process without a usable context.
bool isSticky(cudaError_t code);

} // namespace heteroscope::compute::nvidia
