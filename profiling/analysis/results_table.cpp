// SPDX-License-Identifier: Apache-2.0
// Results as a table for the terminal.
#include "compute/base/axis_name.h"
#include "compute/base/units.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/figures.h"
#include "profiling/analysis/headline.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/settling.h"
#include "profiling/analysis/study_notes.h"
#include "profiling/analysis/unclear.h"
#include "profiling/stream/study_codec.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace heteroscope::profiling {

namespace {

using Row = std::vector<std::string>;

/// Characters as a terminal counts them: code points, which is right for everything written here.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string pointText(const Json& point) {
    return point.empty() ? "-" : pointName(point);
}

std::string nameOf(const Figure& one) {
    return std::string(one.name);
}

std::string timeText(const Summary& time) {
    constexpr double kNsPerMs = 1e6;
    std::string text = formatDurationNs(time.median * kNsPerMs);
    if (time.hasInterval)
        text += " [" + formatDurationNs(time.ci95.low * kNsPerMs) + ", " +
                formatDurationNs(time.ci95.high * kNsPerMs) + "]";
    return text;
}

/// The reference against itself is 1 by definition, without an interval.
std::string speedupText(const std::optional<Comparison>& speedup, bool isReference) {
    if (!speedup)
        return "-";
    const std::string ratio = ratioText(speedup->ratio);
    if (isReference)
        return ratio;
    return ratio + (speedup->hasInterval ? " [" + significantText(speedup->ci95.low) + ", " +
                                               significantText(speedup->ci95.high) + "]"
                                         : " (n < 5)");
}

Row rowOf(const RunResult& result, const std::string& reference) {
    const StudyRun& run = *result.run;
    const std::string point = pointText(run.point);
    if (result.timeMs.n == 0) {
        const std::string why = run.reason.empty() ? "" : ": " + run.reason;
        return {point, run.target, std::string(runStatusName(run.status)) + why, "", "", "", ""};
    }
    std::string verdict = "-";
    if (result.speedup)
        verdict = run.target == reference ? "reference" : std::string(verdictName(result.speedup->verdict));
    std::string outcome = result.equalWork;
    if (run.status == StudyRunStatus::Failed || run.status == StudyRunStatus::Cancelled)
        outcome = std::string(runStatusName(run.status)) + (run.reason.empty() ? "" : ": " + run.reason);
    return {point,
            run.target,
            timeText(result.timeMs),
            std::to_string(result.timeMs.n),
            speedupText(result.speedup, run.target == reference),
            verdict,
            outcome};
}

/// What is UNCLEAR, why, and what would settle it; empty where nothing is.
std::string unclearText(const Study& study, const StudyResults& results) {
    std::vector<Doubt> doubts;
    std::vector<Comparison> comparisons;
    for (const RunResult& result : results.runs)
        if (result.speedup) {
            doubts.push_back(doubtOf(*result.speedup));
            comparisons.push_back(*result.speedup);
        }
    const std::string advice = unclearAdvice(doubts),
                      settling = settlingText(comparisons, secondsPerProcess(study)),
                      standard = standardPresetText(doubts, study);
    return advice + (standard.empty() ? "" : " " + standard) + (settling.empty() ? "" : " " + settling) +
           (advice.empty() ? "" : "\n");
}

} // namespace

std::string resultsToTable(const Study& study, const StudyResults& results) {
    std::vector<Row> rows = {{nameOf(figure("point")), nameOf(figure("target")), nameOf(figure("median")),
                              nameOf(figure("sample_count")), nameOf(figure("speedup")),
                              nameOf(figure("verdict")), nameOf(figure("outcome"))}};
    for (const RunResult& result : results.runs)
        rows.push_back(rowOf(result, results.reference));
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            if (!row[i].empty() && (i != 2 || !row[3].empty())) // a reason may run on over empty columns
                widths[i] = std::max(widths[i], width(row[i]));
    std::string table;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (width(row[i]) < widths[i])
                line += std::string(widths[i] - width(row[i]), ' ');
            line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        table += line + "\n";
    }
    if (!results.reference.empty())
        table += "speedup against " + results.reference +
                 "; intervals of 95 %, none from fewer than 5 samples of fewer than 3 processes (n < 5)\n";
    table += machineCaption(study, results).text() + "\n";
    for (const std::string& note : studyNotes(study))
        table += note + "\n";
    table += unclearText(study, results);
    table += "\n" + headline(study, results).text() + "\n";
    return table;
}

} // namespace heteroscope::profiling
