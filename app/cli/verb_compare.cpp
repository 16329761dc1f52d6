// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli compare: two studies run by run.
#include "app/cli/check_report.h"
#include "app/cli/figure_table.h"
#include "app/cli/memory_limit.h"
#include "app/cli/output.h"
#include "app/cli/trace_info.h"
#include "app/cli/verbs.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/settling.h"
#include "profiling/analysis/unclear.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

namespace heteroscope::cli {
namespace {

struct CompareArguments {
    std::string a, b;
    bool json = false;
};

Json runJson(const profiling::RunComparison& run) {
    Json record = {{"target", run.target}, {"point", run.point}, {"note", run.note}};
    record["median_a_ms"] = run.medianAMs > 0 ? Json(run.medianAMs) : Json(nullptr);
    record["median_b_ms"] = run.medianBMs > 0 ? Json(run.medianBMs) : Json(nullptr);
    if (run.comparison) {
        record["ratio"] = run.comparison->ratio;
        const Interval& interval = run.comparison->ci95;
        record["ci95"] =
            run.comparison->hasInterval ? Json::array({interval.low, interval.high}) : Json(nullptr);
        record["verdict"] = verdictName(run.comparison->verdict);
        if (const auto doubt = profiling::doubtOf(*run.comparison); doubt != profiling::Doubt::None) {
            record["unclear_because"] = profiling::doubtText(doubt);
            if (run.comparison->processesThatSettle > 0)
                record["processes_that_settle"] = run.comparison->processesThatSettle;
        }
    }
    return record;
}

Json stateJson(const profiling::RunFile& file) {
    Json record = Json::object();
    putState(record, file);
    return record;
}

Json comparisonJson(const CompareArguments& arguments, const profiling::StudyComparison& comparison) {
    Json runs = Json::array();
    for (const auto& run : comparison.runs)
        runs.push_back(runJson(run));
    return {{"format", "heteroscope-comparison"},
            {"version", 1},
            {"a", arguments.a},
            {"b", arguments.b},
            {"ratio", "median time of A / median time of B; above 1: B is faster"},
            {"runs", runs},
            {"differences", comparison.differences}};
}

/// `seconds`: that a process of either study takes.
std::string comparisonText(const profiling::StudyComparison& comparison, double seconds) {
    std::vector<std::vector<std::string>> rows{headings(
        {"target", "point_name", "study_ratio", "study_ratio_interval", "study_verdict", "comparison_note"})};
    std::vector<profiling::Doubt> doubts;
    std::vector<Comparison> comparisons;
    for (const auto& run : comparison.runs) {
        if (run.comparison)
            comparisons.push_back(*run.comparison);
        if (run.comparison)
            doubts.push_back(profiling::doubtOf(*run.comparison));
        std::vector<std::string> row{run.target, pointText(run.point), "-", "-", "-", run.note};
        if (run.comparison) {
            row[2] = profiling::significantText(run.comparison->ratio);
            row[3] = run.comparison->hasInterval
                         ? profiling::significantText(run.comparison->ci95.low) + " .. " +
                               profiling::significantText(run.comparison->ci95.high)
                         : "n < 5";
            row[4] = verdictName(run.comparison->verdict);
        }
        rows.push_back(std::move(row));
    }
    std::string text = textTable(rows) + "\n";
    text +=
        comparison.differences.empty() ? "environments and experiments are the same\n" : "what differs:\n";
    for (const std::string& difference : comparison.differences)
        text += "  " + difference + "\n";
    if (const std::string advice = profiling::unclearAdvice(doubts); !advice.empty())
        text += advice + "\n";
    if (const std::string settling = profiling::settlingText(comparisons, seconds); !settling.empty())
        text += settling + "\n";
    return text;
}

ExitCode compare(const CompareArguments& arguments) {
    const auto a = readGivenRunFile(arguments.a);
    if (!a)
        return reportError(a.error());
    const auto b = readGivenRunFile(arguments.b);
    if (!b)
        return reportError(b.error());
    warnIfNotWhole(*a, arguments.a);
    warnIfNotWhole(*b, arguments.b);
    const auto comparison = profiling::compareStudies(a->study, b->study);
    const auto ends = [&](const Status& shown) {
        return readingEnds(readingEnds(reportStatus(shown), *a), *b);
    };
    if (!arguments.json)
        return ends(
            writeStdout(comparisonText(comparison, std::max(profiling::secondsPerProcess(a->study),
                                                            profiling::secondsPerProcess(b->study)))));
    Json record = comparisonJson(arguments, comparison);
    record["state_a"] = stateJson(*a);
    record["state_b"] = stateJson(*b);
    return ends(printJson(record));
}

std::function<ExitCode()> defineCompare(CLI::App& app) {
    const auto arguments = std::make_shared<CompareArguments>();
    app.add_option("A", arguments->a, "run file that is compared with")->required();
    app.add_option("B", arguments->b, "run file that is judged")->required();
    app.add_flag("--json", arguments->json, "machine-readable");
    addMemoryLimit(app, kReadingLimit);
    return [arguments] { return compare(*arguments); };
}

} // namespace

Verb compareVerb() {
    return {
        "compare", "two run files, run by run: ratio, interval and verdict",
        "Matches the runs of two studies by point and target and prints, for each, how many times faster B "
        "is than\n"
        "A, with the 95 % interval of that ratio and a verdict: FASTER, SLOWER, SAME, or UNCLEAR with the\n"
        "reason; verdicts need 3 fresh processes a study (presets standard and thesis). Then it lists what "
        "differs between "
        "the two environments and experiments.",
        "heteroscope-cli compare before.hscope after.hscope\n"
        "heteroscope-cli compare before.hscope after.hscope --json",
        defineCompare};
}

} // namespace heteroscope::cli
