// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli run: runs a study. Also the worker that the window starts (--stream -).
#include "app/cli/check_report.h"
#include "app/cli/counters_pass.h"
#include "app/cli/memory_limit.h"
#include "app/cli/module_loader.h"
#include "app/cli/output.h"
#include "app/cli/run_study.h"
#include "app/cli/verbs.h"
#include "app/cli/worker_child.h"
#include "compute/base/reader_wait.h"
#include "compute/exec/kept_training.h"
#include "compute/experiment/spec/option_effect.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <regex>
#include <string>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

Status makeFolder(const std::string& folder) {
    std::error_code failure;
    if (folder.empty())
        return {};
    if (std::filesystem::is_directory(folder, failure) ||
        std::filesystem::create_directories(folder, failure))
        return ::access(folder.c_str(), W_OK | X_OK) == 0
                   ? Status()
                   : systemRefusal(ErrorCode::BadInput, "--checkpoints",
                                   "the folder '" + folder + "' may not be written to", errno, {},
                                   "choose a folder that you may write to");
    return systemRefusal(ErrorCode::BadInput, "--checkpoints", "the folder '" + folder + "' cannot be made",
                         failure.value(), {}, "choose a folder that you may write to");
}

Status checkCheckpoints(const compute::ExperimentSpec& spec, const RunArguments& arguments) {
    const bool trains = spec.kind == compute::ExperimentKind::Network && spec.network.trainsOnDataset();
    if (arguments.checkpoints.empty() || (trains && !spec.network.training.findLearningRate))
        return {};
    return badInput("--checkpoints",
                    trains ? "a search for the learning rate has no state to go on from"
                           : "this study trains no network on a dataset, so that there is no state to keep",
                    "a training on a dataset", "leave --checkpoints out");
}

/// The reference as the study's targets are written, so that it is found among them.
Status normalizeReference(const compute::ExperimentSpec& spec, std::string& reference) {
    if (reference.empty())
        return {};
    std::string targets;
    const auto asked = compute::parseTarget(reference);
    for (const compute::Target& target : spec.targets) {
        if (asked && target.text() == asked->text()) {
            reference = target.text();
            return {};
        }
        targets += (targets.empty() ? "" : ", ") + target.text();
    }
    return badInput("--reference", "'" + reference + "' is no target of this study", targets,
                    "name one of them, or add it with --target");
}

/// What an option asks for has to apply to the study: told before hours are computed.
Status checkOptions(const compute::ExperimentSpec& spec, const RunArguments& arguments) {
    const bool network = spec.kind == compute::ExperimentKind::Network;
    if (!arguments.predictions.empty() && !(network && spec.network.infersDataset()))
        return badInput("--predictions", "the experiment infers no dataset", "an inference over a dataset",
                        "set /task to \"infer\" and give /data a source, or leave --predictions out");
    if (!arguments.countersKernel.empty() && !arguments.counters && !arguments.onlyCounters)
        return Error{ErrorCode::Usage, "nothing is counted", "--counters-kernel", {}, "add --counters"};
    if (arguments.source.samples > 0 && network && spec.network.trainsOnDataset())
        return badInput("--samples", "each epoch of a training on a dataset is one sample",
                        "--set /training/epochs=N", "leave --samples out");
    return {};
}

Status checkOutputs(const RunArguments& arguments) {
    if (const Status status = arguments.guard().checkStates(); !status)
        return status;
    return arguments.guard().check({printedOutput("--stream", arguments.stream, OutputKind::RunFile),
                                    {"--out", arguments.out, OutputKind::RunFile},
                                    {"--json", arguments.json, OutputKind::Results},
                                    {"--csv", arguments.csv, OutputKind::Csv},
                                    {"--save-output", arguments.saveOutput, OutputKind::Archive},
                                    {"--predictions", arguments.predictions, OutputKind::Csv}});
}

ExitCode run(RunArguments arguments) {
    arguments.source.inputStaysOpen = true;
    const bool endsWithInput = arguments.stream && arguments.source.path == "-";
    if (arguments.processIndex >= 0 || arguments.onlyCounters)
        endWithParent();
    else if (endsWithInput)
        goOnWithoutParent();
    arguments.source.directoryMayBeGone = endsWithInput; // since the window opened the experiment there
    RestOfStdin rest;
    const auto spec = readExperiment(arguments.source, &rest);
    if (!spec)
        return reportError(spec.error());
    if (const Status status = normalizeReference(*spec, arguments.reference); !status)
        return reportError(status.error());
    if (const Status status = checkCheckpoints(*spec, arguments); !status)
        return reportError(status.error());
    if (const Status status = checkOptions(*spec, arguments); !status)
        return reportError(status.error());
    if (const Status status = compute::checkOptionEffects(spec->document); !status)
        return reportError(status.error());
    if (const Status status = checkAskedImplementations(*spec, makeRegistry({false, spec->targets})); !status)
        return reportError(status.error());
    if (arguments.onlyCounters)
        return countHere(*spec, arguments);
    auto inputs = inputFiles(arguments.source, *spec);
    if (!inputs)
        return reportError(inputs.error());
    arguments.inputs = std::move(*inputs);
    if (const Status status = checkOutputs(arguments); !status)
        return reportError(status.error());
    if (const Status status = compute::checkKeptStates(*spec, arguments.checkpoints, arguments.resume,
                                                       arguments.force || arguments.onlyTraced);
        !status)
        return reportError(status.error());
    if (const Status status = makeFolder(arguments.checkpoints); !status)
        return reportError(status.error());
    StopRequest stop;
    if (arguments.processIndex < 0) // the reader of a worker is this program, which ends it itself
        giveUpReadersOn(&stop.flag());
    if (endsWithInput || (arguments.source.path == "-" && ::isatty(STDIN_FILENO) == 0))
        stop.watchStdin(rest, endsWithInput); // what is typed meanwhile is for the shell
    return wantsFreshProcesses(*spec, arguments) ? runInFreshProcesses(*spec, arguments, stop)
                                                 : runHere(*spec, arguments, stop);
}

void defineOutputs(CLI::App& app, RunArguments& arguments) {
    app.add_option("--out", arguments.out, "write the run file: everything, as it happens")
        ->type_name("F.hscope");
    app.add_option("--json", arguments.json, "write the results as JSON")->type_name("F");
    app.add_option("--csv", arguments.csv, "write every sample as CSV, one row each")->type_name("F");
    app.add_option("--save-output", arguments.saveOutput, "write the computed outputs as a NumPy archive")
        ->type_name("F.npz");
    app.add_option(
           "--predictions", arguments.predictions,
           "write what an inference over a dataset predicts as CSV: index, actual, predicted, and the\n"
           "probability of each class")
        ->type_name("F.csv");
    auto* checkpoints =
        app.add_option("--checkpoints", arguments.checkpoints,
                       "keep the state of each training in this folder after every epoch, and the best one;\n"
                       "states of this study's runs that are there need --resume, or --force to begin anew")
            ->type_name("FOLDER");
    app.add_flag("--resume", arguments.resume,
                 "go on from the states in the folder of checkpoints; they have to be of this experiment")
        ->needs(checkpoints);
    app.add_flag("--stream", arguments.stream,
                 "write the bytes of the run file to stdout instead of the table; with the experiment on\n"
                 "standard input, its end is the request to stop");
    defineForce(app, arguments.force);
    app.add_option("--reference", arguments.reference,
                   "target that speedups refer to; default: cpu/sequential, else the first")
        ->type_name("TARGET");
}

/// Why the text is no regular expression; empty when it is one.
std::string regexProblem(const std::string& text) {
    try {
        const std::regex parsed(text);
    } catch (const std::regex_error& error) {
        return "\"" + text + "\" is no regular expression: " + error.what();
    }
    return {};
}

std::function<ExitCode()> defineRun(CLI::App& app) {
    const auto arguments = std::make_shared<RunArguments>();
    defineExperimentOptions(app, arguments->source);
    defineOutputs(app, *arguments);
    app.add_flag("--no-trace", arguments->noTrace, "record no timeline and do not measure its overhead");
    app.add_flag("--no-check", arguments->noCheck, "do not compare the outputs with those of cpu/sequential");
    addMemoryLimit(
        app,
        "refuse points that need more than this, e.g. 512MiB, and files that need more to be read;\n"
        "default: what the device has free, and a quarter of it for reading",
        &arguments->memoryLimitBytes);
    app.add_flag(
        "--counters", arguments->counters,
        "after the study, read the device's own counters for each kernel: occupancy, memory traffic,\n"
        "operations; needs the right to do so");
    app.add_option("--counters-kernel", arguments->countersKernel,
                   "keep only kernels whose name this regular expression finds")
        ->type_name("REGEX")
        ->check([](const std::string& text) { return regexProblem(text); });
    app.add_flag("--only-counters", arguments->onlyCounters)->group("");
    app.add_option("--process-index", arguments->processIndex)->group("");
    app.add_flag("--only-traced", arguments->onlyTraced)->group("");
    return [arguments] { return run(*arguments); };
}

} // namespace

Verb runVerb() {
    return {
        "run", "runs the study of an experiment and prints its results",
        "Runs every point of the experiment on every target: warms up, samples in turn until the preset's "
        "rule is\n"
        "met, compares all outputs with those of cpu/sequential, and prints one row a run. Progress goes to\n"
        "stderr, the table to stdout. Each sample is in the run file before it is reported anywhere else.\n\n"
        "SIGTERM, SIGHUP, SIGINT, or the end of standard input with --stream -, stop the study between two "
        "repetitions:\n"
        "what was measured stays, the run file ends with status \"cancelled\", the exit code is 4.\n"
        "With - for the experiment the study begins at the newline after it, also where the input stays "
        "open;\n"
        "text that comes later than that ends it as failed, with exit code 2.\n\n"
        "The presets standard and thesis take their samples in three processes started afresh, one after "
        "the\n"
        "other, so that verdicts are of processes; a training on a dataset is trained once, in one process, "
        "at\n"
        "preset standard. --processes says how many. One that has not ended 10 s after the "
        "request\n"
        "to stop is killed.",
        "heteroscope-cli run pooling_size_sweep.json\n"
        "heteroscope-cli run demo.json --preset quick --out demo.hscope --json demo.json\n"
        "heteroscope-cli run pooling_4x4.json --target cpu/sequential --csv samples.csv\n"
        "heteroscope-cli run gpu_matmul_ladder.json --counters --out ladder.hscope\n"
        "heteroscope-cli run experiment.json --stream > run.hscope",
        defineRun};
}

} // namespace heteroscope::cli
