// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli evaluate: one computation on given tensors, for checks against other programs.
#include "app/cli/check_report.h"
#include "app/cli/evaluate_ops.h"
#include "app/cli/experiment_source.h"
#include "app/cli/memory_limit.h"
#include "app/cli/module_loader.h"
#include "app/cli/output.h"
#include "app/cli/output_rules.h"
#include "app/cli/verbs.h"
#include "compute/experiment/spec/option_effect.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace heteroscope::cli {
namespace {

struct EvaluateArguments {
    ExperimentSource source;
    std::string tensors, out, target;
    EvaluateOptions options;
    bool force = false;
};

Result<compute::Target> chosenTarget(const EvaluateArguments& arguments,
                                     const compute::ExperimentSpec& spec) {
    if (!arguments.target.empty())
        return compute::parseTarget(arguments.target);
    return spec.targets.front(); // an experiment has at least one: its check said so
}

ExitCode evaluate(const EvaluateArguments& arguments) {
    const auto spec = readExperiment(arguments.source);
    if (!spec)
        return reportError(spec.error());
    auto inputs = inputFiles(arguments.source, *spec);
    if (!inputs)
        return reportError(inputs.error());
    inputs->push_back(arguments.tensors);
    const OutputGuard guard(std::move(*inputs), arguments.force);
    if (const Status status = guard.check({{"--out", arguments.out, OutputKind::Archive}}); !status)
        return reportError(status.error());
    const auto target = chosenTarget(arguments, *spec);
    if (!target)
        return reportError(target.error());
    Json computed = spec->document;
    computed["targets"] = {target->text()};
    computed.erase("axes");
    if (const Status status = compute::checkOptionEffects(computed); !status)
        return reportError(status.error());
    const auto registry = makeRegistry({false, {*target}});
    const auto session = registry.open(*target);
    if (!session)
        return reportError(session.error());
    compute::ExperimentSpec evaluated = *spec;
    evaluated.targets = {*target};
    evaluated.axes.clear();
    evaluated.document = nullptr; // points come from the fields then
    if (arguments.options.backward) {
        evaluated.pooling.backward = true;
        evaluated.network.task = compute::Task::Train;
    }
    if (const Status status = checkAskedImplementations(evaluated, registry); !status)
        return reportError(status.error());
    const auto tensors = compute::readNpz(arguments.tensors);
    if (!tensors)
        return reportError(tensors.error());
    const auto results = evaluateTensors(*spec, *tensors, arguments.options, **session);
    if (!results)
        return reportError(results.error());
    return reportStatus(compute::writeNpz(arguments.out, *results, guard.rules(OutputKind::Archive)));
}

std::function<ExitCode()> defineEvaluate(CLI::App& app) {
    const auto arguments = std::make_shared<EvaluateArguments>();
    arguments->source.everyTask = true;
    app.add_option("MODEL", arguments->source.path,
                   "the experiment file: its operation is computed, its axes and inputs are not used")
        ->required();
    app.add_option("--tensors", arguments->tensors, "NumPy archive with the inputs")
        ->type_name("IN.npz")
        ->required();
    app.add_option("--out", arguments->out, "NumPy archive for the results")
        ->type_name("OUT.npz")
        ->required();
    addMemoryLimit(app, kReadingLimit);
    defineForce(app, arguments->force);
    app.add_flag("--backward", arguments->options.backward,
                 "also compute gradients; needs output.grad, or target for a network's loss");
    app.add_option("--loss", arguments->options.loss, "a network's loss; default: the experiment's")
        ->type_name("LOSS");
    app.add_option("--optimizer", arguments->options.optimizer,
                   "a network's optimiser; default: the experiment's")
        ->type_name("OPTIMIZER");
    app.add_option("--steps", arguments->options.steps, "steps of the optimiser on the same tensors")
        ->type_name("N")
        ->check(CLI::Range(0, 1000000));
    app.add_option("--target", arguments->target, "where to compute; default: the experiment's first target")
        ->type_name("TARGET");
    app.add_option("--set", arguments->source.overrides,
                   "change one value of the experiment; may be repeated")
        ->type_name("/POINTER=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    defineConfineOption(app, arguments->source);
    return [arguments] { return evaluate(*arguments); };
}

} // namespace

Verb evaluateVerb() {
    return {
        "evaluate", "computes an experiment's operation on given tensors",
        "Reads float32 tensors from a NumPy archive, computes the operation of the experiment once, and "
        "writes\n"
        "the results to another. Shapes come from the tensors.\n\n"
        "pooling: input -> output; with --backward also output.grad -> input.grad\n"
        "matmul: input (m x k), right (k x n) -> output; with --backward also output.grad -> input.grad, "
        "right.grad\n"
        "network: input, <layer>.weight, <layer>.bias ... -> <layer>.output, output; with target also loss; "
        "with\n"
        "--backward input.grad, <layer>.weight.grad ...; with --steps the parameters after them",
        "heteroscope-cli evaluate pooling_4x4.json --tensors in.npz --out out.npz\n"
        "heteroscope-cli evaluate matmul_size_sweep.json --tensors in.npz --out out.npz "
        "--backward --target cpu/openmp",
        defineEvaluate};
}

} // namespace heteroscope::cli
