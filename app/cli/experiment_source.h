// SPDX-License-Identifier: Apache-2.0
// Where an experiment comes from: a file or standard input, with what the command line changes in it.
#pragma once

#include "app/cli/stdin_text.h"
#include "compute/base/json.h"
#include "compute/base/result.h"
#include "compute/experiment/spec/spec.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace heteroscope::cli {

struct ExperimentSource {
    std::string path;      ///< a file, or "-" for standard input
    std::string directory; ///< for relative paths in it; empty: the file's folder, or the current one
    std::vector<std::string> targets;   ///< not empty: instead of the file's
    std::vector<std::string> overrides; ///< "/pointer=value"
    std::string preset;                 ///< empty: the file's
    int samples = 0;                    ///< 0: as the file or preset says
    int processes = 0;                  ///< likewise
    bool everyTask = false; ///< more is computed than the experiment's task: whatever is set has an effect
    bool directoryMayBeGone = false; ///< an experiment that names no file is read all the same
    bool inputStaysOpen = false; ///< standard input ends the experiment with its newline, not with its end
    std::string confine;         ///< folder that every file it names has to lie in; empty: any place
};

/// The positional EXPERIMENT and the options that change it; `source` outlives `app`.
void defineExperimentOptions(CLI::App& app, ExperimentSource& source);
/// --confine alone, for verbs with options of their own.
void defineConfineOption(CLI::App& app, ExperimentSource& source);

struct ExperimentDocument {
    Json json;
    std::string onnx; ///< what /network/onnx named before the file's layers took its place; empty: nothing
    RestOfStdin rest; ///< goes on behind what was read of standard input
};

/// The document with the changes applied; of an ONNX file, an experiment that runs its network. Errors name
/// file and pointer.
Result<ExperimentDocument> readDocument(const ExperimentSource& source);
/// A folder that an option names, without links. Errors (BadInput): there is none.
Result<std::filesystem::path> givenFolder(const std::string& option, const std::string& folder);
std::string experimentDirectory(const ExperimentSource& source);
/// What the document says, within --confine; no file that it names is read. Errors name the pointer.
Result<compute::ExperimentSpec> documentSpec(const ExperimentDocument& document,
                                             const ExperimentSource& source);
/// With the weights that it names. `rest`, where given: what standard input goes on with.
Result<compute::ExperimentSpec> readExperiment(const ExperimentSource& source, RestOfStdin* rest = nullptr);

} // namespace heteroscope::cli
