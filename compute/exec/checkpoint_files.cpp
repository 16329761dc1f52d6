// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/checkpoint_files.h"

#include "compute/base/output_file.h"

#include <vector>

namespace heteroscope::compute {
namespace {

namespace fs = std::filesystem;

bool names(const CheckpointManifest& manifest, const std::string& file) {
    return file == manifest.latest.file || (manifest.best && file == manifest.best->file);
}

Error cannotRemove(const fs::path& file, const std::error_code& failure) {
    return {ErrorCode::Io,
            "checkpoints that are no longer needed cannot be removed: " + failure.message(),
            file.string(),
            {},
            "check the rights of the folder, or choose another one"};
}

} // namespace

Result<std::unique_ptr<CheckpointFiles>> CheckpointFiles::open(const fs::path& stem) {
    auto lock = CheckpointLock::take(fs::path(stem).concat(".lock"));
    if (!lock)
        return lock.error();
    std::unique_ptr<CheckpointFiles> files(new CheckpointFiles(stem, std::move(*lock)));
    if (const Status status = files->readManifest(); !status)
        return status.error();
    if (const Status status = files->removeLeftovers(); !status)
        return status.error();
    return files;
}

fs::path CheckpointFiles::withEnding(const char* ending) const {
    return fs::path(m_stem).concat(ending);
}

fs::path CheckpointFiles::latestFile() const {
    return m_stem.parent_path() / m_kept->latest.file;
}

Status CheckpointFiles::readManifest() {
    std::error_code failure;
    if (!fs::exists(manifestFile(), failure) && !failure)
        return {};
    auto manifest = readCheckpointManifest(manifestFile());
    if (!manifest)
        return manifest.error();
    m_generation = manifest->generation;
    m_kept = std::move(*manifest);
    return {};
}

Status CheckpointFiles::removeLeftovers() const {
    const std::string stem = m_stem.filename().string();
    const fs::path folder = m_stem.has_parent_path() ? m_stem.parent_path() : fs::path(".");
    removeAbandonedParts(folder.string(), systemFiles());
    std::error_code failure;
    std::vector<fs::path> leftovers;
    fs::directory_iterator at(folder, failure);
    for (; !failure && at != fs::directory_iterator(); at.increment(failure)) {
        const std::string file = at->path().filename().string();
        if (isGeneration(file, stem) && !(m_kept && names(*m_kept, file)))
            leftovers.push_back(at->path());
    }
    if (failure)
        return cannotRemove(folder, failure);
    for (const fs::path& file : leftovers)
        if (fs::remove(file, failure); failure)
            return cannotRemove(file, failure);
    return {};
}

Status CheckpointFiles::keep(const NpzArrays& state, std::int64_t epoch, bool isBest) {
    CheckpointManifest next;
    next.generation = m_generation + 1;
    next.latest = {epoch, generationFile(m_stem.filename().string(), next.generation)};
    if (isBest)
        next.best = next.latest;
    else if (m_kept)
        next.best = m_kept->best;
    OutputRules rules;
    rules.followLinks = false; // the folder may be a stranger's
    if (const Status status = writeNpz(m_stem.parent_path() / next.latest.file, state, rules); !status)
        return status;
    if (const Status status = writeOutput(manifestFile().string(), manifestText(next), rules); !status)
        return status;
    m_generation = next.generation;
    m_kept = std::move(next);
    return removeLeftovers();
}

} // namespace heteroscope::compute
