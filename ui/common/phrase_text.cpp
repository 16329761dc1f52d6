// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/phrase_text.h"

#include "profiling/analysis/recorded_phrase.h"

#include <QCoreApplication>

#include <vector>

namespace heteroscope::ui {

namespace {

std::string inLanguage(const profiling::Phrase& phrase) {
    std::vector<std::string> texts;
    for (const profiling::Phrase& argument : phrase.arguments)
        texts.push_back(phraseText(argument).toStdString());
    const std::string format =
        phrase.isGiven ? phrase.format
                       : QCoreApplication::translate("Phrase", phrase.format.c_str()).toStdString();
    return profiling::filled(format, texts);
}

} // namespace

QString phraseText(const profiling::Phrase& phrase) {
    QString text = QString::fromStdString(inLanguage(phrase));
    if (phrase.isSentence && !text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString recordedText(const std::string& sentence) {
    return phraseText(profiling::recordedPhrase(sentence));
}

} // namespace heteroscope::ui
