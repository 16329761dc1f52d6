// SPDX-License-Identifier: Apache-2.0
// NVIDIA's cuBLAS as an implementation of matrix products. Options: tf32 (off, on), host (pageable, pinned).
#pragma once

#include "compute/core/module.h"

#include <memory>

namespace heteroscope::compute::nvidia {

/// Main thread.
std::unique_ptr<BackendModule> makeCublasModule();

} // namespace heteroscope::compute::nvidia
