// SPDX-License-Identifier: Apache-2.0
// Matrix multiplication as the definition says it, summed in double precision.
#include "compute/backends/sequential/sequential_ops.h"

namespace heteroscope::compute::sequential {

void compute(const Gemm& op, const HostOperands& operands) {
    const float *a = operands.src[0], *b = operands.src[1];
    float* c = operands.dst[0];
    for (std::int64_t row = 0; row < op.m; ++row) {
        for (std::int64_t column = 0; column < op.n; ++column) {
            double sum = 0.0;
            for (std::int64_t i = 0; i < op.k; ++i)
                sum += static_cast<double>(a[row * op.k + i]) * static_cast<double>(b[i * op.n + column]);
            c[row * op.n + column] = static_cast<float>(sum);
        }
    }
}

} // namespace heteroscope::compute::sequential
