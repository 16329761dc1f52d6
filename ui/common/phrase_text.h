// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of profiling/analysis in the window's language. Any thread.
#pragma once

#include "profiling/analysis/phrase.h"

#include <QString>

namespace heteroscope::ui {

QString phraseText(const profiling::Phrase& phrase);

} // namespace heteroscope::ui
