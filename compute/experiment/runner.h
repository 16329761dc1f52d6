// SPDX-License-Identifier: Apache-2.0
// Runs a study: expands points, checks memory, warms up, interleaves targets, samples until the rule is met,
// checks that outputs are equal. One call, one thread (implementations may use more).
#pragma once

#include "compute/base/result.h"
#include "compute/core/backend_registry.h"
#include "compute/experiment/spec/spec.h"
#include "compute/experiment/spec/spec_json.h"
#include "compute/experiment/study_observer.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

struct RunOptions {
    const std::atomic<bool>* stop =
        nullptr;              ///< set from a signal handler or another thread; seen between repetitions
    bool trace = true;        ///< take one traced sample set per run beside the untraced ones
    bool onlyTraced = false;  ///< take the traced samples and no timed ones: another process takes those
    bool checkEqual = true;   ///< compare every output with sequential's
    bool keepOutputs = false; ///< hand outputs to onOutput
    int processIndex = 0;     ///< which of `processes` this is
    int processes = 1;        ///< fresh ones that the samples of each run are shared out to
    int samplesOverride = 0;  ///< 0: as the experiment says
    std::int64_t memoryLimitBytes = 0; ///< 0: the device's free memory
    std::filesystem::path checkpoints; ///< folder for the states of trainings, "run_0.checkpoint.json" ...;
                                       ///< empty: none are kept
    bool resume = false;               ///< trainings go on from the states that lie there
    std::vector<std::string> inputs{}; ///< files that the study reads: never removed from that folder
    /// Whether the files that the study reads are still those that it began with: asked once a point has read
    /// them. An error fails the runs of that point. May be empty.
    std::function<Status()> inputsUnchanged;
    bool replaceStates = false; ///< else, without `resume`, a run whose states lie there fails (BadInput)
    std::function<void(int run, const std::string& name, const Shape4&, const float* data)> onOutput;
    /// The clocks of a target's GPU now, after each sample; nothing where they cannot be read. May be empty.
    std::function<std::optional<DeviceClocks>(const std::string& target)> readClocks;
};

/// Errors: BadInput (the experiment), TargetUnavailable (no target at all can run), Cancelled, OutOfMemory
/// (every point), RunFailed (every run). The first two come before studyBegin. Runs of one point are
/// interleaved: several are begun before the first ends. A run that fails or does not fit is reported through
/// the observer and the study goes on.
Status runStudy(const ExperimentSpec& spec, const BackendRegistry& registry, const RunOptions& options,
                StudyObserver& observer);

/// The runs of a study in order (points outermost, targets inside), without running anything.
Result<std::vector<RunDefinition>> planRuns(const ExperimentSpec& spec);

/// What only this machine can say of a faultless experiment: targets that are missing (warnings: their runs
/// are skipped) or have unknown options, input files that are missing or cannot be pooled (errors).
std::vector<Diagnostic> checkAgainstMachine(const ExperimentSpec& spec, const BackendRegistry& registry);

/// The processes that the samples of a study come from, each started afresh.
struct FreshProcesses {
    int count = 1;
    std::string_view whyFewer; ///< than kProcessesForVerdict, which verdicts need: few_processes; else empty
};

/// As many as the experiment says; else kProcessesForVerdict of presets standard and thesis, and 1 of preset
/// quick and of a training on a dataset at preset standard, since each process trains anew. Never more than
/// samples. With more than one, call runStudy once in each, processIndex 0, 1, 2: each takes its share of the
/// samples under its own sample numbers. Outcomes (error, digest) come from process 0; its runs get the
/// samples of all.
FreshProcesses freshProcesses(const ExperimentSpec& spec);

/// The environment record: machine, OS, compiler and flags, versions, governor, load, time, program version,
/// and what may disturb timings (run_note.h).
Json environmentRecord(const BackendRegistry& registry);
/// The same of a study. Where its examples come from files, "directory" is the folder that their paths are
/// relative to, from the root; without it nobody who opens the run file could show the examples.
Json environmentRecord(const BackendRegistry& registry, const ExperimentSpec& spec);

} // namespace heteroscope::compute
