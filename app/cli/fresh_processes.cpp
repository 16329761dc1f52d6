// SPDX-License-Identifier: Apache-2.0
// A study whose samples come from processes started afresh, one after the other: presets standard and thesis,
// and GPUs whose work is recorded.
#include "app/cli/counters_pass.h"
#include "app/cli/input_watch.h"
#include "app/cli/module_loader.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_study.h"
#include "app/cli/study_merge.h"
#include "app/cli/study_output.h"
#include "app/cli/thrown_error.h"
#include "app/cli/worker_child.h"
#include "compute/base/failure_words.h"
#include "compute/base/memory_kills.h"
#include "compute/base/output_place.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/spec/spec_json.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace heteroscope::cli {
namespace {

/// One worker: its role, and its number among those of that role. The first timed one checks and saves as
/// well.
struct Worker {
    WorkerRole role = WorkerRole::Timed;
    int index = 0;
    bool traces = true; ///< a timed worker that records as well: only where no other one does
};

/// The file as a worker names it, whose standard input and output are other ones.
std::string forWorker(const std::string& path) {
    const int descriptor = outputPlace(path).descriptor;
    if (descriptor != STDIN_FILENO && descriptor != STDOUT_FILENO)
        return path;
    const int inherited = ::fcntl(descriptor, F_DUPFD, STDERR_FILENO + 1); // until this process ends
    return inherited < 0 ? path : "/dev/fd/" + std::to_string(inherited);
}

std::vector<std::string> workerArguments(const compute::ExperimentSpec& spec, const RunArguments& arguments,
                                         const Worker& worker) {
    const int index = worker.index;
    const bool first = index == 0 && worker.role == WorkerRole::Timed;
    std::vector<std::string> words{"run", "-", "--stream", "--process-index", std::to_string(index)};
    if (!spec.directory.empty())
        words.insert(words.end(), {"--directory", spec.directory});
    if (!arguments.source.confine.empty())
        words.insert(words.end(), {"--confine", arguments.source.confine});
    if (arguments.memoryLimitBytes > 0)
        words.insert(words.end(), {"--memory-limit", std::to_string(arguments.memoryLimitBytes)});
    if (worker.role == WorkerRole::Recorded)
        words.push_back("--only-traced");
    else if (arguments.noTrace || !worker.traces)
        words.push_back("--no-trace");
    if (arguments.noCheck || !first)
        words.push_back("--no-check");
    if (!arguments.saveOutput.empty() && first)
        words.insert(words.end(), {"--save-output", forWorker(arguments.saveOutput)});
    if (!arguments.predictions.empty() && first)
        words.insert(words.end(), {"--predictions", forWorker(arguments.predictions)});
    if (!arguments.checkpoints.empty() && first)
        words.insert(words.end(), {"--checkpoints", arguments.checkpoints});
    if (arguments.force)
        words.push_back("--force");
    if (arguments.resume && first)
        words.push_back("--resume");
    return words;
}

/// Which class of error an exit code of a worker stands for.
ErrorCode errorOf(int exitCode) {
    if (exitCode == static_cast<int>(ExitCode::BadInput))
        return ErrorCode::BadInput;
    return exitCode == static_cast<int>(ExitCode::TargetUnavailable) ? ErrorCode::TargetUnavailable
                                                                     : ErrorCode::RunFailed;
}

/// Stopped between two repetitions, as a process is that was asked to: its samples are not all that were
/// wanted.
bool wasStopped(const WorkerChild& child) {
    return child.exitCode() == static_cast<int>(ExitCode::Cancelled);
}

/// A process that is killed says nothing itself, and the last words of a crash are not in the file: what it
/// was about to do is known from its stream.
std::string endingOf(WorkerChild& child, const StudyMerge& merge) {
    const std::string ending = child.wait();
    const std::string doing = merge.activity();
    if (wasStopped(child))
        return say(failure_words::kNotByUs, {ending, merge.endReason()}).text();
    if (ending.empty() && !merge.workerEnded())
        return failure_words::kNoEnd;
    const bool died = child.signal() != 0 ||
                      (child.exitCode() == static_cast<int>(ExitCode::RunFailed) && !merge.workerEnded());
    return !died || doing.empty() ? ending : say(failure_words::kWhile, {ending, doing}).text();
}

/// `shortOfMemory`: something says that memory ran out. SIGKILL itself does not say who sent it.
std::string adviceAfter(const WorkerChild& child, bool shortOfMemory) {
    if (wasStopped(child))
        return failure_words::kSignalOne;
    if (child.signal() == 0)
        return failure_words::kOwnWords;
    if (child.signal() != SIGKILL)
        return {};
    if (shortOfMemory)
        return failure_words::kOutOfMemoryKiller;
    return failure_words::kWhoKills;
}

/// `failed` becomes true when the worker ended its study and something of it failed: a run, or a file of its
/// own.
Status runProcess(const compute::ExperimentSpec& spec, const RunArguments& arguments, const StopRequest& stop,
                  StudyMerge& merge, const Worker& worker, int index, bool& failed) {
    if (stop.requested())
        return stop.error();
    WorkerChild child;
    const MemoryKills kills;
    merge.beginProcess(index);
    if (const Status status = child.start(workerArguments(spec, arguments, worker)); !status)
        return status;
    const std::string line = spec.document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (const Status status = child.send(line); !status)
        return status;
    if (const Status status = child.readToEnd(stop, [&](auto bytes) { return merge.feed(bytes); }); !status)
        return status;
    const std::string ending = endingOf(child, merge);
    merge.endProcess();
    if (stop.requested())
        return stop.error();
    // With a reason the study itself failed, as it would in the next worker.
    const bool toTheEnd = child.exitCode() == static_cast<int>(ExitCode::RunFailed) && merge.workerEnded() &&
                          merge.endReason().empty();
    failed = failed || toTheEnd;
    if (!ending.empty() && !toTheEnd)
        return Error{errorOf(child.exitCode()),
                     ending,
                     say(failure_words::kProcess, {std::to_string(index + 1)}).text(),
                     {},
                     adviceAfter(child, kills.any() || merge.wantedMoreThanFree())};
    return {};
}

Status runAll(const compute::ExperimentSpec& spec, const RunArguments& arguments, const StopRequest& stop,
              StudyMerge& merge, const std::vector<Worker>& workers, bool& failed) {
    const auto inputs = InputWatch::over(spec);
    if (!inputs)
        return inputs.error();
    for (std::size_t i = 0; i < workers.size(); ++i) {
        const Status ran = runProcess(spec, arguments, stop, merge, workers[i], static_cast<int>(i), failed);
        const Status same = inputs->unchanged();
        if (!same)
            merge.refuse(same.error().sentence());
        if (!ran) // what the worker said is nearer to the cause
            return ran;
        if (!same)
            return same;
    }
    return {};
}

/// The device's tracer slows its process, also after it was stopped: one worker records, the others are
/// timed.
std::vector<Worker> workersFor(const compute::ExperimentSpec& spec, const RunArguments& arguments,
                               bool recordDevice) {
    std::vector<Worker> workers;
    if (recordDevice)
        workers.push_back({WorkerRole::Recorded, 0, true});
    for (int i = 0; i < compute::freshProcesses(spec).count; ++i)
        workers.push_back({WorkerRole::Timed, i, !recordDevice && !arguments.noTrace});
    return workers;
}

bool usesGpu(const compute::ExperimentSpec& spec, const compute::BackendRegistry& registry) {
    return std::any_of(spec.targets.begin(), spec.targets.end(), [&](const compute::Target& target) {
        return compute::namesGpu(target.device) && registry.find(target).ok();
    });
}

} // namespace

bool wantsFreshProcesses(const compute::ExperimentSpec& spec, const RunArguments& arguments) {
    if (arguments.processIndex >= 0)
        return false; // this is one
    if (compute::freshProcesses(spec).count > 1)
        return true;
    return (!arguments.noTrace || arguments.counters) && namesAnyGpu(spec) &&
           usesGpu(spec, makeRegistry({false, spec.targets}));
}

ExitCode runInFreshProcesses(const compute::ExperimentSpec& spec, const RunArguments& arguments,
                             StopRequest& stop) {
    auto runs = compute::planRuns(spec);
    if (!runs)
        return reportError(runs.error());
    auto sinks = openSinks(arguments);
    if (!sinks)
        return reportError(sinks.error());
    const auto registry = makeRegistry({false, spec.targets});
    profiling::StreamWriter writer(std::move(*sinks));
    SinkWatch watch(writer, arguments, stop);
    ProgressLine line(arguments.stream ? ProgressLine::Style::Silent : ProgressLine::styleOfStderr());
    BridgeOptions options = bridgeOptions(registry, line, watch);
    options.trace = false; // the spans are the workers'
    TraceBridge bridge(writer, std::move(options));
    const Status begun = caught([&] {
        bridge.studyBegin(compute::environmentRecord(registry, spec), compute::specToJson(spec), *runs);
        return Status();
    });
    watch.look();
    const std::vector<Worker> workers =
        workersFor(spec, arguments, !arguments.noTrace && usesGpu(spec, registry));
    std::vector<WorkerRole> roles;
    for (const Worker& worker : workers)
        roles.push_back(worker.role);
    StudyMerge merge(bridge, writer, *runs, std::move(roles));
    bool workerFailed = false;
    Status outcome = begun;
    if (outcome)
        outcome = caught([&] { return runAll(spec, arguments, stop, merge, workers, workerFailed); });
    merge.finish(stop.requested());
    if (outcome && arguments.counters)
        if (const Status counted = countInWorker(spec, arguments, stop, bridge); !counted) {
            bridge.log(compute::LogLevel::Warning, counted.error().sentence());
            if (stop.requested()) // all is measured, but not all that was asked for
                outcome = stop.error();
        }
    bridge.finish(endStatus(outcome, bridge.study()), outcome ? "" : outcome.error().sentence());
    line.clear();
    watch.look();
    const bool told = !outcome && outcome.error().advice == failure_words::kOwnWords;
    const ExitCode code = reportStudy(bridge.study(), outcome, arguments, watch, merge.recorded(),
                                      told ? merge.endReason() : std::string());
    // A file that a worker writes is not part of the study; what kept it from being written it said itself.
    return code == ExitCode::Done && workerFailed ? ExitCode::RunFailed : code;
}

} // namespace heteroscope::cli
