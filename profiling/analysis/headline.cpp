// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/headline.h"

#include "compute/base/axis_name.h"
#include "compute/base/units.h"
#include "profiling/analysis/crossover.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/main_result.h"
#include "profiling/stream/study_codec.h"

#include <algorithm>
#include <map>
#include <set>

namespace heteroscope::profiling {

namespace {

constexpr double kNsPerMs = 1e6;

std::string timeText(double ms) {
    return formatDurationNs(ms * kNsPerMs);
}

std::string ratioText(double ratio) {
    return significantText(ratio);
}

std::string axisPlace(const std::string& axis, const Json& value) {
    const std::string name = axisName(axis);
    return name + (name.find('=') == std::string::npos ? " " : "=") + axisValueText(value);
}

/// " at size 1024, kernel 3"; empty for a study of one point.
std::string placeOf(const Json& point) {
    std::string text;
    for (const auto& [axis, value] : point.items())
        text += (text.empty() ? " at " : ", ") + axisPlace(axis, value);
    return text;
}

std::string numberPlace(const std::string& axis, double value) {
    return axisPlace(axis, value == static_cast<double>(static_cast<std::int64_t>(value))
                               ? Json(static_cast<std::int64_t>(value))
                               : Json(value));
}

std::string intervalText(const Comparison& comparison, bool inverse) {
    const Interval& ci = comparison.ci95;
    return "95 % interval " + ratioText(inverse ? 1 / ci.high : ci.low) + " to " +
           ratioText(inverse ? 1 / ci.low : ci.high);
}

std::string duelSentence(const MainResult& duel) {
    const Comparison& comparison = *duel.result->speedup;
    const bool otherWins = comparison.ratio >= 1;
    const std::string& winner = (otherWins ? duel.result : duel.reference)->run->target;
    const std::string& loser = (otherWins ? duel.reference : duel.result)->run->target;
    const std::string factor = ratioText(otherWins ? comparison.ratio : 1 / comparison.ratio) + "x";
    const std::string place = placeOf(duel.result->run->point) + duel.choice;
    if (!comparison.hasInterval)
        return winner + " looks " + factor + " faster than " + loser + place + ", but " +
               std::to_string(std::min(duel.result->timeMs.n, duel.reference->timeMs.n)) +
               " samples are too few for an interval (n < 5)";
    switch (comparison.verdict) {
    case Verdict::Same:
        return duel.result->run->target + " and " + duel.reference->run->target + " are equally fast" +
               place + " (" + timeText(duel.result->timeMs.median) + " and " +
               timeText(duel.reference->timeMs.median) + ")";
    case Verdict::Faster:
    case Verdict::Slower:
        return winner + " is " + factor + " faster than " + loser + place + " (" +
               intervalText(comparison, !otherWins) + ")";
    case Verdict::Unclear:
    case Verdict::NoResult:
        break;
    }
    return "it is unclear whether " + winner + " is faster than " + loser + place + " (" + factor + ", " +
           intervalText(comparison, !otherWins) + ")";
}

/// Who wins below the last change of the faster one; empty when there is none or it is not settled.
std::string crossoverSentence(const StudyResults& results, const MainResult& duel) {
    const Json& point = duel.result->run->point;
    if (point.size() != 1)
        return {}; // with several axes two targets have many curves
    const std::string axis = point.items().begin().key();
    const auto crossovers = findCrossovers(curveOf(results, duel.reference->run->target, axis),
                                           curveOf(results, duel.result->run->target, axis));
    if (crossovers.empty())
        return {};
    const Crossover& last = crossovers.back();
    const std::string& below = (last.firstIsFasterAbove ? duel.result : duel.reference)->run->target;
    if (!last.clear)
        return "; which is faster changes near " + numberPlace(axis, last.below) + ", not clearly";
    return (crossovers.size() == 1 ? "; up to " : "; just below, at ") + numberPlace(axis, last.below) + " " +
           below + " is faster";
}

bool isMissing(const RunResult& result) {
    const StudyRunStatus status = result.run->status;
    return status == StudyRunStatus::Failed || status == StudyRunStatus::Skipped ||
           status == StudyRunStatus::Cancelled;
}

/// " 2 of 12 runs failed or were skipped, first cpu/onednn: not built in."
std::string missingSentence(const StudyResults& results) {
    const auto first = std::find_if(results.runs.begin(), results.runs.end(), isMissing);
    if (first == results.runs.end())
        return {};
    const auto count = std::count_if(results.runs.begin(), results.runs.end(), isMissing);
    std::string reason =
        first->run->reason.empty() ? std::string(runStatusName(first->run->status)) : first->run->reason;
    if (reason.ends_with('.'))
        reason.pop_back();
    return " " + std::to_string(count) + " of " + std::to_string(results.runs.size()) +
           " runs have no complete result (" + first->run->target + ": " + reason + ").";
}

/// For a study with nothing to compare: how long the only target, or the fastest, takes.
std::string aloneSentence(const StudyResults& results, const MainResult& main) {
    const RunResult& best = *main.result;
    std::set<std::string> targets;
    for (const RunResult& result : results.runs)
        if (result.timeMs.n > 0)
            targets.insert(result.run->target);
    std::string text =
        best.run->target + " takes " + timeText(best.timeMs.median) + placeOf(best.run->point) + main.choice;
    text += best.timeMs.hasInterval
                ? " (95 % interval " + timeText(best.timeMs.ci95.low) + " to " +
                      timeText(best.timeMs.ci95.high) + ")"
                : " (" + std::to_string(best.timeMs.n) + (best.timeMs.n == 1 ? " sample" : " samples") +
                      ", no interval: n < 5)";
    return text + (targets.size() > 1
                       ? "; the reference " + results.reference + " has no result to compare with"
                       : "; a second target would give a comparison");
}

std::string sentenceCase(std::string text) {
    // Targets keep their case: only "it is ..." begins a sentence of ours.
    if (text.starts_with("it is "))
        text[0] = 'I';
    return text;
}

/// Of a study that only resumed what had ended before: " The training of cpu/openmp had ended before it was
/// resumed (all 5 epochs): nothing was left to train."
std::string endedBefore(const StudyResults& results) {
    for (const RunResult& result : results.runs)
        if (result.run->status == StudyRunStatus::Ok && result.run->metrics.contains("resumed_from_epoch"))
            return " The training of " + result.run->target + " had ended before it was resumed" +
                   (result.run->stopRule.empty() ? "" : " (" + result.run->stopRule + ")") +
                   ": nothing was left to train.";
    return {};
}

} // namespace

std::string headline(const Study& study, const StudyResults& results) {
    const auto main = mainResult(study, results);
    if (!main)
        return (study.ended ? "No run has a result." : "No run has a result yet.") + endedBefore(results) +
               missingSentence(results);
    std::string text = main->reference ? duelSentence(*main) + crossoverSentence(results, *main)
                                       : aloneSentence(results, *main);
    if (main->reference && main->result->equalWork == "differs")
        text += "; but the outputs differ: not equal work";
    const bool whole = study.ended && study.endStatus == "done";
    return (whole ? sentenceCase(text) : "So far: " + text) + "." + missingSentence(results);
}

std::string headline(const StudyComparison& comparison) {
    std::size_t faster = 0, slower = 0, same = 0, unclear = 0;
    const RunComparison* largest = nullptr;
    const auto change = [](const RunComparison& run) {
        return std::max(run.comparison->ratio, 1 / run.comparison->ratio);
    };
    for (const RunComparison& run : comparison.runs) {
        if (!run.comparison || run.comparison->ratio <= 0)
            continue;
        const Verdict verdict = run.comparison->verdict;
        faster += verdict == Verdict::Faster;
        slower += verdict == Verdict::Slower;
        same += verdict == Verdict::Same;
        unclear += verdict == Verdict::Unclear;
        const bool settled = verdict == Verdict::Faster || verdict == Verdict::Slower;
        if (settled && (!largest || change(run) > change(*largest)))
            largest = &run;
    }
    const std::size_t all = faster + slower + same + unclear;
    if (all == 0)
        return "The two studies share no run that can be compared.";
    std::string text = "B against A, of " + std::to_string(all) + " runs: " + std::to_string(faster) +
                       " faster, " + std::to_string(slower) + " slower, " + std::to_string(same) +
                       " the same, " + std::to_string(unclear) + " unclear";
    if (largest) {
        const bool gain = largest->comparison->ratio >= 1;
        text += "; largest change: " + largest->target + placeOf(largest->point) + " is " +
                ratioText(change(*largest)) + "x " + (gain ? "faster" : "slower") + " (" +
                intervalText(*largest->comparison, !gain) + ")";
    }
    return text + ".";
}

} // namespace heteroscope::profiling
