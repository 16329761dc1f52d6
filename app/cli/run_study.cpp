// SPDX-License-Identifier: Apache-2.0
// A study in this process.
#include "app/cli/run_study.h"

#include "app/cli/input_watch.h"
#include "app/cli/last_words.h"
#include "app/cli/link_probe.h"
#include "app/cli/module_loader.h"
#include "app/cli/output.h"
#include "app/cli/predictions.h"
#include "app/cli/sample_clocks.h"
#include "app/cli/study_output.h"
#include "app/cli/thrown_error.h"
#include "compute/base/memory_budget.h"
#include "compute/data/npz.h"
#include "compute/experiment/runner.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::cli {
namespace {

compute::RunOptions runOptions(const compute::ExperimentSpec& spec, const RunArguments& arguments,
                               const StopRequest& stop) {
    compute::RunOptions options;
    options.stop = &stop.flag();
    options.trace = !arguments.noTrace;
    options.onlyTraced = arguments.onlyTraced;
    options.checkEqual = !arguments.noCheck;
    options.memoryLimitBytes = arguments.memoryLimitBytes;
    options.processIndex = std::max(0, arguments.processIndex);
    options.processes = arguments.processIndex >= 0 ? compute::freshProcesses(spec).count : 1;
    options.checkpoints = arguments.checkpoints;
    options.resume = arguments.resume;
    options.inputs = arguments.inputs;
    options.replaceStates = arguments.force;
    return options;
}

/// The outputs of all runs as arrays of one .npz: "run0/output", ...
class OutputArchive {
  public:
    void take(int run, const std::string& name, const compute::Shape4& shape, const float* data) {
        const auto count = static_cast<std::size_t>(shape.elements().value_or(0));
        m_arrays["run" + std::to_string(run) + "/" + name] = {{shape.n, shape.c, shape.h, shape.w},
                                                              {data, data + count}};
    }
    Status write(const std::string& path, const OutputRules& rules) const {
        return compute::writeNpz(path, m_arrays, rules);
    }

  private:
    compute::NpzArrays m_arrays;
};

/// What the outputs of all runs take until the study has ended and their files are written. Goes on adding up
/// when the limit is reached, so that what is told is what all of them take.
class KeptOutputs {
  public:
    /// False: so many numbers more may not be held, and nothing after them.
    bool take(std::int64_t numbers) {
        m_bytes += numbers * static_cast<std::int64_t>(sizeof(float));
        m_refused = m_refused || !m_budget.charge(m_bytes - m_budget.heldBytes(), "", "");
        return !m_refused;
    }
    Status status(const std::string& options) const {
        MemoryBudget whole(m_budget.allowedBytes());
        return whole.charge(m_bytes, "keeping the outputs of all runs until they are written", options);
    }

  private:
    MemoryBudget m_budget;
    std::int64_t m_bytes = 0;
    bool m_refused = false;
};

/// The files that are made of outputs: which are asked for, filled while the study runs, written after it.
class OutputFiles {
  public:
    OutputFiles(const RunArguments& arguments, compute::RunOptions& options) : m_arguments(arguments) {
        if (arguments.saveOutput.empty() && arguments.predictions.empty())
            return;
        options.keepOutputs = true;
        options.onOutput = [this](int run, const std::string& name, const compute::Shape4& shape,
                                  const float* data) {
            if (!m_kept.take(shape.elements().value_or(0)))
                return forget();
            if (!m_arguments.saveOutput.empty())
                m_archive.take(run, name, shape, data);
            if (!m_arguments.predictions.empty())
                m_predictions.take(run, name, shape, data);
        };
    }
    OutputFiles(const OutputFiles&) = delete;
    OutputFiles& operator=(const OutputFiles&) = delete;

    /// False, and reported, when one cannot be written.
    bool write(const profiling::Study& study) const {
        const bool both = !m_arguments.saveOutput.empty() && !m_arguments.predictions.empty();
        const char* const options = both                             ? "--save-output, --predictions"
                                    : m_arguments.saveOutput.empty() ? "--predictions"
                                                                     : "--save-output";
        if (const Status kept = m_kept.status(options); !kept)
            return reportStatus(kept) == ExitCode::Done;
        bool good = true;
        if (!m_arguments.saveOutput.empty())
            good = reportStatus(m_archive.write(m_arguments.saveOutput,
                                                m_arguments.guard().rules(OutputKind::Archive))) ==
                   ExitCode::Done;
        if (!m_arguments.predictions.empty())
            good = reportStatus(m_predictions.write(m_arguments.predictions, study,
                                                    m_arguments.guard().rules(OutputKind::Csv))) ==
                       ExitCode::Done &&
                   good;
        return good;
    }

  private:
    void forget() {
        m_archive = {};
        m_predictions = {};
    }

    const RunArguments& m_arguments;
    KeptOutputs m_kept;
    OutputArchive m_archive;
    Predictions m_predictions;
};

/// The device's records, wanted where a study is recorded and not timed: the tracer slows everything in its
/// process.
class DeviceTrace {
  public:
    DeviceTrace(const RunArguments& arguments, const compute::ExperimentSpec& spec) {
        if (!arguments.onlyTraced || !namesAnyGpu(spec))
            return;
        auto started = GpuTracing::start();
        if (started)
            m_tracing = std::move(*started);
        else
            m_notes.push_back("no device timeline: " + started.error().sentence());
    }
    GpuTracing* tracing() const { return m_tracing.get(); }
    const std::vector<std::string>& notes() const { return m_notes; }

  private:
    std::unique_ptr<GpuTracing> m_tracing;
    std::vector<std::string> m_notes;
};

} // namespace

bool namesAnyGpu(const compute::ExperimentSpec& spec) {
    return std::any_of(spec.targets.begin(), spec.targets.end(),
                       [](const compute::Target& target) { return compute::namesGpu(target.device); });
}

ExitCode runHere(const compute::ExperimentSpec& spec, const RunArguments& arguments, StopRequest& stop) {
    std::optional<InputWatch> inputs;
    if (arguments.processIndex < 0) { // of several processes, who joins them looks after each
        auto seen = InputWatch::over(spec);
        if (!seen)
            return reportError(seen.error());
        inputs.emplace(std::move(*seen));
    }
    DeviceTrace device(arguments, spec); // before anything looks at the devices
    const auto registry = makeRegistry({false, spec.targets});
    auto sinks = openSinks(arguments);
    if (!sinks)
        return reportError(sinks.error());
    profiling::StreamWriter writer(std::move(*sinks));
    SinkWatch watch(writer, arguments, stop);
    ProgressLine line(arguments.stream ? ProgressLine::Style::Silent : ProgressLine::styleOfStderr());
    BridgeOptions how = bridgeOptions(registry, line, watch);
    how.trace = !arguments.noTrace;
    how.gpu = device.tracing();
    how.traceNotes = device.notes();
    TraceBridge* begun = nullptr;
    how.onBegun = [&] {
        if (device.tracing() == nullptr)
            return;
        if (const Status probed = probeLinks(spec, registry, *begun); !probed)
            begun->log(compute::LogLevel::Info,
                       "the link's peak was not measured: " + probed.error().sentence());
    };
    if (arguments.counters && arguments.processIndex < 0)
        reportWarning("no counters: none of the targets is on a GPU that can be used here");
    SampleClocks clocks(how.devices);
    TraceBridge bridge(writer, std::move(how));
    begun = &bridge;
    compute::RunOptions options = runOptions(spec, arguments, stop);
    if (inputs)
        options.inputsUnchanged = [&inputs] { return inputs->unchanged(); };
    options.readClocks = [&clocks](const std::string& target) { return clocks.read(target); };
    const OutputFiles files(arguments, options);
    // A recorder of the device is a worker's: whoever reads its stream ends the run file.
    std::optional<BeforeLastWords> ending;
    if (device.tracing() == nullptr)
        ending.emplace([&bridge](const std::string& sentence) { bridge.finish("failed", sentence); });
    Status outcome = caught([&] { return compute::runStudy(spec, registry, options, bridge); });
    ending.reset();
    if (!outcome && outcome.error().code == ErrorCode::Cancelled && stop.requested())
        outcome = stop.error();
    bridge.finish(endStatus(outcome, bridge.study()), outcome ? "" : outcome.error().sentence());
    line.clear();
    watch.look();
    const bool kept = !outcome || files.write(bridge.study());
    const ExitCode code = reportStudy(bridge.study(), outcome, arguments, watch);
    return code == ExitCode::Done && !kept ? ExitCode::RunFailed : code;
}

} // namespace heteroscope::cli
