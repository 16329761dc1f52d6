// SPDX-License-Identifier: Apache-2.0
// STEM.checkpoint.json: which archives hold the latest and the best state of one training. Any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"
#include "compute/data/npz.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

inline constexpr const char* kManifestEnding = ".checkpoint.json";

struct KeptState {
    std::int64_t epoch = 0; ///< after which it was kept, from 1
    std::string file;       ///< in the manifest's folder, "STEM.17.npz"
};

struct CheckpointManifest {
    std::int64_t generation = 0; ///< number of the latest archive
    KeptState latest;
    std::optional<KeptState> best;         ///< least validation loss; nothing without validation examples
    std::vector<std::string> superseded{}; ///< archives of the manifest before, to be removed
    Json run = nullptr;                    ///< describeTraining(); null where the list does not say it
};

bool isCheckpointManifest(const std::string& file);              ///< by its ending
bool isGeneration(std::string_view file, std::string_view stem); ///< "run_0.17.npz" of "run_0"
std::string generationFile(std::string_view stem, std::int64_t generation);

/// Errors (BadInput): no such file, damaged, or it names files that are not of its own stem.
Result<CheckpointManifest> readCheckpointManifest(const std::filesystem::path& file);
/// The archives that it names; none when `file` is no list of checkpoints, or cannot be read.
std::vector<std::filesystem::path> keptArchives(const std::filesystem::path& file);
std::string manifestText(const CheckpointManifest& manifest);

/// The weights of a training: those of its best state, of the latest where there is no best.
struct KeptWeights {
    KeptState state;
    bool isBest = false;
    NpzArrays arrays;
};

/// Also while the training goes on and replaces what it kept.
Result<KeptWeights> readKeptWeights(const std::filesystem::path& manifest);

} // namespace heteroscope::compute
