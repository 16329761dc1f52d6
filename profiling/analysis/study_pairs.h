// SPDX-License-Identifier: Apache-2.0
// Which of several studies make pairs of A and B. Pure functions; any thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/analysis/results.h"

#include <span>
#include <vector>

namespace heteroscope::profiling {

/// Whether so many studies can be compared: two, or whole pairs, kPairsForVerdict or more.
bool makesPairs(std::size_t studies);

/// Whether both are repetitions of one experiment, whatever they are called.
bool sameExperiment(const Study& one, const Study& other);

/// Pairs of the studies that were given, or why they are none.
struct StudyPairing {
    std::vector<StudyPair> pairs; ///< empty where they are refused
    Phrase refusal;               ///< what is wrong, and what to do; empty where there are pairs
};
/// The first and the second by their start are a pair, the third and the fourth, and so on; A is what the
/// first of all is. Each pair holds one study of A and one of B, in either order: they differ in experiment
/// or version, or where all agree in these in their name, if there are two. Where nothing tells sides apart
/// the first of each pair is A. An even number of studies, none null.
StudyPairing pairsByStart(std::span<const Study* const> studies);

/// "A / B: geometric mean of 3 pairs of studies that took turns." or that they did not, and what of it.
Phrase pairsSentence(std::size_t pairs, bool tookTurns);

} // namespace heteroscope::profiling
