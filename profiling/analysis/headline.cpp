// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/headline.h"

#include "compute/base/axis_name.h"
#include "compute/base/units.h"
#include "profiling/analysis/crossover.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/main_result.h"
#include "profiling/analysis/recorded_phrase.h"
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

Phrase axisPlace(const std::string& axis, const Json& value) {
    const std::string text = axisValueText(value);
    return joined({axisPhrase(axis), value.is_number() ? groupDigits(text) : text},
                  axisPointers(axis).size() == 1 ? " " : "=");
}

/// " at size 1024, kernel 3"; empty for a study of one point.
Phrase placeOf(const Json& point) {
    std::vector<Phrase> places;
    for (const auto& [axis, value] : point.items())
        places.push_back(axisPlace(axis, value));
    return places.empty() ? Phrase() : say(" at %1", {joined(places, ", ")});
}

Phrase numberPlace(const std::string& axis, double value) {
    return axisPlace(axis, value == static_cast<double>(static_cast<std::int64_t>(value))
                               ? Json(static_cast<std::int64_t>(value))
                               : Json(value));
}

Phrase intervalText(const Comparison& comparison, bool inverse) {
    const Interval& ci = comparison.ci95;
    return say("95 % interval %1 to %2", {significantText(inverse ? 1 / ci.high : ci.low),
                                          significantText(inverse ? 1 / ci.low : ci.high)});
}

Phrase duelSentence(const MainResult& duel) {
    const Comparison& comparison = *duel.result->speedup;
    const bool otherWins = comparison.ratio >= 1;
    const std::string& winner = (otherWins ? duel.result : duel.reference)->run->target;
    const std::string& loser = (otherWins ? duel.reference : duel.result)->run->target;
    const std::string factor = ratioText(otherWins ? comparison.ratio : 1 / comparison.ratio);
    const Phrase place = together(placeOf(duel.result->run->point), duel.choice);
    const std::size_t fewest = std::min(duel.result->timeMs.n, duel.reference->timeMs.n);
    if (!comparison.hasInterval)
        return fewest == 1
                   ? say("%1 looks %2 faster than %3%4, but 1 sample is too few for an interval (n < 5)",
                         {winner, factor, loser, place})
                   : say("%1 looks %2 faster than %3%4, but %5 samples are too few for an interval (n < 5)",
                         {winner, factor, loser, place, std::to_string(fewest)});
    switch (comparison.verdict) {
    case Verdict::Same:
        return say("%1 and %2 are equally fast%3 (%4 and %5)",
                   {duel.result->run->target, duel.reference->run->target, place,
                    timeText(duel.result->timeMs.median), timeText(duel.reference->timeMs.median)});
    case Verdict::Faster:
    case Verdict::Slower:
        return say("%1 is %2 faster than %3%4 (%5)",
                   {winner, factor, loser, place, intervalText(comparison, !otherWins)});
    case Verdict::Unclear:
    case Verdict::NoResult:
        break;
    }
    return say("it is unclear whether %1 is faster than %2%3 (%4, %5)",
               {winner, loser, place, factor, intervalText(comparison, !otherWins)});
}

/// Who wins below the last change of the faster one; empty when there is none or it is not settled.
Phrase crossoverSentence(const StudyResults& results, const MainResult& duel) {
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
    const Phrase place = numberPlace(axis, last.below);
    if (!last.clear)
        return say("; which is faster changes near %1, not clearly", {place});
    return say(crossovers.size() == 1 ? words("; up to %1 %2 is faster")
                                      : words("; just below, at %1 %2 is faster"),
               {place, below});
}

bool isMissing(const RunResult& result) {
    const StudyRunStatus status = result.run->status;
    return status == StudyRunStatus::Failed || status == StudyRunStatus::Skipped ||
           status == StudyRunStatus::Cancelled;
}

/// " 2 of 12 runs failed or were skipped, first cpu/onednn: not built in."
Phrase missingSentence(const StudyResults& results) {
    const auto first = std::find_if(results.runs.begin(), results.runs.end(), isMissing);
    if (first == results.runs.end())
        return {};
    const auto count = std::count_if(results.runs.begin(), results.runs.end(), isMissing);
    std::string reason =
        first->run->reason.empty() ? std::string(runStatusName(first->run->status)) : first->run->reason;
    if (const std::string target = "target '" + first->run->target + "': "; reason.starts_with(target))
        reason.erase(0, target.size()); // it is named already
    if (reason.ends_with('.'))
        reason.pop_back();
    return say(" %1 of %2 runs have no complete result (%3: %4).",
               {std::to_string(count), std::to_string(results.runs.size()), first->run->target,
                recordedPhrase(reason)});
}

Phrase timeInterval(const Summary& time) {
    if (time.hasInterval)
        return say("95 % interval %1 to %2", {timeText(time.ci95.low), timeText(time.ci95.high)});
    return time.n == 1 ? say("1 sample, no interval: n < 5")
                       : say("%1 samples, no interval: n < 5", {std::to_string(time.n)});
}

/// For a study with nothing to compare: how long the only target, or the fastest, takes.
Phrase aloneSentence(const StudyResults& results, const MainResult& main) {
    const RunResult& best = *main.result;
    std::set<std::string> targets;
    for (const RunResult& result : results.runs)
        if (result.timeMs.n > 0)
            targets.insert(result.run->target);
    const Phrase time = say("%1 takes %2%3 (%4)",
                            {best.run->target, timeText(best.timeMs.median),
                             together(placeOf(best.run->point), main.choice), timeInterval(best.timeMs)});
    return joined({time, targets.size() > 1
                             ? say("the reference %1 has no result to compare with", {results.reference})
                             : say("a second target would give a comparison")},
                  "; ");
}

Phrase inBrackets(const Phrase& phrase) {
    return phrase.empty() ? phrase : joined({Phrase(" ("), phrase, Phrase(")")}, "");
}

/// Of a study that only resumed what had ended before: " The training of cpu/openmp had ended before it was
/// resumed (all 5 epochs): nothing was left to train."
Phrase endedBefore(const StudyResults& results) {
    for (const RunResult& result : results.runs)
        if (result.run->status == StudyRunStatus::Ok && result.run->metrics.contains("resumed_from_epoch"))
            return say(" The training of %1 had ended before it was resumed%2: nothing was left to train.",
                       {result.run->target, inBrackets(stopRulePhrase(*result.run))});
    return {};
}

} // namespace

Phrase headline(const Study& study, const StudyResults& results) {
    const auto main = mainResult(study, results);
    if (!main)
        return together(study.ended ? say("No run has a result.") : say("No run has a result yet."),
                        together(endedBefore(results), missingSentence(results)));
    Phrase text = main->reference ? together(duelSentence(*main), crossoverSentence(results, *main))
                                  : aloneSentence(results, *main);
    if (main->reference && main->result->equalWork == "differs")
        text = together(text, say("; but the outputs differ: not equal work"));
    const bool whole = study.ended && study.endStatus == "done";
    // Targets keep their case: only "it is ..." begins a sentence of ours.
    const bool ours = whole && text.text().starts_with("it is ");
    text = whole ? together(text, Phrase(".")) : say("So far: %1.", {text});
    text.isSentence = ours;
    return together(text, missingSentence(results));
}

Phrase headline(const StudyComparison& comparison) {
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
        return say("The two studies share no run that can be compared.");
    const Phrase counts = say("B against A, of %1 runs: %2 faster, %3 slower, %4 the same, %5 unclear",
                              {std::to_string(all), std::to_string(faster), std::to_string(slower),
                               std::to_string(same), std::to_string(unclear)});
    if (!largest)
        return together(counts, Phrase("."));
    const bool gain = largest->comparison->ratio >= 1;
    const std::string factor = ratioText(change(*largest));
    const std::vector<Phrase> what{largest->target, placeOf(largest->point), factor,
                                   intervalText(*largest->comparison, !gain)};
    return together(counts, say(gain ? words("; largest change: %1%2 is %3 faster (%4).")
                                     : words("; largest change: %1%2 is %3 slower (%4)."),
                                what));
}

} // namespace heteroscope::profiling
