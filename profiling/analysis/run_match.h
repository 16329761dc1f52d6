// SPDX-License-Identifier: Apache-2.0
// Which run of a study belongs to a run of the same or of another one. Pure; any thread.
#pragma once

#include "profiling/stream/study.h"

#include <string>

namespace heteroscope::profiling {

/// The run of `target` in `other` at the point of `run`, which is one of `study`. A point may occur more than
/// once (an axis with a value twice): the first run there belongs to the first one, the second to the second.
/// Null when there is none.
const StudyRun* counterpart(const Study& study, const StudyRun& run, const Study& other,
                            const std::string& target);
/// The run that `run` of the same study is measured against: its counterpart, or where the reference target
/// has fewer runs at the point, the last of them.
const StudyRun* referenceOf(const Study& study, const StudyRun& run, const std::string& reference);

} // namespace heteroscope::profiling
