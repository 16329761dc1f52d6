// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/run_match.h"

#include <algorithm>

namespace heteroscope::profiling {

const StudyRun* counterpart(const Study& study, const StudyRun& run, const Study& other,
                            const std::string& target) {
    const auto isAt = [&run](const StudyRun& candidate, const std::string& wanted) {
        return candidate.target == wanted && candidate.point == run.point;
    };
    std::size_t before = 0; // runs of the same target and point
    for (const StudyRun& earlier : study.runs) {
        if (&earlier == &run)
            break;
        before += isAt(earlier, run.target) ? 1 : 0;
    }
    for (const StudyRun& candidate : other.runs)
        if (isAt(candidate, target) && before-- == 0)
            return &candidate;
    return nullptr;
}

const StudyRun* referenceOf(const Study& study, const StudyRun& run, const std::string& reference) {
    if (const StudyRun* const same = counterpart(study, run, study, reference))
        return same;
    const auto last = std::find_if(study.runs.rbegin(), study.runs.rend(), [&](const StudyRun& other) {
        return other.target == reference && other.point == run.point;
    });
    return last == study.runs.rend() ? nullptr : &*last;
}

} // namespace heteroscope::profiling
