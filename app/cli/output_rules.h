// SPDX-License-Identifier: Apache-2.0
// What the verbs may write over: an earlier file of the same kind; with --force a file of any kind; never an
// input. Main thread.
#pragma once

#include "app/cli/experiment_source.h"
#include "compute/base/output_kind.h"
#include "compute/base/result.h"

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace heteroscope::cli {

/// --force
CLI::Option* defineForce(CLI::App& app, bool& force);

/// A file that a person named, by the option or the word `option`.
struct NamedOutput {
    std::string option, path; ///< empty path: not asked for
    OutputKind kind = OutputKind::Results;
    bool printed = false; ///< the option has no path: it goes to standard output
};

/// What the option prints instead of a table; not asked for when `asked` is false. Text (any kind but
/// RunFile) may share a log with messages.
inline NamedOutput printedOutput(std::string option, bool asked, OutputKind kind) {
    return {std::move(option), asked ? "/dev/stdout" : "", kind, true};
}

/// The rules of all files that one command writes.
class OutputGuard {
  public:
    /// `inputs`: files, and folders whose files are read. `states`: the folder of checkpoints; empty: none.
    OutputGuard(std::vector<std::string> inputs, bool force, std::string states = {})
        : m_inputs(std::move(inputs)), m_force(force), m_states(std::move(states)) {}

    OutputRules rules(OutputKind kind) const;
    /// To be called before anything is printed, opened or computed, with all outputs of the command. What can
    /// be known of writing before it happens is an error now: checkOutput()'s, with the option; a folder that
    /// is not there or may not be written to; a pipe without a reader; two outputs, or an output and
    /// messages, that lead to one place; the name of a training's state; keepStreamsOff()'s. Where an output
    /// leads to standard output, what the command prints goes to standard error from now on
    /// (printOnStderr()).
    Status check(const std::vector<NamedOutput>& outputs) const;
    /// The folder of checkpoints before it is made. Error: it lies in a folder that is read.
    Status checkStates() const;

  private:
    std::vector<std::string> m_inputs;
    bool m_force;
    std::string m_states;
};

/// What a study is read from: the experiment's own file, those that it names, and the archives that a list
/// of checkpoints names. Errors: expandPoints()'s.
Result<std::vector<std::string>> inputFiles(const ExperimentSource& source,
                                            const compute::ExperimentSpec& spec);

} // namespace heteroscope::cli
