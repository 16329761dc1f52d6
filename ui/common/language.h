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

} // namespace heteroscope::ui
