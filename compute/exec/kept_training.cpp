// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/kept_training.h"

#include "compute/base/fnv1a.h"
#include "compute/experiment/spec/spec_json.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kLongestDescription = 32 << 10; ///< bytes; its list of checkpoints holds at most 64 KiB
constexpr std::size_t kLongestText = 200;             ///< of one value
constexpr std::size_t kMostNamed = 5;                 ///< differences in one sentence
constexpr char kDigestMark = '#';

std::string textOf(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// "#" and the FNV-1a hash of its JSON: tells that something differs, not what.
Json digestOf(const Json& value) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "%c%016llx", kDigestMark,
                  static_cast<unsigned long long>(fnv1a(textOf(value))));
    return text.data();
}

/// As a sentence shows it; of digests and of what is no single value nothing.
std::string shown(const Json* value) {
    if (value == nullptr)
        return "not given";
    const bool digest = value->is_string() && value->get<std::string>().starts_with(kDigestMark);
    return digest || !value->is_primitive() ? std::string() : textOf(*value);
}

const Json* at(const Json& object, const std::string& key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

std::string difference(const std::string& pointer, const Json* kept, const Json* now) {
    const std::string before = shown(kept), here = shown(now);
    if (before.empty() || here.empty())
        return pointer + " differs";
    return pointer + " is " + here + " and was " + before;
}

std::vector<std::string> differences(const Json& kept, const Json& now) {
    std::vector<std::string> found;
    for (const auto& [pointer, value] : now.items())
        if (const Json* const before = at(kept, pointer); before == nullptr || *before != value)
            found.push_back(difference(pointer, before, &value));
    for (const auto& [pointer, value] : kept.items())
        if (!now.contains(pointer))
            found.push_back(difference(pointer, &value, nullptr));
    return found;
}

Error otherTraining(const std::filesystem::path& manifest, const std::vector<std::string>& found) {
    std::string text = "its states are of another training: ";
    for (std::size_t i = 0; i < std::min(found.size(), kMostNamed); ++i)
        text += (i == 0 ? "" : ", ") + found[i];
    if (found.size() > kMostNamed)
        text += " and " + std::to_string(found.size() - kMostNamed) + " more";
    return badInput(manifest.string(), text,
                    "the experiment that they were kept with; /training/epochs and /training/patience, name, "
                    "sampling and targets may differ",
                    "resume with that experiment, or train anew in another folder");
}

Error undescribed(const std::filesystem::path& manifest) {
    return badInput(manifest.string(),
                    "it does not say of which training its states are, so that they cannot be compared with "
                    "the experiment",
                    "a list that names its training in \"run\"",
                    "add --force to go on from them all the same, or train anew in another folder");
}

} // namespace

Json describeTraining(const ExperimentSpec& pointSpec) {
    if (pointSpec.kind != ExperimentKind::Network)
        return Json::object();
    const Json document = specToJson(pointSpec);
    Json parts = Json::object();
    for (const char* key : {"task", "network", "training", "data"})
        if (document.contains(key))
            parts[key] = document.at(key);
    for (const char* key : {"epochs", "patience", "gradient_norm"})
        parts["training"].erase(key);
    Json detailed = parts;
    for (Json& layer : detailed["network"]["layers"])
        layer = digestOf(layer);
    Json description = detailed.flatten();
    for (auto& [pointer, value] : description.items())
        if (textOf(value).size() > kLongestText)
            value = digestOf(value);
    if (textOf(description).size() <= kLongestDescription)
        return description;
    for (auto& [key, value] : parts.items())
        value = digestOf(value);
    return parts.flatten();
}

Status mayUseKept(const CheckpointManifest& kept, const std::filesystem::path& manifest,
                  const KeptStates& states) {
    if (!states.resume && !states.replace)
        return badInput(manifest.string(),
                        "a training has kept its state after epoch " + std::to_string(kept.latest.epoch) +
                            " here, which another one would replace",
                        "a folder without states of this run",
                        "go on from it with --resume, choose another folder, or begin anew with --force");
    if (!states.resume)
        return {};
    if (!kept.run.is_object())
        return states.replace ? Status() : Status(undescribed(manifest));
    const auto found = differences(kept.run, states.description);
    return found.empty() ? Status() : Status(otherTraining(manifest, found));
}

Error damagedList(Error error, bool resume) {
    if (error.code == ErrorCode::BadInput)
        error.advice =
            std::string(resume ? "put a whole list back, or leave --resume out and begin anew with "
                               : "begin anew with ") +
            "--force, which writes over it, or choose another folder";
    return error;
}

std::filesystem::path stemOfRun(const std::filesystem::path& folder, int run) {
    return folder / ("run_" + std::to_string(run));
}

Status checkKeptStates(const ExperimentSpec& spec, const std::filesystem::path& folder, bool resume,
                       bool replace) {
    const bool trains = spec.kind == ExperimentKind::Network && spec.network.trainsOnDataset();
    if (folder.empty() || !trains || spec.network.training.findLearningRate)
        return {}; // nothing is kept
    const auto points = expandPoints(spec);
    if (!points)
        return points.error();
    int run = 0;
    for (const ExperimentPoint& point : *points)
        for (std::size_t target = 0; target < spec.targets.size(); ++target, ++run) {
            const auto manifest = stemOfRun(folder, run).concat(kManifestEnding);
            std::error_code failure;
            if (!std::filesystem::exists(manifest, failure))
                continue;
            const auto kept = readCheckpointManifest(manifest);
            if (!kept && kept.error().code == ErrorCode::BadInput && replace && !resume)
                continue;
            if (!kept)
                return damagedList(kept.error(), resume);
            const KeptStates states{stemOfRun(folder, run), resume, replace, describeTraining(point.spec)};
            if (const Status status = mayUseKept(*kept, manifest, states); !status)
                return status;
        }
    return {};
}

} // namespace heteroscope::compute
