// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/recorded_phrase.h"

#include <algorithm>
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
    {words("This is a debug build: timings are not those of a release build.")},
    {words("The processor's frequency governor is \"%1\": timings may vary with its clock."), Places::Texts},
    {words("Other programs were busy: the load average was %1 on %2 cores.")},
    {words("Other programs were running when this began (%1 threads on average): threads that wait for each "
           "other sleep instead of spinning (OMP_WAIT_POLICY=passive). Set OMP_WAIT_POLICY to decide it "
           "yourself.")},
    {words("The samples come from 1 process: %1."), Places::Texts},
    {words("The samples come from %1 processes: %2."), Places::Texts},
    {words("fewer samples were asked for than the %1 processes that a verdict needs; ask for more, or leave "
           "their number out")},
    {words("so many were asked for, and a verdict needs %1")},
    {words("a training on a dataset is trained once, and a verdict needs %1 trainings: preset thesis, or "
           "processes %2")},
    {words("%1 (incomplete)"), Places::Sentences},
    {words("%1 (cancelled before the last)"), Places::Sentences},
    {words("%1, not to the end in %2 of them"), Places::Sentences},
    {words("%1, in each of %2 processes"), Places::Sentences},
    {words("%1, in %2 of %3 processes"), Places::Sentences},
    {words("%1, in %2 processes"), Places::Sentences},
    {words("95 % interval within %1 % after %2 samples")},
    {words("time limit %1 s of %2 s after %3 of %4 samples")},
    {words("time limit %1 s of %2 s after %3 samples")},
    {words("time limit %1 s of %2 s after 1 sample")},
    {words("time limit %1 s after %2 of %3 samples")},
    {words("time limit %1 s after %2 samples")},
    {words("time limit %1 s after 1 sample")},
    {words("all %1 epochs")},
    {words("%1 epochs, and %2 are asked for")},
    {words("validation loss no better for %1 epochs")},
    {words("%1 samples")},
    {words("1 sample")},
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
    for (const Template& known : kTemplates)
        if (auto phrase = filledIn(known, text))
            return *phrase;
    if (auto two = twoSentences(text))
        return *two;
    return text;
}

} // namespace heteroscope::profiling
