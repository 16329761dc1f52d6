// SPDX-License-Identifier: Apache-2.0
// The limit kernels for baseline.
#include "compute/backends/openmp/simd_baseline.h"
#include "tests/bench/compute/limits_kernels.h"

namespace heteroscope::bench {

const LimitKernels kLimitsBaseline = limitKernels<compute::openmp::Simd>();

} // namespace heteroscope::bench
