// SPDX-License-Identifier: Apache-2.0
// What run files say, so that the window can say it in its language: rules that ended the sampling and notes
// on the environment by their codes, and what stands there as an English sentence (those two in files of
// earlier versions, origins of peaks, results of comparisons, failures) parsed. Pure functions; any thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// Longer texts (bytes) are no sentence of ours: they are not parsed.
inline constexpr std::size_t kLongestSentence = 2048;

/// Reads as `text` in English. What no known sentence is, stays as it was written: names of places before
/// one ("FILE: cannot be written: ..."), what libraries say, and longer texts.
Phrase recordedPhrase(const std::string& text);

/// What held a GPU's clocks back, as a recording lists it: "power limit, heat".
Phrase clockReasonsPhrase(const std::string& recorded);

/// Which rules ended the sampling of a run: what its codes say, or where they are not known its sentence.
Phrase stopRulePhrase(const StudyRun& run);
/// Whether a time limit did.
bool endedByTimeLimit(const StudyRun& run);

/// What may disturb the timings of a study, in the order of the environment record: what the codes say, or
/// where they are not known the sentences.
std::vector<Phrase> environmentNotes(const Study& study);

} // namespace heteroscope::profiling
