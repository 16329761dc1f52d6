// SPDX-License-Identifier: Apache-2.0
// Which of a study's results stands for all of it: headline, charts of one point and library ask here. Pure
// functions; any thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/analysis/results.h"

#include <optional>

namespace heteroscope::profiling {

/// At the largest point at which the reference and another target have results, or the first one where
/// numbers do not order them: the fastest of the others, and the reference that its speedup is against. Where
/// no target can be compared, the fastest of all at the largest point, without a reference.
struct MainResult {
    const RunResult* result = nullptr;    ///< into the results given; has samples
    const RunResult* reference = nullptr; ///< likewise; nullptr: nothing to compare with
    Phrase choice; ///< how the point was chosen: ", the largest of 4 points"; empty when there is one

    const Json& point() const { return result->run->point; }
};

/// Nothing when no run has samples.
std::optional<MainResult> mainResult(const Study& study, const StudyResults& results);

} // namespace heteroscope::profiling
