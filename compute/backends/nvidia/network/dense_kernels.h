// SPDX-License-Identifier: Apache-2.0
// Dense layers with what follows them, by whichever kernels suit their size. Operands as the operations name
// them; the bias is the epilogue's.
#pragma once

#include "compute/backends/nvidia/network/epilogue.h"
#include "compute/backends/nvidia/network/network_kernels.h"

namespace heteroscope::compute::nvidia {

cudaError_t denseForward(const DenseForward& op, const Epilogue& epilogue, const KernelOperands& o);
cudaError_t denseBackwardData(const DenseBackwardData& op, const Epilogue& epilogue, const KernelOperands& o);

} // namespace heteroscope::compute::nvidia
