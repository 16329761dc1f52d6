// SPDX-License-Identifier: Apache-2.0
// The kernels for avx2. CMakeLists.txt gives this file its instruction set; nothing else may be compiled
// here.
#include "compute/backends/openmp/kernel_table.h"
#include "compute/backends/openmp/simd_avx2.h"

namespace heteroscope::compute::openmp {

const Kernels kKernelsAvx2 = kernelTable<Simd>();

} // namespace heteroscope::compute::openmp
