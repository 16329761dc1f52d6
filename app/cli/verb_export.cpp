// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli export: a network and its weights in other programs' formats, and from ONNX back.
#include "app/cli/memory_limit.h"
#include "app/cli/network_files.h"
#include "app/cli/network_summary.h"
#include "app/cli/output.h"
#include "app/cli/output_rules.h"
#include "app/cli/verbs.h"
#include "compute/data/named_files.h"
#include "compute/data/npz.h"
#include "compute/onnx/onnx_model.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace heteroscope::cli {
namespace {

struct ExportArguments {
    ExperimentSource source;
    std::string weights; ///< instead of the experiment's
    std::string onnx, npz, experiment, summary;
    std::int64_t batch = 0;
    bool force = false;
};

Status checkOutputs(const ExportArguments& arguments, const OutputGuard& guard) {
    return guard.check({{"--onnx", arguments.onnx, OutputKind::Onnx},
                        {"--npz", arguments.npz, OutputKind::Archive},
                        {"--experiment", arguments.experiment, OutputKind::Experiment},
                        {"--summary", arguments.summary, OutputKind::Summary}});
}

/// The folder of a file, links followed.
std::filesystem::path realFolder(const std::filesystem::path& file) {
    std::error_code failure;
    const auto folder = std::filesystem::absolute(file, failure).parent_path();
    const auto real = std::filesystem::weakly_canonical(folder, failure);
    return failure ? folder : real;
}

/// `file` as `experiment` names it: relative to its folder, so that both can be moved together.
std::string seenFrom(const std::filesystem::path& experiment, const std::filesystem::path& file) {
    const auto real = realFolder(file) / file.filename();
    const auto relative = real.lexically_relative(realFolder(experiment));
    return (relative.empty() ? real : relative).string();
}

Status writeExperiment(const ExportArguments& arguments, const compute::ExperimentSpec& spec,
                       const OutputGuard& guard) {
    const std::filesystem::path file(arguments.experiment);
    Json document = spec.document;
    if (!arguments.npz.empty())
        document["network"]["weights"] = seenFrom(file, arguments.npz);
    else if (!spec.network.weights.empty())
        document["network"]["weights"] =
            seenFrom(file, compute::placedFile(spec.directory, spec.network.weights));
    return writeOutput(arguments.experiment,
                       document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
                       guard.rules(OutputKind::Experiment));
}

Status writeWeights(const ExportArguments& arguments, const compute::ExperimentSpec& spec,
                    const OutputGuard& guard) {
    if (arguments.onnx.empty() && arguments.npz.empty())
        return {};
    const auto weights = networkWeights(spec.network);
    if (!weights)
        return weights.error();
    if (weights->drawn > 0)
        writeStderr("heteroscope-cli: note: " + std::to_string(weights->drawn) + " of " +
                    std::to_string(weights->of) + " weight tensors are initial ones, drawn from the seed " +
                    std::to_string(spec.network.training.seed) + "\n");
    if (!arguments.npz.empty() && weights->arrays.empty())
        return badInput("/network/layers", "no layer has weights, so that there is nothing for --npz",
                        "a layer that has some, such as dense or conv2d", "leave --npz out");
    if (!arguments.npz.empty())
        if (const Status status =
                compute::writeNpz(arguments.npz, weights->arrays, guard.rules(OutputKind::Archive));
            !status)
            return status;
    if (arguments.onnx.empty())
        return {};
    return compute::writeOnnx(arguments.onnx, spec.network.network, weights->arrays,
                              {arguments.batch, spec.name, guard.rules(OutputKind::Onnx)});
}

ExitCode exportNetwork(const ExportArguments& arguments) {
    if (arguments.onnx.empty() && arguments.npz.empty() && arguments.experiment.empty() &&
        arguments.summary.empty())
        return reportError({ErrorCode::Usage,
                            "nothing to write was named",
                            {},
                            "--onnx, --npz, --experiment or --summary",
                            {}});
    ExperimentSource source = arguments.source;
    if (!arguments.weights.empty())
        source.overrides.push_back("/network/weights=" +
                                   Json(std::filesystem::absolute(arguments.weights).string()).dump());
    const auto spec = readExperiment(source);
    if (!spec)
        return reportError(spec.error());
    if (spec->kind != compute::ExperimentKind::Network)
        return reportError(badInput(source.path, "the experiment has no network",
                                    "an experiment of the kind network, or an ONNX file"));
    auto inputs = inputFiles(source, *spec);
    if (!inputs)
        return reportError(inputs.error());
    const OutputGuard guard(std::move(*inputs), arguments.force);
    if (const Status status = checkOutputs(arguments, guard); !status)
        return reportError(status.error());
    if (const Status status = writeWeights(arguments, *spec, guard); !status)
        return reportError(status.error());
    if (!arguments.experiment.empty())
        if (const Status status = writeExperiment(arguments, *spec, guard); !status)
            return reportError(status.error());
    return arguments.summary.empty() ? ExitCode::Done
                                     : reportStatus(writeNetworkSummary(arguments.summary, *spec,
                                                                        guard.rules(OutputKind::Summary)));
}

std::function<ExitCode()> defineExport(CLI::App& app) {
    const auto arguments = std::make_shared<ExportArguments>();
    arguments->source.everyTask = true;
    app.add_option("MODEL", arguments->source.path, "a network experiment or an ONNX file")->required();
    app.add_option("--weights", arguments->weights,
                   "weights by name instead of the experiment's: a checkpoint, another .npz or an ONNX file")
        ->type_name("F");
    addMemoryLimit(app, kReadingLimit);
    auto* onnx = app.add_option("--onnx", arguments->onnx, "write network and weights as an ONNX file")
                     ->type_name("F.onnx");
    app.add_option("--batch", arguments->batch,
                   "batch of the ONNX file's input and output; default: any, as the dimension \"batch\"")
        ->type_name("N")
        ->check(CLI::Range(1, 65536))
        ->needs(onnx);
    app.add_option("--npz", arguments->npz, "write the weights as a NumPy archive")->type_name("F.npz");
    app.add_option("--experiment", arguments->experiment,
                   "write the experiment, which names the file of its weights")
        ->type_name("F.json");
    app.add_option("--summary", arguments->summary,
                   "write the layers as a table; the ending says how: .csv, .tex or .txt")
        ->type_name("F");
    defineForce(app, arguments->force);
    app.add_option("--set", arguments->source.overrides,
                   "change one value of the experiment; may be repeated")
        ->type_name("/POINTER=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_option("--directory", arguments->source.directory, "folder for relative paths in the experiment")
        ->type_name("DIR");
    defineConfineOption(app, arguments->source);
    return [arguments] { return exportNetwork(*arguments); };
}

} // namespace

Verb exportVerb() {
    return {
        "export", "writes a network as ONNX, NumPy archive, experiment or summary",
        "Reads a network from an experiment or an ONNX file and writes it as other programs read it. "
        "Weights come\n"
        "from --weights, or from the file that the experiment names in /network/weights; those that are "
        "not there\n"
        "are the initial ones, drawn from the seed, and a note says so. The ONNX file is for inference, "
        "in\n"
        "operator set 13 (14 with hard_swish, 17 with layernorm, 20 with gelu).",
        "heteroscope-cli export lenet5.json --weights checkpoints/run_0.checkpoint.json --onnx lenet5.onnx\n"
        "heteroscope-cli export resnet18.onnx --experiment resnet18.json --npz resnet18.npz\n"
        "heteroscope-cli export resnet18.onnx --summary resnet18.tex",
        defineExport};
}

} // namespace heteroscope::cli
