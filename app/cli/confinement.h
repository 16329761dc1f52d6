// SPDX-License-Identifier: Apache-2.0
// --confine FOLDER: every file that an experiment names has to lie in one folder, symbolic links and ".."
// followed. One thread. What is looked at can be another file by the time it is read: the folder must not be
// changed meanwhile by somebody who is not trusted.
#pragma once

#include "app/cli/experiment_source.h"
#include "compute/data/named_files.h"

#include <string>

namespace heteroscope::cli {

class Confinement {
  public:
    /// Errors (BadInput): there is no such folder.
    static Result<Confinement> to(const std::string& folder);

    /// Errors (BadInput): the file's pointer, with what leads out of the folder.
    Status check(const compute::NamedFile& file) const;

  private:
    explicit Confinement(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    bool holds(const std::filesystem::path& real) const;
    Status checkPath(const compute::NamedFile& named, const std::filesystem::path& path) const;
    Status checkContents(const compute::NamedFile& named) const;

    std::filesystem::path m_folder; ///< without links
};

/// Nothing to say without --confine. Before anything is read that the document names.
Status confineOnnx(const ExperimentSource& source, const Json& document);
/// All points of the experiment, and its own values.
Status confineExperiment(const ExperimentSource& source, const compute::ExperimentSpec& spec);

} // namespace heteroscope::cli
