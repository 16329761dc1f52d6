// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of profiling/analysis in the window's language. Any thread.
#pragma once

#include "profiling/analysis/phrase.h"

#include <QString>

#include <string>

namespace heteroscope::ui {

QString phraseText(const profiling::Phrase& phrase);
/// What a worker or a run file says as an English sentence (recorded_phrase.h): its known parts.
QString recordedText(const std::string& sentence);

} // namespace heteroscope::ui
