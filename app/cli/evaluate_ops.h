// SPDX-License-Identifier: Apache-2.0
// One forward or backward computation on given tensors. One thread.
#pragma once

#include "app/cli/evaluate_network.h"
#include "compute/base/result.h"
#include "compute/core/backend.h"
#include "compute/data/npz.h"
#include "compute/experiment/spec/spec.h"

namespace heteroscope::cli {

/// Pooling: `input` (up to four dimensions, the last two are rows and columns) -> `output`; backward also
/// takes `output.grad` and gives `input.grad`. Matmul: `input` (m x k) and `right` (k x n) -> `output`;
/// backward gives `input.grad` and `right.grad`. Networks: evaluate_network.h. Shapes come from the tensors.
/// Errors name the tensor.
Result<compute::NpzArrays> evaluateTensors(const compute::ExperimentSpec& spec,
                                           const compute::NpzArrays& tensors, const EvaluateOptions& options,
                                           compute::Session& session);

} // namespace heteroscope::cli
