// SPDX-License-Identifier: Apache-2.0
// Steps of the optimisers, in double precision.
#include "compute/backends/sequential/sequential_ops.h"

#include <cmath>

namespace heteroscope::compute::sequential {

void compute(const Sgd& op, const HostOperands& operands) {
    const auto rate = static_cast<double>(operands.src[2][0]);
    for (std::int64_t i = 0; i < op.elements; ++i) {
        const auto weight = static_cast<double>(operands.src[0][i]);
        const double gradient = static_cast<double>(operands.src[1][i]) + op.weightDecay * weight;
        double step = gradient;
        if (op.momentum != 0.0) {
            const double velocity = op.momentum * static_cast<double>(operands.src[3][i]) + gradient;
            operands.dst[1][i] = static_cast<float>(velocity);
            step = op.nesterov ? gradient + op.momentum * velocity : velocity;
        }
        operands.dst[0][i] = static_cast<float>(weight - rate * step);
    }
}

void compute(const Adam& op, const HostOperands& operands) {
    const float* hyper = operands.src[2];
    const auto rate = static_cast<double>(hyper[0]), c1 = static_cast<double>(hyper[1]),
               c2 = static_cast<double>(hyper[2]);
    for (std::int64_t i = 0; i < op.elements; ++i) {
        const auto weight = static_cast<double>(operands.src[0][i]);
        const double gradient = static_cast<double>(operands.src[1][i]) + op.weightDecay * weight;
        const double m = op.beta1 * static_cast<double>(operands.src[3][i]) + (1.0 - op.beta1) * gradient;
        const double v =
            op.beta2 * static_cast<double>(operands.src[4][i]) + (1.0 - op.beta2) * gradient * gradient;
        operands.dst[0][i] = static_cast<float>(weight - rate * (m * c1) / (std::sqrt(v * c2) + op.epsilon));
        operands.dst[1][i] = static_cast<float>(m);
        operands.dst[2][i] = static_cast<float>(v);
    }
}

} // namespace heteroscope::compute::sequential
