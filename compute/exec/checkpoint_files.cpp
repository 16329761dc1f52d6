// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/checkpoint_files.h"

#include "compute/base/output_place.h"

#include <cerrno>
#include <system_error>
#include <vector>

namespace heteroscope::compute {
namespace {

namespace fs = std::filesystem;

bool names(const CheckpointManifest& manifest, const std::string& file) {
    return file == manifest.latest.file || (manifest.best && file == manifest.best->file);
}

bool isLink(const fs::path& path) {
    std::error_code ignored;
    return fs::is_symlink(fs::symlink_status(path, ignored));
}

Error linkedState(const fs::path& path) {
    return badInput(path.string(), "the state of a training is a symbolic link, which is not followed here",
                    "a file", "copy the file that it leads to in its place");
}

Error cannotRemove(const fs::path& file, int number) {
    return systemRefusal(ErrorCode::Io, file.string(),
                         "checkpoints that are no longer needed cannot be removed", number, {},
                         "check the rights of the folder, or choose another one");
}

} // namespace

Result<std::unique_ptr<CheckpointFiles>> CheckpointFiles::open(const fs::path& stem,
                                                               std::vector<std::string> inputs,
                                                               FileSystem& disk, bool replaceDamaged) {
    auto lock = CheckpointLock::take(fs::path(stem).concat(".lock"));
    if (!lock)
        return lock.error();
    std::unique_ptr<CheckpointFiles> files(
        new CheckpointFiles(stem, std::move(*lock), std::move(inputs), disk));
    if (const Status status = checkOutput(files->manifestFile().string(), files->outputRules()); !status)
        return status.error(); // now, and not after the first epoch
    if (const Status status = files->readManifest(replaceDamaged); !status)
        return status.error();
    if (const Status status = files->removeLeftovers(); !status)
        return status.error();
    return files;
}

OutputRules CheckpointFiles::outputRules() const {
    OutputRules rules;
    rules.followLinks = false;  // the folder may be a stranger's
    rules.keepUnplaced = false; // no list would name it
    rules.inputs = m_inputs;
    return rules;
}

fs::path CheckpointFiles::withEnding(const char* ending) const {
    return fs::path(m_stem).concat(ending);
}

fs::path CheckpointFiles::latestFile() const {
    return m_stem.parent_path() / m_kept->latest.file;
}

/// Links are not followed: the folder may be a stranger's.
Result<CheckpointManifest> CheckpointFiles::manifestOfTheFolder() const {
    if (isLink(manifestFile()))
        return linkedState(manifestFile());
    auto manifest = readCheckpointManifest(manifestFile());
    if (!manifest)
        return manifest;
    std::vector<std::string> files{manifest->latest.file};
    if (manifest->best)
        files.push_back(manifest->best->file);
    for (const std::string& file : files)
        if (isLink(archive(file)))
            return linkedState(archive(file));
    return manifest;
}

Status CheckpointFiles::readManifest(bool replaceDamaged) {
    std::error_code failure;
    if (!fs::exists(manifestFile(), failure) && !failure)
        return {};
    auto manifest = manifestOfTheFolder();
    m_damaged = !manifest && replaceDamaged && manifest.error().code == ErrorCode::BadInput;
    if (m_damaged)
        return {};
    if (!manifest)
        return manifest.error();
    m_generation = manifest->generation;
    m_kept = m_onDisk = std::move(*manifest);
    return {};
}

Status CheckpointFiles::removeLeftovers() const {
    const fs::path folder = m_stem.has_parent_path() ? m_stem.parent_path() : fs::path(".");
    removeAbandonedParts(folder.string(), m_disk, m_inputs);
    std::error_code failure;
    if (!fs::is_directory(folder, failure))
        return cannotRemove(folder, failure ? failure.value() : ENOTDIR);
    std::vector<std::string> files = m_onDisk ? m_onDisk->superseded : std::vector<std::string>();
    if (m_lock.wasLeft() && !m_damaged) // the list may have named any of them
        files.push_back(nextFile());
    return remove(files);
}

Status CheckpointFiles::remove(const std::vector<std::string>& files) const {
    for (const std::string& file : files) {
        const fs::path path = archive(file);
        if (isInput(path.string(), m_inputs) || (m_onDisk && names(*m_onDisk, file)))
            continue;
        if (m_disk.unlink(path.string()) != 0 && errno != ENOENT)
            return cannotRemove(path, errno);
    }
    return {};
}

/// A file with the next number that is not this run's is left alone.
void CheckpointFiles::skipTakenNames() {
    std::error_code failure;
    while (fs::exists(fs::symlink_status(archive(nextFile()), failure)))
        ++m_generation;
}

std::vector<std::string> CheckpointFiles::supersededBy(const CheckpointManifest& next) const {
    std::vector<std::string> files;
    if (!m_onDisk)
        return files;
    if (!names(next, m_onDisk->latest.file))
        files.push_back(m_onDisk->latest.file);
    if (m_onDisk->best && m_onDisk->best->file != m_onDisk->latest.file && !names(next, m_onDisk->best->file))
        files.push_back(m_onDisk->best->file);
    return files;
}

/// Of a state that could not be kept: without a list that names it nobody could go on from it, and resuming
/// would take it for one whose list was lost. Where the list is in place and only its flush failed, or cannot
/// be read, the archive stays; a later list supersedes it.
void CheckpointFiles::withdraw(const std::string& file) {
    std::error_code failure;
    if (fs::exists(manifestFile(), failure)) {
        auto onDisk = readCheckpointManifest(manifestFile());
        if (!onDisk)
            return;
        if (names(*onDisk, file)) {
            m_onDisk = std::move(*onDisk);
            return;
        }
    } else if (failure) {
        return;
    }
    m_disk.unlink(archive(file).string()); // what failed before is what is reported
}

Status CheckpointFiles::keep(const NpzArrays& state, std::int64_t epoch, bool isBest) {
    skipTakenNames();
    CheckpointManifest next;
    next.latest = {epoch, nextFile()};
    next.generation = m_generation + 1;
    next.run = m_run;
    if (isBest)
        next.best = next.latest;
    else if (m_kept)
        next.best = m_kept->best;
    next.superseded = supersededBy(next);
    const OutputRules rules = outputRules();
    Status written = writeNpz(archive(next.latest.file), state, rules, m_disk);
    if (written)
        written = writeOutput(manifestFile().string(), manifestText(next), rules, m_disk);
    if (!written) {
        withdraw(next.latest.file);
        return written;
    }
    m_generation = next.generation;
    m_kept = m_onDisk = std::move(next);
    return remove(m_onDisk->superseded);
}

} // namespace heteroscope::compute
