// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli compare: two studies run by run.
#include "app/cli/check_report.h"
#include "app/cli/figure_table.h"
#include "app/cli/memory_limit.h"
#include "app/cli/output.h"
#include "app/cli/trace_info.h"
#include "app/cli/verbs.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/headline.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/settling.h"
#include "profiling/analysis/study_pairs.h"
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
    std::vector<std::string> more; ///< A2, B2, A3, B3, ...
    bool json = false;

    /// All, in the order in which they were given.
    std::vector<std::string> paths() const {
        std::vector<std::string> all{a, b};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
};

Json runJson(const profiling::RunComparison& run) {
    Json record = {{"target", run.target}, {"point", run.point}, {"note", run.note}};
    record["median_a_ms"] = run.medianAMs > 0 ? Json(run.medianAMs) : Json(nullptr);
    record["median_b_ms"] = run.medianBMs > 0 ? Json(run.medianBMs) : Json(nullptr);
    record["n_a"] = run.samplesA;
    record["n_b"] = run.samplesB;
    if (run.comparison) {
        record["ratio"] = run.comparison->ratio;
        const Interval& interval = run.comparison->ci95;
        record["ci95"] =
            run.comparison->hasInterval ? Json::array({interval.low, interval.high}) : Json(nullptr);
        record["ci98"] = run.comparison->overProcesses || run.comparison->overPairs
                             ? Json::array({run.comparison->ci98.low, run.comparison->ci98.high})
                             : Json(nullptr);
        record["verdict"] = verdictName(run.comparison->verdict);
        if (const auto doubt = profiling::doubtOf(*run.comparison); doubt != profiling::Doubt::None) {
            record["unclear_because"] = profiling::doubtText(doubt);
            if (run.comparison->processesThatSettle > 0)
                record["processes_that_settle"] = run.comparison->processesThatSettle;
        }
    }
    if (!run.pairRatios.empty())
        record["pair_ratios"] = run.pairRatios;
    return record;
}

Json stateJson(const profiling::RunFile& file) {
    Json record = Json::object();
    putState(record, file);
    record["end_status"] = file.study.ended ? Json(file.study.endStatus) : Json(nullptr);
    return record;
}

Json comparisonJson(const CompareArguments& arguments, const std::vector<profiling::RunFile>& files,
                    const profiling::StudyComparison& comparison) {
    Json runs = Json::array(), pairs = Json::array(), differences = Json::array();
    for (const Phrase& difference : comparison.differences)
        differences.push_back(difference.text());
    for (const auto& run : comparison.runs)
        runs.push_back(runJson(run));
    const std::vector<std::string> paths = arguments.paths();
    for (std::size_t i = 0; i + 1 < paths.size(); i += 2)
        pairs.push_back({{"a", paths[i]},
                         {"b", paths[i + 1]},
                         {"state_a", stateJson(files[i])},
                         {"state_b", stateJson(files[i + 1])}});
    const bool several = pairs.size() > 1;
    Json record = {
        {"format", "heteroscope-comparison"},
        {"version", 1},
        {"a", arguments.a},
        {"b", arguments.b},
        {"state_a", pairs[0].at("state_a")},
        {"state_b", pairs[0].at("state_b")},
        {"ratio", several ? "geometric mean over the pairs of time of A / time of B; above 1: B is faster"
                          : "median time of A / median time of B; above 1: B is faster"},
        {"runs", runs},
        {"differences", differences}};
    if (several) {
        record["pairs"] = pairs;
        record["took_turns"] = comparison.tookTurns;
    }
    return record;
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
            row[2] = profiling::ratioText(run.comparison->ratio);
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
    for (const Phrase& difference : comparison.differences)
        text += "  " + difference.text() + "\n";
    text += profiling::headline(comparison).text() + "\n";
    if (const std::string advice = profiling::unclearAdvice(doubts); !advice.empty())
        text += advice + "\n";
    if (const std::string settling = profiling::settlingText(comparisons, seconds); !settling.empty())
        text += settling + "\n";
    return text;
}

/// What is not seen in the numbers: a study that did not come to its end.
void warnIfStopped(const profiling::RunFile& file, const std::string& path) {
    if (file.study.ended && file.study.endStatus != "done")
        reportWarning(path + ": the study ended as " + file.study.endStatus +
                      "; samples or runs of it may be missing");
}

/// Of pairs no recording twice: a pair that is another one shows no spread.
Status checkFiles(const std::vector<std::string>& paths, const std::vector<profiling::RunFile>& files) {
    const auto same = [&](std::size_t i, std::size_t j) {
        return !files[i].study.id.empty() && files[i].study.id == files[j].study.id;
    };
    if (files.size() == 2 && same(0, 1))
        reportWarning("'" + paths[0] + "' and '" + paths[1] + "' are the same recording");
    for (std::size_t i = 0; paths.size() > 2 && i < files.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same(i, j))
                return Error{ErrorCode::BadInput,
                             "'" + paths[j] + "' and '" + paths[i] + "' are the same recording",
                             {},
                             "every file of a pair is a run of its own",
                             "run the study again"};
    return {};
}

Status checkCount(std::size_t files) {
    if (profiling::makesPairs(files))
        return {};
    return Error{ErrorCode::Usage,
                 std::to_string(files) + " run files are neither two nor whole pairs, three or more",
                 {},
                 "A B, or A1 B1 A2 B2 A3 B3 and further pairs",
                 {}};
}

ExitCode compare(const CompareArguments& arguments) {
    const std::vector<std::string> paths = arguments.paths();
    if (const Status status = checkCount(paths.size()); !status)
        return reportError(status.error());
    MemoryBudget budget;
    std::vector<profiling::RunFile> files;
    for (const std::string& path : paths) {
        auto file = readGivenRunFile(path, budget);
        if (!file)
            return reportError(file.error());
        warnIfNotWhole(*file, path);
        warnIfStopped(*file, path);
        files.push_back(std::move(*file));
    }
    if (const Status status = checkFiles(paths, files); !status)
        return reportError(status.error());
    std::vector<profiling::StudyPair> pairs;
    double seconds = 0;
    for (std::size_t i = 0; i < files.size(); i += 2) {
        pairs.push_back({&files[i].study, &files[i + 1].study});
        seconds = std::max({seconds, profiling::secondsPerProcess(files[i].study),
                            profiling::secondsPerProcess(files[i + 1].study)});
    }
    const auto comparison = profiling::compareStudies(pairs);
    ExitCode code = ExitCode::Done;
    if (arguments.json)
        code = reportStatus(printJson(comparisonJson(arguments, files, comparison)));
    else
        code = reportStatus(writeStdout(
            (pairs.size() > 1 ? profiling::pairsSentence(pairs.size(), comparison.tookTurns).text() + "\n"
                              : std::string()) +
            comparisonText(comparison, seconds)));
    for (const profiling::RunFile& file : files)
        code = readingEnds(code, file);
    return code;
}

std::function<ExitCode()> defineCompare(CLI::App& app) {
    const auto arguments = std::make_shared<CompareArguments>();
    app.add_option("A", arguments->a, "run file that is compared with")->required();
    app.add_option("B", arguments->b, "run file that is judged")->required();
    app.add_option("PAIRS", arguments->more,
                   "further pairs of run files, A2 B2 A3 B3 ..., that took turns with them");
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
        "reason. Two studies are of one moment each: FASTER and SLOWER need 3 fresh processes a study "
        "(presets\n"
        "standard and thesis) and a factor of 2. Less is told apart by pairs of studies that took turns, "
        "three "
        "or\n"
        "more: A1 B1 A2 B2 A3 B3. Then it lists what differs between the environments and experiments.",
        "heteroscope-cli compare before.hscope after.hscope\n"
        "heteroscope-cli compare before.hscope after.hscope --json\n"
        "heteroscope-cli compare a1.hscope b1.hscope a2.hscope b2.hscope a3.hscope b3.hscope",
        defineCompare};
}

} // namespace heteroscope::cli
