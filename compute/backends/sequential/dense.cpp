// SPDX-License-Identifier: Apache-2.0
// The fully connected layer as the definition says it, summed in double precision.
#include "compute/backends/sequential/sequential_ops.h"

namespace heteroscope::compute::sequential {

void compute(const DenseForward& op, const HostOperands& operands) {
    const float *src = operands.src[0], *weights = operands.src[1];
    const std::int64_t inputs = op.params.inputs, units = op.params.units;
    for (std::int64_t n = 0; n < op.batch; ++n)
        for (std::int64_t u = 0; u < units; ++u) {
            double sum = op.params.bias ? static_cast<double>(operands.src[2][u]) : 0.0;
            for (std::int64_t i = 0; i < inputs; ++i)
                sum +=
                    static_cast<double>(src[n * inputs + i]) * static_cast<double>(weights[u * inputs + i]);
            operands.dst[0][n * units + u] = static_cast<float>(sum);
        }
}

void compute(const DenseBackwardData& op, const HostOperands& operands) {
    const float *dstGrad = operands.src[0], *weights = operands.src[1];
    const std::int64_t inputs = op.params.inputs, units = op.params.units;
    for (std::int64_t n = 0; n < op.batch; ++n)
        for (std::int64_t i = 0; i < inputs; ++i) {
            double sum = 0.0;
            for (std::int64_t u = 0; u < units; ++u)
                sum += static_cast<double>(dstGrad[n * units + u]) *
                       static_cast<double>(weights[u * inputs + i]);
            operands.dst[0][n * inputs + i] = static_cast<float>(sum);
        }
}

void compute(const DenseBackwardWeights& op, const HostOperands& operands) {
    const float *src = operands.src[0], *dstGrad = operands.src[1];
    const std::int64_t inputs = op.params.inputs, units = op.params.units;
    for (std::int64_t u = 0; u < units; ++u) {
        double bias = 0.0;
        for (std::int64_t n = 0; n < op.batch; ++n)
            bias += static_cast<double>(dstGrad[n * units + u]);
        if (op.params.bias)
            operands.dst[1][u] = static_cast<float>(bias);
        for (std::int64_t i = 0; i < inputs; ++i) {
            double sum = 0.0;
            for (std::int64_t n = 0; n < op.batch; ++n)
                sum += static_cast<double>(src[n * inputs + i]) * static_cast<double>(dstGrad[n * units + u]);
            operands.dst[0][u * inputs + i] = static_cast<float>(sum);
        }
    }
}

} // namespace heteroscope::compute::sequential
