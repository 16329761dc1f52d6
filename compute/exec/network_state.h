// SPDX-License-Identifier: Apache-2.0
// Fills a network before its first step: initial weights, statistics, and made-up images where there are no
// others.
#pragma once

#include "compute/exec/network_executor.h"
#include "compute/experiment/spec/spec.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// A parameter or state before the first step.
struct InitialTensor {
    std::size_t layer = 0, index = 0; ///< index: among the layer's parameters, or its states
    bool isState = false;
    bool given =
        false;        ///< from the training section's weights; else drawn, or what such a tensor begins with
    std::string name; ///< "conv1.weight"
    std::vector<std::int64_t> dims;
    std::vector<float> values;
};

/// Hands out every tensor of a sound network, one at a time, until `take` fails. Errors also: given weights
/// of another shape.
Status forInitialState(const Network& network, const TrainingSpec& training,
                       const std::function<Status(InitialTensor)>& take);

/// Every parameter and state as the training section says.
Status writeInitialState(NetworkExecutor& executor, const TrainingSpec& training);

/// Input and target of one batch, from the seed: uniform images; random classes, yes or no, or numbers.
Status writeSyntheticBatch(NetworkExecutor& executor, const TrainingSpec& training);

/// The step's number as bits, the learning rate, and what Adam corrects its moments by.
std::array<float, kStepValues> stepValues(const TrainingSpec& training, std::int64_t step,
                                          double learningRate);

/// The number that dropout draws by, and what the optimiser reads. `step` counts from 0.
Status writeStep(NetworkExecutor& executor, const TrainingSpec& training, std::int64_t step,
                 double learningRate);

} // namespace heteroscope::compute
