// SPDX-License-Identifier: Apache-2.0
// oneDNN's max-pooling backward alone, with the workspace of a forward pass made beforehand.
#pragma once

#include "compute/core/op.h"

#include <functional>

namespace heteroscope::bench {

/// Runs the backward pass alone; empty when there is no oneDNN.
std::function<void()> onednnBackwardAlone(const compute::PoolBackward& op, const float* src,
                                          const float* dstGrad, float* srcGrad, int threads);

} // namespace heteroscope::bench
