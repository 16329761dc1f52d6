// SPDX-License-Identifier: Apache-2.0
// A network on given tensors: forward, and as asked loss, gradients and steps of the optimiser. One thread.
#pragma once

#include "compute/base/result.h"
#include "compute/core/backend.h"
#include "compute/data/npz.h"
#include "compute/experiment/spec/spec.h"

namespace heteroscope::cli {

struct EvaluateOptions {
    bool backward = false;
    std::string loss, optimizer; ///< empty: the experiment's
    int steps = 0;               ///< of the optimiser; 0: none
};

/// IN: `input` (its first dimension is the batch); `<layer>.weight`, `<layer>.bias` of every layer that has
/// some;
/// `<layer>.running_mean` and `running_var` (while training: initial ones where they are left out); `target`
/// for the loss, or `output.grad` where there is none. OUT: `<layer>.output`, `output`; with a loss `loss`;
/// backward: `input.grad`, `<layer>.weight.grad` ...; with steps the parameters and statistics after the last
/// one, and `losses` before each. Output, loss and gradients are those of the given parameters. Forward alone
/// is inference: dropout does nothing, and normalisation takes the running statistics.
Result<compute::NpzArrays> evaluateNetwork(const compute::NetworkExperiment& experiment,
                                           const compute::NpzArrays& tensors, const EvaluateOptions& options,
                                           compute::Session& session);

} // namespace heteroscope::cli
