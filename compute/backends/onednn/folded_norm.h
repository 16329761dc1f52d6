// SPDX-License-Identifier: Apache-2.0
// A convolution's weights and bias with the normalisation behind it taken in. With given statistics that is a
// factor and a summand for each filter: gamma / sqrt(variance + epsilon) and beta - mean times that.
#pragma once

#include "compute/backends/onednn/reorder_op.h"

#include <memory>
#include <string>
#include <vector>

namespace heteroscope::compute::onednn {

/// The reorder of the weights that it ends with.
Reordering reorderingOf(const Folding& folding);
/// "onednn:batchnorm+reorder oihw->Ohwi16o"
std::string foldedImplementation(const Folding& folding);
std::size_t foldedWorkspaceBytes(const Folding& folding);
/// What it reads of the operands of the whole: weights, gamma, beta, mean, variance, and the bias if there is
/// one.
std::vector<int> foldedOperands(const Folding& folding, const std::vector<int>& src);

/// Writes weights as the convolution wants them, and a bias. `name`: as PlannedOp::reorder. Throws
/// dnnl::error.
std::unique_ptr<PreparedOp> makeFoldedNorm(Context& context, const Folding& folding, const std::string& name);

} // namespace heteroscope::compute::onednn
