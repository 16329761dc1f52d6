// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/stream/study.h"

namespace heteroscope::profiling {

/// The study as if its samples had been taken by three fresh processes in turn.
inline Study inThreeProcesses(Study study) {
    for (StudyRun& run : study.runs)
        for (std::size_t i = 0; i < run.samples.size(); ++i)
            run.samples[i].process = static_cast<int>(i % 3);
    return study;
}

} // namespace heteroscope::profiling
