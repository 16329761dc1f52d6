// SPDX-License-Identifier: Apache-2.0
// Vector kernels on a team of threads. Options: threads (1 to 1024; 0 or absent: all cores) and simd
// (baseline, avx2, avx512; absent: the best of this processor).
#pragma once

#include "compute/core/backend.h"

#include <memory>

namespace heteroscope::compute {

std::unique_ptr<Backend> makeOpenmpBackend();

} // namespace heteroscope::compute
