// SPDX-License-Identifier: Apache-2.0
#include "app/cli/completion_words.h"

#include <algorithm>

namespace heteroscope::cli {

std::string joinedWords(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string helpTopics(const std::vector<VerbWords>& verbs) {
    return namesOf(verbs) + " figures";
}

std::string namesOf(const std::vector<VerbWords>& verbs) {
    std::string text;
    for (const VerbWords& verb : verbs)
        text += (text.empty() ? "" : " ") + verb.name;
    return text;
}

std::string onOneLine(const std::string& text) {
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

std::string shellQuoted(const std::string& text, std::string_view quote) {
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string(quote) : std::string(1, c);
    return result + "'";
}

bool takesVerb(const VerbWords& verb) {
    for (const OptionWords& option : verb.options)
        if (option.flags.empty() && option.names == "VERB")
            return true;
    return false;
}

} // namespace heteroscope::cli
