// SPDX-License-Identifier: Apache-2.0
// The limit kernels for avx512.
#include "compute/backends/openmp/simd_avx512.h"
#include "tests/bench/compute/limits_kernels.h"

namespace heteroscope::bench {

const LimitKernels kLimitsAvx512 = limitKernels<compute::openmp::Simd>();

} // namespace heteroscope::bench
