// SPDX-License-Identifier: Apache-2.0
// The specification's result of an operation on host memory, without a session.
#pragma once

#include "compute/backends/sequential/sequential_ops.h"

#include <vector>

namespace heteroscope::compute {

template <class OneOp>
void computeSequential(const OneOp& op, const std::vector<const float*>& src, const std::vector<float*>& dst) {
    sequential::compute(op, {src, dst});
}

} // namespace heteroscope::compute
