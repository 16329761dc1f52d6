// SPDX-License-Identifier: Apache-2.0
// The result of a study in a sentence or two for somebody who opens it for the first time. Pure functions;
// any thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/analysis/results.h"

namespace heteroscope::profiling {

/// "cpu/openmp is 12.3× faster than cpu/sequential at size 1024, the largest of 8 points (95 % interval 11.9
/// to 12.7); up to size 64 cpu/sequential is faster." About the largest point at which the reference and
/// another target have results, or the first one where numbers do not order them: the fastest of the others
/// against the reference. Says what is not settled (UNCLEAR, fewer than 5 samples), what failed and what is
/// still missing. Never empty.
Phrase headline(const Study& study, const StudyResults& results);

/// The same for a second study (B) against a first (A).
Phrase headline(const StudyComparison& comparison);

} // namespace heteroscope::profiling
