// SPDX-License-Identifier: Apache-2.0
// Our own CUDA kernels as an implementation: pooling and matrix products. Options: kernel (a rung of the
// ladder of matrix products; default register), host (pageable, pinned).
#pragma once

#include "compute/core/module.h"

#include <memory>

namespace heteroscope::compute::nvidia {

/// Main thread.
std::unique_ptr<BackendModule> makeCudaModule();

} // namespace heteroscope::compute::nvidia
