// SPDX-License-Identifier: Apache-2.0
// A short training of the real program that keeps its states in a folder, and what lies there.
#pragma once

#include "compute/data/npz.h"
#include "compute/exec/checkpoint_manifest.h"
#include "tests/support/idx_files.h"
#include "tests/support/kill_at/kill_at.h"

#include <set>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// The bytes of every element: NaNs and signed zeros count as what they are.
std::string bytesOf(const NpzArrays& arrays);

/// Of a state's series: the validation losses in the order of the epochs.
std::vector<double> validationLosses(const NpzArrays& state);

class KeptTraining {
  public:
    explicit KeptTraining(const std::string& target);

    /// Begins with an empty folder; `at`: see runKilledAt().
    std::optional<test::KilledRun> fresh(int at, std::string* why);
    std::optional<test::KilledRun> resumed(std::string* why);

    const std::string& folder() const { return m_folder; }
    std::set<std::string> files() const;
    std::string manifest() const { return m_folder + "/run_0.checkpoint.json"; }
    NpzArrays state(const KeptState& kept) const; ///< fails the test where it cannot be read

  private:
    std::vector<std::string> arguments() const;

    TemporaryIdx m_data;
    std::string m_folder, m_experiment;
};

} // namespace heteroscope::compute
