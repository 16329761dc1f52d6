// SPDX-License-Identifier: Apache-2.0
// The files in which one training keeps its states: numbered archives, STEM.1.npz, STEM.2.npz ..., and
// STEM.checkpoint.json, which names the latest and the best and is renamed into place last. What it names was
// written before it and stays until it names others, so that both belong together at every moment. One
// thread.
#pragma once

#include "compute/base/output_file.h"
#include "compute/exec/checkpoint_lock.h"
#include "compute/exec/checkpoint_manifest.h"

#include <memory>

namespace heteroscope::compute {

class CheckpointFiles {
  public:
    /// Takes the name for this run (STEM.lock, until the object ends) and removes what a killed run left
    /// under it: what its manifest no longer needs, and, where its lock was left, the archive that no
    /// manifest names yet. Other files stay, and so do `inputs`, under any name. Errors: another live run has
    /// the name, or the manifest cannot be read (BadInput; with `replaceDamaged` a damaged one is as good as
    /// none, and what it named stays); the folder (Io).
    static Result<std::unique_ptr<CheckpointFiles>> open(const std::filesystem::path& stem,
                                                         std::vector<std::string> inputs = {},
                                                         FileSystem& disk = systemFiles(),
                                                         bool replaceDamaged = false);

    /// What is kept; nothing when there is no state yet, or after startOver().
    const std::optional<CheckpointManifest>& kept() const { return m_kept; }
    std::filesystem::path manifestFile() const { return withEnding(kManifestEnding); }
    std::filesystem::path latestFile() const; ///< where kept() has a value
    /// A training that begins anew: the old states stay until its first one is kept.
    void startOver() { m_kept.reset(); }

    /// Which training the states that are kept from now on belong to, for their list.
    void describe(Json run) { m_run = std::move(run); }
    /// Keeps a state. `isBest`: it is the best of this training as well; else the best one stays what it was.
    /// After an error what was kept before is kept still, and no archive lies there that no list names.
    Status keep(const NpzArrays& state, std::int64_t epoch, bool isBest);

  private:
    CheckpointFiles(std::filesystem::path stem, CheckpointLock lock, std::vector<std::string> inputs,
                    FileSystem& disk)
        : m_stem(std::move(stem)), m_lock(std::move(lock)), m_inputs(std::move(inputs)), m_disk(disk) {}
    std::filesystem::path withEnding(const char* ending) const;
    Status readManifest(bool replaceDamaged);
    Result<CheckpointManifest> manifestOfTheFolder() const;
    std::filesystem::path archive(const std::string& file) const { return m_stem.parent_path() / file; }
    std::string nextFile() const { return generationFile(m_stem.filename().string(), m_generation + 1); }
    OutputRules outputRules() const;
    void skipTakenNames();
    Status removeLeftovers() const;
    Status remove(const std::vector<std::string>& files) const;
    void withdraw(const std::string& file);
    std::vector<std::string> supersededBy(const CheckpointManifest& next) const;

    std::filesystem::path m_stem;
    CheckpointLock m_lock;
    std::vector<std::string> m_inputs;
    FileSystem& m_disk;
    bool m_damaged = false; ///< there is a list, and it is as good as none
    std::int64_t m_generation = 0;
    std::optional<CheckpointManifest> m_kept, m_onDisk; ///< the latter also after startOver()
    Json m_run = nullptr;
};

} // namespace heteroscope::compute
