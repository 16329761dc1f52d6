// SPDX-License-Identifier: Apache-2.0
// Choosing the kernels for an instruction set.
#include "compute/backends/openmp/kernels.h"

namespace heteroscope::compute::openmp {

const Kernels& kernelsFor(SimdLevel level) {
    switch (level) {
    case SimdLevel::Avx512:
        return kKernelsAvx512;
    case SimdLevel::Avx2:
        return kKernelsAvx2;
    case SimdLevel::Baseline:
        break;
    }
    return kKernelsBaseline;
}

} // namespace heteroscope::compute::openmp
