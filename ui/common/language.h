// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window. GUI thread.
#pragma once

#include <QString>
#include <QStringList>

namespace heteroscope::ui {

/// Codes of the languages that are built in: "en" always, others where their translation was compiled.
QStringList languages();
/// A language's own name: "English", "Espa\u00f1ol".
QString languageName(const QString& code);
/// The built-in language that the system's wishes come closest to.
QString systemLanguage();
/// Texts made from now on are in this language; empty means the system's. Call before the first window.
void applyLanguage(const QString& code);

/// While one lives, texts that are made on its thread are the English ones: words in data files are the same
/// in every language. May be nested.
class EnglishTexts {
  public:
    EnglishTexts();
    ~EnglishTexts();
    EnglishTexts(const EnglishTexts&) = delete;
    EnglishTexts& operator=(const EnglishTexts&) = delete;
};

/// Whether texts made on this thread now may be others than the English ones.
bool textsAreTranslated();

} // namespace heteroscope::ui
