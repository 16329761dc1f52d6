// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli trace: what is in a run file, its statistics, and conversion.
#include "app/cli/memory_limit.h"
#include "app/cli/output.h"
#include "app/cli/output_rules.h"
#include "app/cli/study_records.h"
#include "app/cli/trace_device.h"
#include "app/cli/trace_frames.h"
#include "app/cli/trace_info.h"
#include "app/cli/trace_layers.h"
#include "app/cli/trace_roofline.h"
#include "app/cli/trace_window.h"
#include "app/cli/verbs.h"
#include "compute/base/ascii_case.h"
#include "profiling/analysis/device_json.h"
#include "profiling/analysis/results.h"
#include "profiling/io/chrome_json.h"
#include "profiling/io/utf8.h"
#include "profiling/stream/run_file_state.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace heteroscope::cli {
namespace {

struct TraceArguments {
    std::string file, to, format, windowFrom, windowTo;
    bool json = false, csv = false, layers = false, force = false;
};

ExitCode withRunFile(const std::string& path, const std::function<ExitCode(const profiling::RunFile&)>& use) {
    const auto file = readGivenRunFile(path);
    return file ? readingEnds(use(*file), *file) : reportError(file.error());
}

ExitCode info(const TraceArguments& arguments) {
    return withRunFile(arguments.file, [&](const profiling::RunFile& file) {
        return reportStatus(arguments.json ? printJson(runFileInfo(file))
                                           : writeStdout(runFileInfoText(file)));
    });
}

ExitCode layerStats(const profiling::RunFile& file, profiling::NsRange window,
                    const TraceArguments& arguments) {
    const auto times =
        profiling::layerTimes(*file.trace, file.study, profiling::deviceWork(*file.trace), window);
    if (arguments.json)
        return reportStatus(printJson(layerTimesJson(times)));
    return reportStatus(writeStdout(arguments.csv ? layerTimesCsv(times) : layerTimesText(times)));
}

/// What is wrong with the text of a time, for the parser of the command line; empty: nothing.
std::string timeProblem(const std::string& text) {
    const auto time = timeFromText(text);
    return time ? std::string() : time.error().sentence();
}

/// Nothing of a whole file.
std::string stateLine(const profiling::RunFile& file) {
    const profiling::RunFileState state = profiling::stateOf(file);
    return state.whole() ? std::string() : "state  " + state.sentence() + "\n";
}

ExitCode stats(const TraceArguments& arguments) {
    return withRunFile(arguments.file, [&](const profiling::RunFile& file) {
        const bool table = arguments.csv;
        if (table || arguments.layers)
            warnIfNotWhole(file, arguments.file); // tables and lists have no place for it
        const auto window = traceWindow(*file.trace, arguments.windowFrom, arguments.windowTo);
        if (!window)
            return reportError(window.error());
        if (arguments.layers)
            return layerStats(file, *window, arguments);
        if (table)
            return reportStatus(writeStdout(spanStatisticsCsv(*file.trace, *window)));
        const profiling::DeviceReport device = profiling::deviceReport(*file.trace, file.study, *window);
        const profiling::Roofline roofline =
            profiling::roofline(*file.trace, file.study, device.work, *window);
        const auto parts = profiling::sampleParts(*file.trace, file.study, *window);
        if (!arguments.json)
            return reportStatus(writeStdout(stateLine(file) + spanStatisticsText(*file.trace, *window) +
                                            deviceReportText(*file.trace, device) + samplePartsText(parts) +
                                            rooflineText(roofline) + countersText(file.study)));
        Json statistics = spanStatistics(*file.trace, *window);
        putState(statistics, file);
        if (device.work.any())
            statistics["device"] = profiling::deviceReportJson(device);
        statistics["causal_pairs"] = file.trace->quality().causalPairs;
        statistics["causal_violations"] = file.trace->quality().causalViolations;
        statistics["samples"] = samplePartsJson(parts);
        statistics["roofline"] = profiling::rooflineJson(roofline);
        statistics["counters"] = countersJson(file.study);
        return reportStatus(printJson(statistics));
    });
}

std::string formatOf(const TraceArguments& arguments) {
    if (!arguments.format.empty())
        return arguments.format;
    std::string ending = std::filesystem::path(arguments.to).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), lowerAscii);
    return ending == ".csv" ? "csv" : "chrome";
}

OutputKind kindOfExport(const std::string& format) {
    return format == "csv"       ? OutputKind::Csv
           : format == "results" ? OutputKind::Results
                                 : OutputKind::ChromeTrace;
}

ExitCode exportTo(const TraceArguments& arguments) {
    const OutputGuard guard({arguments.file}, arguments.force);
    const std::string format = formatOf(arguments);
    const OutputRules rules = guard.rules(kindOfExport(format));
    if (const Status status = guard.check({{"TO", arguments.to, kindOfExport(format)}}); !status)
        return reportError(status.error());
    return withRunFile(arguments.file, [&](const profiling::RunFile& file) {
        warnIfNotWhole(file, arguments.file);
        if (format == "chrome")
            return reportStatus(profiling::exportChromeJson(*file.trace, arguments.to, rules));
        if (format == "csv")
            return reportStatus(writeOutput(arguments.to, profiling::resultsToCsv(file.study), rules));
        const profiling::DeviceReport device = profiling::deviceReport(*file.trace, file.study);
        Json results = profiling::resultsToJson(file.study, profiling::summarizeStudy(file.study), &device);
        putState(results, file);
        return reportStatus(writeOutput(
            arguments.to, results.dump(2, ' ', false, Json::error_handler_t::replace) + "\n", rules));
    });
}

Status writeImported(const profiling::Trace& trace, const profiling::ImportReport& report,
                     const TraceArguments& arguments, const OutputRules& rules) {
    auto sink = profiling::openFileSink(
        arguments.to, {.replace = profiling::RunFilePolicy::Replace::AtEnd, .rules = rules});
    if (!sink)
        return sink.error();
    std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
    sinks.push_back(std::move(*sink));
    profiling::StreamWriter writer(std::move(sinks));
    const profiling::Study study = newStudy();
    (void)writer.begin(study).ok(); // a failure of any frame is in the writer's status
    (void)writer
        .environment({{"imported_from", profiling::validUtf8(arguments.file)},
                      {"imported_events", report.events},
                      {"import", report.json()}})
        .ok();
    for (const std::string& note : report.notes)
        (void)writer.log({study.clockNs, "warning", note}).ok();
    if (const Status status = writeTraceFrames(trace, writer); !status)
        return status;
    (void)writer.end("done", "").ok();
    return writer.flush();
}

/// Nothing was written, and an earlier file stays.
Error notWritten(Error error, const std::string& to) {
    std::error_code ignored;
    error.message +=
        std::filesystem::exists(to, ignored) ? "; " + to + " is as it was" : "; " + to + " was not written";
    return error;
}

ExitCode importFrom(const TraceArguments& arguments) {
    const OutputGuard guard({arguments.file}, arguments.force);
    if (const Status status = guard.check({{"TO", arguments.to, OutputKind::RunFile}}); !status)
        return reportError(status.error());
    profiling::Trace trace;
    const auto report = profiling::importChromeJson(arguments.file, trace);
    if (!report)
        return reportError(
            givenFileError(report.error(), "give a Chrome trace, .json or .json.gz, as profilers write it"));
    trace.publish();
    for (const std::string& note : report->notes)
        reportWarning(note);
    if (const Status some = profiling::requireSomething(*report, trace, arguments.file); !some)
        return reportError(notWritten(some.error(), arguments.to));
    if (const Status status = writeImported(trace, *report, arguments, guard.rules(OutputKind::RunFile));
        !status)
        return reportError(status.error());
    writeStderr(report->summary() + "\n");
    return arguments.json ? reportStatus(printJson(report->json())) : ExitCode::Done;
}

using Action = ExitCode (*)(const TraceArguments&);

CLI::App* subcommand(CLI::App& app, const std::string& name, const std::string& what,
                     TraceArguments& arguments) {
    CLI::App* sub = app.add_subcommand(name, what);
    sub->add_option("FILE", arguments.file, name == "import" ? "Chrome trace, .json or .json.gz" : "run file")
        ->required();
    addMemoryLimit(*sub, kReadingLimit);
    return sub;
}

std::function<ExitCode()> defineTrace(CLI::App& app) {
    const auto arguments = std::make_shared<TraceArguments>();
    const auto action = std::make_shared<Action>(nullptr);
    const auto add = [&](const std::string& name, const std::string& what, Action act) {
        CLI::App* sub = subcommand(app, name, what, *arguments);
        sub->callback([action, act] { *action = act; });
        return sub;
    };
    CLI::App* sub = add("info", "what the file holds, and whether it is whole", info);
    sub->add_flag("--json", arguments->json, "machine-readable");
    sub = add("stats", "count and time of the spans by name, largest total first", stats);
    auto* json = sub->add_flag("--json", arguments->json, "machine-readable");
    sub->add_flag("--csv", arguments->csv, "as CSV with a header line")->excludes(json);
    sub->add_flag("--layers", arguments->layers, "times of a network's layers, forward and backward");
    sub->add_option("--from", arguments->windowFrom,
                    "only from this time after the recording's start on, e.g. 0.25, 250ms, 1500ns")
        ->type_name("TIME")
        ->check(timeProblem);
    sub->add_option("--to", arguments->windowTo, "only up to this time")
        ->type_name("TIME")
        ->check(timeProblem);
    sub = add("export", "to a Chrome trace, results JSON or CSV", exportTo);
    sub->add_option("TO", arguments->to, "file to write")->required();
    defineForce(*sub, arguments->force);
    sub->add_option("--format", arguments->format,
                    "chrome, results or csv; default: csv for .csv, else chrome")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"chrome", "results", "csv"}));
    sub = add("import", "a Chrome trace to a run file", importFrom);
    sub->add_option("TO", arguments->to, "run file to write")->required();
    sub->add_flag("--json", arguments->json, "what was taken and what was lost, as JSON on standard output");
    defineForce(*sub, arguments->force);
    app.require_subcommand(1);
    return [arguments, action] { return (*action)(*arguments); };
}

} // namespace

Verb traceVerb() {
    return {
        "trace", "contents, statistics and conversion of run files",
        "trace info tells what a run file holds, and when it is being written, was stopped early or is "
        "damaged, up\n"
        "to which byte it could be read. A damaged file gives exit code 2, after what could be read was "
        "shown.\n"
        "trace stats sums spans by name and tells of GPUs how data was "
        "moved, where\n"
        "the time went, and what is worth changing; with --layers it tells of networks how long each layer "
        "took.\ntrace export writes a Chrome trace (opens in "
        "Perfetto and\n"
        "chrome://tracing), the results as JSON, or all samples as CSV. trace import makes a run file of "
        "a Chrome\n"
        "trace: what it cannot keep is told with its count, a line for each reason, and stays in the run "
        "file. A trace\n"
        "without a span or a counter value gives exit code 2, and no file is written.",
        "heteroscope-cli trace info demo.hscope\n"
        "heteroscope-cli trace stats demo.hscope --csv\n"
        "heteroscope-cli trace stats network.hscope --layers\n"
        "heteroscope-cli trace stats demo.hscope --from 100ms --to 0.25\n"
        "heteroscope-cli trace export demo.hscope demo-trace.json\n"
        "heteroscope-cli trace export demo.hscope results.json --format results\n"
        "heteroscope-cli trace import demo-trace.json imported.hscope",
        defineTrace};
}

} // namespace heteroscope::cli
