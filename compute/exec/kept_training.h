// SPDX-License-Identifier: Apache-2.0
// Which training a kept state belongs to, and whether another run may go on from it or take its place. Pure
// but for checkKeptStates(); any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"
#include "compute/exec/checkpoint_manifest.h"
#include "compute/experiment/spec/spec.h"

#include <filesystem>

namespace heteroscope::compute {

/// Where and how a training keeps its states.
struct KeptStates {
    std::filesystem::path stem;        ///< "FOLDER/run_0"; the endings are added
    bool resume = false;               ///< go on from there
    bool replace = false;              ///< begin anew although there are states
    Json description{};                ///< describeTraining()
    std::vector<std::string> inputs{}; ///< files that the study reads, which stay where they are
};

/// What decides the result of a point's training, as pointers into the experiment with their values: task,
/// network, data and training, but for how long it goes on (epochs, patience) and what is only told
/// (gradient_norm). Layers are digests, and where all that is long each part is one; at most some 32 KiB.
/// Empty of what is no network.
Json describeTraining(const ExperimentSpec& pointSpec);

/// Errors (BadInput): the state is another training's, with the pointers that differ; without `resume` and
/// `replace`, that there is a state. One that was kept without a description is gone on from with both only.
Status mayUseKept(const CheckpointManifest& kept, const std::filesystem::path& manifest,
                  const KeptStates& states);

/// What to do about a list of checkpoints that is damaged, where a training wants to keep its states there.
Error damagedList(Error error, bool resume);

/// The same of all runs of a study, "FOLDER/run_0" and so on, before anything is computed. Errors as above;
/// expandPoints()'s; a list of checkpoints that cannot be read, unless it is damaged and replaced.
Status checkKeptStates(const ExperimentSpec& spec, const std::filesystem::path& folder, bool resume,
                       bool replace);

/// The stem of a run's states.
std::filesystem::path stemOfRun(const std::filesystem::path& folder, int run);

} // namespace heteroscope::compute
