// SPDX-License-Identifier: Apache-2.0
// Sentences that stand in run files in English (rules that ended the sampling, notes of the environment,
// origins of peaks, results of comparisons), taken apart so that the window can say them in its language.
// Pure functions; any thread.
#pragma once

#include "profiling/analysis/phrase.h"

#include <string>

namespace heteroscope::profiling {

/// Reads as `text` in English. What no known sentence is, stays as it was written.
Phrase recordedPhrase(const std::string& text);

} // namespace heteroscope::profiling
