// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/recorded_phrase.h"

#include "compute/base/run_note.h"
#include "compute/base/run_words.h"
#include "compute/base/stop_rule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscope::profiling {
namespace {

enum class Places {
    Figures,   ///< numbers and lists of them: "102, 67, 150"
    Texts,     ///< names and quantities, or sentences of their own
    Sentences, ///< the first is a sentence of its own, the others are figures
};

struct Template {
    const char* format; ///< its places stand in order, and never two side by side
    Places places = Places::Figures;
};

// The first that fits counts.
constexpr Template kTemplates[] = {
    {words("process %1 of %2: %3"), Places::Texts},
    {words("process %1 of %2")},
    {words("%1; after this study"), Places::Sentences},
    {words("measured: %1 threads on three arrays of %2 beside a cache of %3, best of %4; the faster of "
           "reading, "
           "%5, and a triad, %6"),
     Places::Texts},
    {words(
         "measured: 1 thread on three arrays of %1 beside a cache of %2, best of %3; the faster of reading, "
         "%4, and a triad, %5"),
     Places::Texts},
    {words("measured: fused multiply-adds in registers (%1), %2 threads, best of %3"), Places::Texts},
    {words("measured: fused multiply-adds in registers (%1), 1 thread, best of %2"), Places::Texts},
    {run_words::kDebugBuild},
    {run_words::kGovernor, Places::Texts},
    {run_words::kLoad},
    {run_words::kPassiveWaiting},
    {run_words::kOneProcess, Places::Texts},
    {run_words::kProcesses, Places::Texts},
    {run_words::kSamplesAsked},
    {run_words::kProcessesAsked},
    {run_words::kTrainedOnce},
    {run_words::kIncomplete, Places::Sentences},
    {run_words::kCancelled, Places::Sentences},
    {run_words::kNotToTheEnd, Places::Sentences},
    {run_words::kInEach, Places::Sentences},
    {run_words::kInSome, Places::Sentences},
    {run_words::kInAll, Places::Sentences},
    {run_words::kInterval},
    {run_words::kSharedLimitOf},
    {run_words::kSharedLimit},
    {run_words::kSharedLimitOne},
    {run_words::kLimitOf},
    {run_words::kLimit},
    {run_words::kLimitOne},
    {run_words::kEpochs},
    {run_words::kMoreEpochs},
    {run_words::kNoBetter},
    {run_words::kRates},
    {run_words::kDiverged},
    {run_words::kSamples},
    {run_words::kSample},
    {words("equal")},
    {words("differs")},
    {words("not checked")},
    {words("within %1")},
};

bool isFigure(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789., +-e") == std::string::npos;
}

/// What stands in the places of `format`; nothing where the text is another one.
std::optional<std::vector<std::string>> partsOf(const std::string& text, std::string_view format) {
    std::vector<std::string> parts;
    std::size_t at = 0; // in the text
    bool open = false;  // a place waits for its end
    while (true) {
        const std::size_t place =
            std::min(format.find('%' + std::to_string(parts.size() + (open ? 2 : 1))), format.size());
        const std::string_view given = format.substr(0, place);
        const bool last = place == format.size();
        std::size_t found = at;
        if (open)
            found = last ? (text.size() < given.size() ? std::string::npos : text.size() - given.size())
                         : text.find(given, at + 1);
        if (found == std::string::npos || found < at || text.compare(found, given.size(), given) != 0)
            return std::nullopt;
        if (open)
            parts.push_back(text.substr(at, found - at));
        at = found + given.size();
        if (last)
            return at == text.size() ? std::optional(parts) : std::nullopt;
        format.remove_prefix(place + 2);
        open = true;
    }
}

std::optional<Phrase> filledIn(const Template& known, const std::string& text) {
    const auto parts = partsOf(text, known.format);
    if (!parts)
        return std::nullopt;
    std::vector<Phrase> arguments;
    for (std::size_t i = 0; i < parts->size(); ++i) {
        const std::string& part = (*parts)[i];
        const bool sentence = known.places == Places::Sentences && i == 0;
        if (part.empty() || (!sentence && known.places != Places::Texts && !isFigure(part)))
            return std::nullopt;
        arguments.push_back(known.places == Places::Figures ? Phrase(part) : recordedPhrase(part));
    }
    return say(known.format, std::move(arguments));
}

/// "time limit 2 s of 6 s after 3 samples; 95 % interval within 1.73 % after 9 samples"
std::optional<Phrase> twoSentences(const std::string& text) {
    constexpr std::string_view kBetween = "; ";
    const std::size_t cut = text.find(kBetween);
    if (cut == std::string::npos || cut == 0 || cut + kBetween.size() == text.size())
        return std::nullopt;
    return joined({recordedPhrase(text.substr(0, cut)), recordedPhrase(text.substr(cut + kBetween.size()))},
                  std::string(kBetween));
}

} // namespace

Phrase recordedPhrase(const std::string& text) {
    if (text.size() > kLongestSentence)
        return text;
    for (const Template& known : kTemplates)
        if (auto phrase = filledIn(known, text))
            return *phrase;
    if (auto two = twoSentences(text))
        return *two;
    return text;
}

Phrase clockReasonsPhrase(const std::string& recorded) {
    if (recorded.size() > kLongestSentence)
        return recorded;
    constexpr std::array kKnown{run_words::kPowerLimit, run_words::kHardwareSlowdown, run_words::kOtherClocks,
                                run_words::kHeat,       run_words::kHardwareHeat,     run_words::kPowerBrake};
    constexpr std::string_view kBetween = ", ";
    std::vector<Phrase> reasons;
    for (std::size_t at = 0; at < recorded.size();) {
        const std::size_t end = std::min(recorded.find(kBetween, at), recorded.size());
        const std::string reason = recorded.substr(at, end - at);
        const auto* const known = std::find(kKnown.begin(), kKnown.end(), reason);
        reasons.push_back(known == kKnown.end() ? Phrase(reason) : say(*known));
        at = end + kBetween.size();
    }
    Phrase said = joined(reasons, std::string(kBetween));
    return said == recorded ? said : Phrase(recorded);
}

Phrase stopRulePhrase(const StudyRun& run) {
    Phrase said = stopPhrase(run.stoppedBy);
    return said.empty() ? recordedPhrase(run.stopRule) : said;
}

bool endedByTimeLimit(const StudyRun& run) {
    return stopPhrase(run.stoppedBy).empty() ? run.stopRule.find("time limit") != std::string::npos
                                             : hasTimeLimit(run.stoppedBy);
}

std::vector<Phrase> environmentNotes(const Study& study) {
    const auto listed = study.environment.find("notes"), codes = study.environment.find("note_codes");
    std::vector<Phrase> notes;
    if (listed == study.environment.end() || !listed->is_array())
        return notes;
    for (std::size_t i = 0; i < listed->size(); ++i) {
        const bool hasCode = codes != study.environment.end() && codes->is_array() && i < codes->size();
        Phrase said = hasCode ? notePhrase(codes->at(i)) : Phrase();
        if (said.empty() && listed->at(i).is_string())
            said = recordedPhrase(listed->at(i).get<std::string>());
        if (!said.empty())
            notes.push_back(std::move(said));
    }
    return notes;
}

} // namespace heteroscope::profiling
