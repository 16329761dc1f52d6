// SPDX-License-Identifier: Apache-2.0
// oneDNN's primitives alone: without what else our implementation of an op does in its time.
#pragma once

#include "compute/core/op.h"

#include <functional>

namespace heteroscope::bench {

/// A convolution on source, weights and result in the layouts that the library chooses, with no reorder in
/// its time: the least that it takes. Empty when there is no oneDNN.
std::function<void()> onednnConvolutionAlone(const compute::ConvForward& op, int threads);

/// Max-pooling backward with the workspace of a forward pass made beforehand; empty when there is no oneDNN.
std::function<void()> onednnBackwardAlone(const compute::PoolBackward& op, const float* src,
                                          const float* dstGrad, float* srcGrad, int threads);

} // namespace heteroscope::bench
