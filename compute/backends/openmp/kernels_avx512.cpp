// SPDX-License-Identifier: Apache-2.0
// The kernels for avx512. CMakeLists.txt gives this file its instruction set; nothing else may be compiled
// here.
#include "compute/backends/openmp/kernel_table.h"
#include "compute/backends/openmp/simd_avx512.h"

namespace heteroscope::compute::openmp {

const Kernels kKernelsAvx512 = kernelTable<Simd>();

} // namespace heteroscope::compute::openmp
