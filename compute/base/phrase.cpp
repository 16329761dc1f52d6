// SPDX-License-Identifier: Apache-2.0
#include "compute/base/phrase.h"

#include <cctype>
#include <utility>

namespace heteroscope {
namespace {

Phrase punctuated(const char* format, Phrase first, Phrase second) {
    Phrase phrase = say(format, {std::move(first), std::move(second)});
    phrase.isGiven = true;
    return phrase;
}

} // namespace

std::string filled(const std::string& format, const std::vector<std::string>& texts) {
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        const bool isPlace = format[i] == '%' && i + 1 < format.size() && format[i + 1] >= '1' &&
                             static_cast<std::size_t>(format[i + 1] - '0') <= texts.size();
        if (isPlace)
            text += texts[static_cast<std::size_t>(format[++i] - '1')];
        else
            text += format[i];
    }
    return text;
}

std::string Phrase::text() const {
    std::vector<std::string> texts;
    for (const Phrase& argument : arguments)
        texts.push_back(argument.text());
    std::string text = filled(format, texts);
    if (isSentence && !text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

Phrase say(const char* format, std::vector<Phrase> arguments) {
    Phrase phrase;
    phrase.format = format;
    phrase.arguments = std::move(arguments);
    phrase.isGiven = false;
    return phrase;
}

Phrase together(Phrase first, Phrase second) {
    if (first.empty() || second.empty())
        return first.empty() ? second : first;
    return punctuated("%1%2", std::move(first), std::move(second));
}

Phrase joined(const std::vector<Phrase>& parts, const std::string& separator) {
    std::vector<Phrase> level;
    for (const Phrase& part : parts)
        if (!part.empty())
            level.push_back(part);
    // By pairs: phrases are walked by calls, and a file may list any number of parts.
    const std::string format = "%1" + separator + "%2";
    while (level.size() > 1) {
        std::vector<Phrase> pairs;
        for (std::size_t i = 0; i + 1 < level.size(); i += 2)
            pairs.push_back(punctuated(format.c_str(), std::move(level[i]), std::move(level[i + 1])));
        if (level.size() % 2 == 1)
            pairs.push_back(std::move(level.back()));
        level = std::move(pairs);
    }
    return level.empty() ? Phrase() : std::move(level[0]);
}

} // namespace heteroscope
