// SPDX-License-Identifier: Apache-2.0
// How sentences name a run. Pure function; any thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

namespace heteroscope::profiling {

/// "cpu/openmp, size=64 kernel=3"; the target alone without axes.
Phrase runPhrase(const StudyRun& run);

} // namespace heteroscope::profiling
