// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/recorded_phrase.h"

#include "compute/base/activity.h"
#include "compute/base/damage_words.h"
#include "compute/base/failure_words.h"
#include "compute/base/refusal_words.h"
#include "compute/base/run_note.h"
#include "compute/base/run_words.h"
#include "compute/base/stop_rule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscope::profiling {
namespace {

enum class Places {
    Figures,   ///< numbers and lists of them: "102, 67, 150"
    Names,     ///< and quantities: nothing that ends a quotation, a sentence or a place of a failure
    Texts,     ///< names and quantities, or sentences of their own
    Sentences, ///< the first is a sentence of its own, the others are figures
};

struct Template {
    const char* format; ///< its places stand in order, and never two side by side
    Places places = Places::Figures;
};

// The first that fits counts.
constexpr Template kTemplates[] = {
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
    {words("2 x %1 MHz x %2 bytes")},
    {words("2 x %1 multiprocessors x %2 lanes x %3 MHz")},
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
    {failure_words::kNoRun, Places::Texts},
    {failure_words::kCannotDo, Places::Texts},
    {failure_words::kNotBegun},
    {failure_words::kNotEnded},
    {failure_words::kOnRequest, Places::Names},
    {failure_words::kNeeds, Places::Names},
    {failure_words::kSmallerLayers},
    {failure_words::kSmallerInput},
    {failure_words::kBatchFits},
    {failure_words::kMatrixFits},
    {failure_words::kSizeFits},
    {failure_words::kRanOut},
    {failure_words::kNoRoom},
    {failure_words::kNoDeviceRoom, Places::Names},
    {failure_words::kSmallerSize},
    {failure_words::kSmallerOrOthers},
    {failure_words::kAllowed, Places::Texts},
    {failure_words::kBytesFree},
    {failure_words::kFree, Places::Names},
    {failure_words::kNoDevice, Places::Names},
    {failure_words::kNoImplementation, Places::Names},
    {failure_words::kDeviceUnusable, Places::Texts},
    {failure_words::kUnusable, Places::Texts},
    {failure_words::kListsDevices},
    {failure_words::kNoModule, Places::Texts},
    {failure_words::kNotLoaded, Places::Texts},
    {failure_words::kWhile, Places::Texts},
    {failure_words::kNotByUs, Places::Texts},
    {failure_words::kSignalled, Places::Names},
    {failure_words::kStopped},
    {failure_words::kExited},
    {failure_words::kNoEnd},
    {failure_words::kProcess},
    {failure_words::kTarget, Places::Names},
    {failure_words::kForecastOfFree, Places::Names},
    {failure_words::kForecast, Places::Names},
    {failure_words::kPlanOf, Places::Names},
    {failure_words::kInputsOf, Places::Texts},
    {failure_words::kCheckOf, Places::Texts},
    {failure_words::kMemoryAccess},
    {failure_words::kMemoryError},
    {failure_words::kArithmetic},
    {failure_words::kInstruction},
    {failure_words::kGaveUp},
    {failure_words::kNobodyCaught},
    {failure_words::kProcessRanOut},
    {failure_words::kLibraryEnded},
    {failure_words::kUsualCause},
    {failure_words::kOwnWords},
    {failure_words::kSignalOne},
    {failure_words::kOutOfMemoryKiller},
    {failure_words::kWhoKills},
    {failure_words::kNotWritten, Places::Texts},
    {failure_words::kFreeSpace},
    {failure_words::kRaiseDescriptors},
    {failure_words::kOpenFewer},
    {failure_words::kTooManyFiles},
    {failure_words::kNoSpace},
    {failure_words::kOverQuota},
    {failure_words::kRaiseFileSize},
    {failure_words::kLargerFiles},
    {failure_words::kFileTooLarge},
    {damage_words::kDamaged, Places::Texts},
    {damage_words::kAllRead},
    {damage_words::kAllReadDone},
    {damage_words::kAllReadEnded, Places::Names},
    {damage_words::kByte, Places::Texts},
    {damage_words::kTrailingBytes},
    {damage_words::kTrailingByte},
    {damage_words::kKeepFirst},
    {damage_words::kEmpty},
    {damage_words::kRunFile},
    {damage_words::kChecksum, Places::Names},
    {damage_words::kHeader},
    {damage_words::kNoRunFile},
    {damage_words::kFormat},
    {damage_words::kLongFrame},
    {damage_words::kFrameLength},
    {damage_words::kFrameKind},
    {damage_words::kFlags, Places::Names},
    {damage_words::kHeaderFirst, Places::Names},
    {damage_words::kOneHeader},
    {damage_words::kNothingTrailing},
    {damage_words::kCopyAgain},
    {damage_words::kOtherCopy},
    {damage_words::kUsable},
    {damage_words::kLeftEmpty},
    {damage_words::kCut},
    {damage_words::kLostOrOver},
    {damage_words::kChoose},
    {damage_words::kOtherVersion},
    {damage_words::kWholeBefore},
    {refusal_words::kAfter, Places::Names},
    {refusal_words::kAsked},
    {refusal_words::kOtherAsked},
    {refusal_words::kNoDriver},
    {refusal_words::kOldDriver},
    {refusal_words::kDriverAlone},
    {refusal_words::kPool2x2},
    {refusal_words::kPool2x2NoPadding},
    {refusal_words::kPool3x3},
    {refusal_words::kPadsOne},
    {refusal_words::kWindowsLeave},
    {refusal_words::kShortRows},
    {refusal_words::kRowsMultiple},
    {refusal_words::kInCache},
    {refusal_words::kBlocksAlone},
    {refusal_words::kOneDnnPads},
    {refusal_words::kCudnnPadsAlike},
    {refusal_words::kCudnnPadsInfinity},
    {refusal_words::kGroups},
    {refusal_words::kOneFilter},
    {refusal_words::kStrideOne},
    {refusal_words::kDirectFaster},
    {refusal_words::kTransposedA},
    {refusal_words::kDepths},
    {refusal_words::kFewColumns},
    {refusal_words::kPointwiseUnpadded},
    {refusal_words::kPointwise},
    {refusal_words::kKernelElements},
    {refusal_words::kSmallWindows},
    {refusal_words::kTransforms},
    {refusal_words::kSmallDense},
    {refusal_words::kNotAsOne},
    {refusal_words::kResultWanted},
    {refusal_words::kOtherFaster},
    {refusal_words::kOnlyRelu},
    {refusal_words::kOnlyConvRelu},
};

bool isFigure(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789., +-e") == std::string::npos;
}

bool isName(const std::string& text) {
    constexpr std::array kNotIn{"'", "; ", ": "};
    return !text.empty() && std::none_of(kNotIn.begin(), kNotIn.end(), [&](const char* each) {
        return text.find(each) != std::string::npos;
    });
}

/// Whether `text` may stand in a place of `known`, of which it is the first or another.
bool mayStand(const std::string& text, const Template& known, bool first) {
    switch (known.places) {
    case Places::Figures:
        return isFigure(text);
    case Places::Names:
        return isName(text);
    case Places::Texts:
        return !text.empty();
    case Places::Sentences:
        return first ? !text.empty() : isFigure(text);
    }
    return false;
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
    for (std::size_t i = 0; i < parts->size(); ++i)
        if (!mayStand((*parts)[i], known, i == 0))
            return std::nullopt;
    const bool areGiven = known.places == Places::Figures || known.places == Places::Names;
    std::vector<Phrase> arguments; // only now, so that no text is taken apart twice
    for (const std::string& part : *parts)
        arguments.push_back(areGiven ? Phrase(part) : recordedPhrase(part));
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

constexpr std::string_view kBetweenInLists = ", ";

/// An entry of a list: words where it is `known`, or is one of them with a name in it.
Phrase entryOf(const std::string& entry, std::span<const Template> known) {
    for (const Template& each : known)
        if (auto phrase = filledIn(each, entry))
            return *phrase;
    return entry;
}

/// A list like "power limit, heat", with words for what of it is `known`.
Phrase listOf(const std::string& recorded, std::span<const Template> known) {
    std::vector<Phrase> entries;
    for (std::size_t at = 0; at < recorded.size();) {
        const std::size_t end = std::min(recorded.find(kBetweenInLists, at), recorded.size());
        entries.push_back(entryOf(recorded.substr(at, end - at), known));
        at = end + kBetweenInLists.size();
    }
    Phrase said = joined(entries, std::string(kBetweenInLists));
    return said == recorded ? said : Phrase(recorded);
}

/// "layer \"conv1\", warm-up": steps of a run, each of which is said where it is a known one.
Phrase stepsIn(const std::string& text) {
    namespace step = activity_step;
    constexpr Template kSteps[] = {
        {step::kPlanning}, {step::kInputs},   {step::kOperands},  {step::kCheck},
        {step::kFirstUse}, {step::kWarmUp},   {step::kTimed},     {step::kTraced},
        {step::kQuiet},    {step::kForward},  {step::kLoss},      {step::kBackward},
        {step::kUpdate},   {step::kTraining}, {step::kInference}, {step::kLayer, Places::Names}};
    return listOf(text, kSteps);
}

/// "run 3, cpu/openmp, layer \"conv1\", warm-up": what StudyActivity says; or what last words begin with:
/// "run 3 on cpu/openmp, forecast 512.0 MiB of memory, layer \"conv1\"".
std::optional<Phrase> activityIn(const std::string& text) {
    constexpr std::string_view kOf = " of memory";
    if (const std::size_t end = text.find(kOf); end != std::string::npos) {
        const std::size_t cut = end + kOf.size();
        const auto run = filledIn({failure_words::kRunOn, Places::Names}, text.substr(0, cut));
        if (!run || cut == text.size())
            return run;
        Phrase said =
            joined({*run, stepsIn(text.substr(std::min(cut + kBetweenInLists.size(), text.size())))},
                   std::string(kBetweenInLists));
        if (said == text)
            return said;
    }
    const auto parts = partsOf(text, failure_words::kRunDoing);
    if (!parts || !isFigure(parts->front()))
        return std::nullopt;
    return say(failure_words::kRunDoing, {parts->front(), stepsIn(parts->back())});
}

bool isSaid(const Phrase& phrase) {
    return !phrase.isGiven || std::any_of(phrase.arguments.begin(), phrase.arguments.end(), isSaid);
}

/// "results.csv: cannot be written: No space left on device": what is known after the place of a failure.
std::optional<Phrase> failureAt(const std::string& text) {
    constexpr std::string_view kBetween = ": ";
    const std::size_t cut = text.find(kBetween);
    if (cut == std::string::npos)
        return std::nullopt;
    Phrase failure = recordedPhrase(text.substr(cut + kBetween.size()));
    if (!isSaid(failure))
        return std::nullopt;
    return joined({recordedPhrase(text.substr(0, cut)), std::move(failure)}, std::string(kBetween));
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
    if (auto failure = failureAt(text))
        return *failure;
    if (auto activity = activityIn(text))
        return *activity;
    return text;
}

Phrase clockReasonsPhrase(const std::string& recorded) {
    if (recorded.size() > kLongestSentence)
        return recorded;
    constexpr Template kKnown[] = {{run_words::kPowerLimit},   {run_words::kHardwareSlowdown},
                                   {run_words::kOtherClocks},  {run_words::kHeat},
                                   {run_words::kHardwareHeat}, {run_words::kPowerBrake}};
    return listOf(recorded, kKnown);
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
