// SPDX-License-Identifier: Apache-2.0
// How sentences name a run. Pure function; any thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

namespace heteroscope::profiling {

/// "cpu/openmp, size=64 kernel=3"; the target alone without axes.
Phrase runPhrase(const StudyRun& run);
/// What is computed at the moment: "process 2 of 3: cpu/openmp, size=64"; the run alone where there is one
/// process, and the process alone before its first run.
Phrase progressPhrase(const Study& study);

} // namespace heteroscope::profiling
