// SPDX-License-Identifier: Apache-2.0
// What the sentences of all rules of the advice share. Pure functions; any thread.
#pragma once

#include "profiling/analysis/advice.h"
#include "profiling/analysis/figure.h"
#include "profiling/analysis/figure_text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace heteroscope::profiling {

/// The name of a rule; one that kAdviceRules does not have does not compile.
struct RuleName {
    std::string_view name;

    consteval RuleName(const char* given) : name(given) {
        if (std::find(kAdviceRules.begin(), kAdviceRules.end(), name) == kAdviceRules.end())
            throw "there is no such rule of the advice";
    }
};

inline constexpr const char* kShareOfTraced = words("%1 of the wall time of the traced samples");
static_assert(std::string_view(kShareOfTraced).ends_with(kWallOfTracedSamples),
              "the denominator has one name, that of the dictionary");

/// "12.3 % of the wall time of the traced samples".
inline Phrase shareOfTraced(double share) {
    return say(kShareOfTraced, {shareText(share)});
}

/// "25 % of the wall time of the traced samples": a threshold, which is no measurement.
inline Phrase thresholdOfTraced(double share) {
    return say(kShareOfTraced, {thresholdShareText(share)});
}

/// "Shown from 25 % of the wall time of the traced samples.", and what else the rule is based on.
inline Phrase basisFrom(double threshold, Phrase rest) {
    return joined({say("Shown from %1.", {thresholdOfTraced(threshold)}), std::move(rest)}, " ");
}

inline Advice adviceFor(const RunFigures& run, RuleName rule, const Place& place, double share) {
    Advice advice;
    advice.rule = rule.name;
    advice.run = run.run;
    advice.place = place;
    advice.share = share;
    return advice;
}

inline Advice adviceOnRecording(RuleName rule, Phrase sentences, Phrase basis) {
    Advice advice;
    advice.rule = rule.name;
    advice.sentences = std::move(sentences);
    advice.basis = std::move(basis);
    advice.gain = Gain::none(say("it is about the recording"));
    return advice;
}

/// The sentences of a rule, the estimate of the gain the last of them.
inline void setSentences(Advice& advice, Phrase found, Gain gain) {
    advice.gain = std::move(gain);
    advice.sentences = joined({std::move(found), advice.gain.sentence()}, " ");
}

} // namespace heteroscope::profiling
