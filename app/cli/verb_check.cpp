// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli check: every mistake of an experiment, or what it will need.
#include "app/cli/check_report.h"
#include "app/cli/data_faults.h"
#include "app/cli/experiment_source.h"
#include "app/cli/memory_limit.h"
#include "app/cli/module_loader.h"
#include "app/cli/network_files.h"
#include "app/cli/network_summary.h"
#include "app/cli/output.h"
#include "app/cli/output_rules.h"
#include "app/cli/verbs.h"
#include "compute/experiment/spec/option_effect.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace heteroscope::cli {
namespace {

using compute::Diagnostic;

struct CheckArguments {
    ExperimentSource source;
    bool json = false;
    bool implementations = false;
    std::int64_t memoryLimitBytes = 0; ///< 0: what the device has free
    std::string summary;               ///< file; empty: none
    bool force = false;
};

ExitCode refuse(const Error& error, bool json) {
    if (json) {
        const Json finding = {{"severity", "error"},
                              {"pointer", error.where},
                              {"message", error.message},
                              {"allowed", error.allowed},
                              {"advice", error.wholeAdvice()}};
        if (const Status status = printJson({{"ok", false}, {"diagnostics", Json::array({finding})}});
            !status)
            return reportError(status.error());
    }
    return reportError(error);
}

bool isError(const Diagnostic& diagnostic) {
    return diagnostic.severity == Diagnostic::Severity::Error;
}

ExitCode refuse(const std::vector<Diagnostic>& diagnostics, bool json) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : diagnostics) {
        list.push_back(diagnosticJson(diagnostic));
        writeStderr("heteroscope-cli: " + diagnosticText(diagnostic) + "\n");
    }
    if (json)
        if (const Status status = printJson({{"ok", false}, {"diagnostics", list}}); !status)
            return reportError(status.error());
    const bool areTooLarge = std::all_of(diagnostics.begin(), diagnostics.end(), [](const auto& diagnostic) {
        return !isError(diagnostic) || diagnostic.code == ErrorCode::OutOfMemory;
    });
    return exitCodeOf(areTooLarge ? ErrorCode::OutOfMemory : ErrorCode::BadInput);
}

ExitCode check(const CheckArguments& arguments) {
    const auto document = readDocument(arguments.source);
    if (!document)
        return refuse(document.error(), arguments.json);
    auto diagnostics = compute::checkExperiment(document->json);
    if (std::any_of(diagnostics.begin(), diagnostics.end(), isError))
        return refuse(diagnostics, arguments.json);
    if (const auto options = compute::optionsWithoutEffect(document->json); !options.empty())
        return refuse(options, arguments.json);
    auto spec = documentSpec(*document, arguments.source);
    if (!spec)
        return refuse(spec.error(), arguments.json);
    const auto faults = dataFaults(*spec);
    if (!faults)
        return refuse(faults.error(), arguments.json);
    if (!faults->empty())
        return refuse(*faults, arguments.json);
    auto inputs = inputFiles(arguments.source, *spec);
    if (!inputs)
        return refuse(inputs.error(), arguments.json);
    const OutputGuard guard(std::move(*inputs), arguments.force);
    if (const Status status = guard.check({printedOutput("--json", arguments.json, OutputKind::Results),
                                           {"--summary", arguments.summary, OutputKind::Summary}});
        !status)
        return refuse(status.error(), arguments.json);
    if (const Status status = readWeights(*spec); !status)
        return refuse(status.error(), arguments.json);
    const auto registry = makeRegistry({false, spec->targets});
    auto report = checkReport(std::move(*spec), registry, arguments.memoryLimitBytes);
    if (!report)
        return refuse(report.error(), arguments.json);
    report->warnings = std::move(diagnostics);
    if (!arguments.summary.empty())
        if (const Status status =
                writeNetworkSummary(arguments.summary, report->spec, guard.rules(OutputKind::Summary));
            !status)
            return refuse(status.error(), arguments.json);
    return reportStatus(arguments.json ? printJson(checkReportJson(*report, arguments.implementations))
                                       : writeStdout(checkReportText(*report, arguments.implementations)));
}

std::function<ExitCode()> defineCheck(CLI::App& app) {
    const auto arguments = std::make_shared<CheckArguments>();
    defineExperimentOptions(app, arguments->source);
    app.add_flag("--json", arguments->json, "machine-readable");
    app.add_flag("--implementations", arguments->implementations,
                 "for each operation also what else could compute it on each target, and why it is not\n"
                 "taken; the names are those that a target's option takes: cpu/openmp?impl=pool_rows");
    addMemoryLimit(
        app,
        "tell what fits into this, e.g. 512MiB, and read no file that needs more; default: what the\n"
        "device has free, and a quarter of it for reading",
        &arguments->memoryLimitBytes);
    auto* summary =
        app.add_option("--summary", arguments->summary,
                       "also write a network's layers as a table; the ending says how: .csv, .tex or .txt")
            ->type_name("F");
    defineForce(app, arguments->force)->needs(summary);
    return [arguments] { return check(*arguments); };
}

} // namespace

Verb checkVerb() {
    return {
        "check", "validates an experiment and tells what it will need",
        "Names every mistake of the experiment with its JSON pointer (exit code 2), or prints, for every "
        "point, the\n"
        "shapes, the number of windows, the memory and the operations, and for every target whether it is\n"
        "available, whether the largest point fits into its free memory, and which implementations would "
        "run.\n"
        "Nothing is computed.",
        "heteroscope-cli check pooling_size_sweep.json\n"
        "heteroscope-cli check pooling.json --set /pooling/padding=1 --json\n"
        "heteroscope-cli check alexnet.json --implementations",
        defineCheck};
}

} // namespace heteroscope::cli
