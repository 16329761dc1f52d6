// SPDX-License-Identifier: Apache-2.0
// The plain loops. Operands are host pointers of the sizes that operandElements() gives; shapes are valid.
#pragma once

#include "compute/core/op.h"

namespace heteroscope::compute::sequential {

void poolForward(const PoolForward& op, const float* src, float* dst);
void poolBackward(const PoolBackward& op, const float* src, const float* dstGrad, float* srcGrad);
void gemm(const Gemm& op, const float* a, const float* b, float* c);

} // namespace heteroscope::compute::sequential
