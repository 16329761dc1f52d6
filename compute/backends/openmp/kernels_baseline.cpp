// SPDX-License-Identifier: Apache-2.0
// The kernels for baseline. CMakeLists.txt gives this file its instruction set; nothing else may be compiled
// here.
#include "compute/backends/openmp/kernel_table.h"
#include "compute/backends/openmp/simd_baseline.h"

namespace heteroscope::compute::openmp {

const Kernels kKernelsBaseline = kernelTable<Simd>();

} // namespace heteroscope::compute::openmp
