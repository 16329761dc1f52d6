// SPDX-License-Identifier: Apache-2.0
// The full state of a training as a NumPy archive: what a resumed one needs to go on as if it had never
// stopped. One thread.
#pragma once

#include "compute/data/npz.h"
#include "compute/exec/network_executor.h"

#include <cstdint>
#include <vector>

namespace heteroscope::compute {

/// Where a training stands; always between two epochs.
struct TrainingProgress {
    std::int64_t epoch = 0, step = 0;
    std::vector<std::vector<double>> series; ///< one number an epoch, in the order of the caller's names
};

/// Parameters and states by their names ("conv1.weight"), which `evaluate` reads too; the optimiser's moments
/// as "optimizer.first_moment" ...; progress as "training.progress" and "training.series".
Result<NpzArrays> trainingState(NetworkExecutor& executor, const TrainingProgress& progress);

/// Errors (BadInput) name the tensor that is missing or has another shape: the archive of another network.
Result<TrainingProgress> restoreTrainingState(NetworkExecutor& executor, const NpzArrays& arrays);

} // namespace heteroscope::compute
