// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/checkpoint_manifest.h"

#include "compute/base/json_memory.h"
#include "compute/data/file_bytes.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kMostManifestBytes = 64 << 10;
constexpr std::int64_t kMostGenerations = std::int64_t{1} << 53;
constexpr std::string_view kArchive = ".npz";

Json stateJson(const KeptState& state) {
    return {{"epoch", state.epoch}, {"file", state.file}};
}

/// A whole number from 1; 0 where there is none.
std::int64_t positive(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_unsigned())
        return 0;
    const auto value = found->get<std::uint64_t>();
    return value <= static_cast<std::uint64_t>(kMostGenerations) ? static_cast<std::int64_t>(value) : 0;
}

std::optional<KeptState> stateIn(const Json& manifest, const char* key, std::string_view stem) {
    const auto found = manifest.find(key);
    if (found == manifest.end() || !found->is_object())
        return std::nullopt;
    const auto file = found->find("file");
    KeptState state{positive(*found, "epoch"), {}};
    if (state.epoch == 0 || file == found->end() || !file->is_string())
        return std::nullopt;
    state.file = file->get<std::string>();
    return isGeneration(state.file, stem) ? std::optional(std::move(state)) : std::nullopt;
}

/// The states that may be removed: none where the list is damaged or names a file that is no state of `stem`.
std::optional<std::vector<std::string>> supersededIn(const Json& manifest, std::string_view stem) {
    std::vector<std::string> files;
    const auto found = manifest.find("superseded");
    if (found == manifest.end())
        return files;
    if (!found->is_array())
        return std::nullopt;
    for (const Json& file : *found) {
        if (!file.is_string() || !isGeneration(file.get_ref<const std::string&>(), stem))
            return std::nullopt;
        files.push_back(file.get<std::string>());
    }
    return files;
}

std::string stemOf(const std::filesystem::path& manifest) {
    const std::string name = manifest.filename().string();
    return name.substr(0, name.size() - std::min(name.size(), std::string_view(kManifestEnding).size()));
}

} // namespace

bool isCheckpointManifest(const std::string& file) {
    return file.ends_with(kManifestEnding);
}

bool isGeneration(std::string_view file, std::string_view stem) {
    if (file.size() < stem.size() + 2 + kArchive.size() || !file.starts_with(stem) ||
        file[stem.size()] != '.' || !file.ends_with(kArchive))
        return false;
    const auto number = file.substr(stem.size() + 1, file.size() - stem.size() - 1 - kArchive.size());
    return std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string generationFile(std::string_view stem, std::int64_t generation) {
    return std::string(stem) + "." + std::to_string(generation) + std::string(kArchive);
}

Result<CheckpointManifest> readCheckpointManifest(const std::filesystem::path& file) {
    MemoryBudget budget;
    const auto bytes = readFileBytes(file, kMostManifestBytes, budget);
    if (!bytes)
        return bytes.error();
    const auto parsed =
        parseJson({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, budget, file.string());
    if (!parsed && parsed.error().code == ErrorCode::OutOfMemory)
        return parsed.error();
    const Json json = parsed ? *parsed : Json();
    const std::string stem = stemOf(file);
    CheckpointManifest manifest;
    if (json.is_object() && positive(json, "heteroscope_checkpoint") == 1) {
        manifest.generation = positive(json, "generation");
        manifest.best = stateIn(json, "best", stem);
        auto superseded = supersededIn(json, stem);
        const auto run = json.find("run");
        const bool described = run != json.end();
        if (described)
            manifest.run = *run;
        if (auto latest = stateIn(json, "latest", stem); latest && superseded &&
                                                         manifest.best.has_value() == json.contains("best") &&
                                                         described == manifest.run.is_object()) {
            manifest.latest = std::move(*latest);
            manifest.superseded = std::move(*superseded);
        }
    }
    if (manifest.generation == 0 || manifest.latest.file.empty())
        return badInput(file.string(), "it is damaged, or no list of checkpoints",
                        "what a training with --checkpoints writes",
                        "name a state (.npz) beside it, or a list that is whole");
    return manifest;
}

std::vector<std::filesystem::path> keptArchives(const std::filesystem::path& file) {
    if (!isCheckpointManifest(file.string()))
        return {};
    const auto manifest = readCheckpointManifest(file);
    if (!manifest)
        return {};
    std::vector<std::filesystem::path> archives{file.parent_path() / manifest->latest.file};
    if (manifest->best)
        archives.push_back(file.parent_path() / manifest->best->file);
    return archives;
}

std::string manifestText(const CheckpointManifest& manifest) {
    Json json = {{"heteroscope_checkpoint", 1},
                 {"generation", manifest.generation},
                 {"latest", stateJson(manifest.latest)}};
    if (manifest.best)
        json["best"] = stateJson(*manifest.best);
    if (!manifest.superseded.empty())
        json["superseded"] = manifest.superseded;
    if (manifest.run.is_object())
        json["run"] = manifest.run;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<KeptWeights> readKeptWeights(const std::filesystem::path& manifest) {
    KeptWeights weights;
    for (;;) {
        const auto kept = readCheckpointManifest(manifest);
        if (!kept)
            return kept.error();
        const KeptState& chosen = kept->best ? *kept->best : kept->latest;
        auto arrays = readNpz(manifest.parent_path() / chosen.file);
        if (!arrays && chosen.file != weights.state.file) { // a live training may just have replaced it
            weights.state = chosen;
            continue;
        }
        if (!arrays)
            return arrays.error();
        return KeptWeights{chosen, kept->best.has_value(), std::move(*arrays)};
    }
}

} // namespace heteroscope::compute
