// SPDX-License-Identifier: Apache-2.0
// Sentences whose words are kept separately from the names and figures in them, so that the window can say
// them in its language. The words are listed in resources/translations/phrase_texts.cpp; a test compares.
// Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscope {

struct Phrase {
    std::string format;            ///< English, with %1 to %9 where arguments stand
    std::vector<Phrase> arguments; ///< without any `format` is the text
    bool isGiven = true;     ///< `format` is a name, a figure or punctuation: the same in every language
    bool isSentence = false; ///< begins with a capital letter, which `format` may not have

    Phrase() = default;
    Phrase(std::string given) : format(std::move(given)) {}

    bool empty() const { return format.empty(); }
    std::string text() const; ///< in English
    /// Whether it reads so in English.
    friend bool operator==(const Phrase& phrase, std::string_view text) { return phrase.text() == text; }
};

/// Words, in English, with their arguments.
Phrase say(const char* format, std::vector<Phrase> arguments = {});
/// Marks words that are given to say() elsewhere.
constexpr const char* words(const char* format) {
    return format;
}
/// One after the other without anything between.
Phrase together(Phrase first, Phrase second);
/// Those that are not empty, with `separator` between them.
Phrase joined(const std::vector<Phrase>& parts, const std::string& separator);

/// `format` with %1 to %9 replaced by texts, in one pass: what they hold is not looked at again.
std::string filled(const std::string& format, const std::vector<std::string>& texts);

} // namespace heteroscope
