// SPDX-License-Identifier: Apache-2.0
// When studies ran. Pure function; any thread.
#pragma once

#include "profiling/analysis/results.h"

#include <optional>
#include <span>
#include <vector>

namespace heteroscope::profiling {

/// Whether each pair of studies ended before the next began, in any order of the pairs; false where a study
/// does not say when it started.
bool tookTurns(std::span<const StudyPair> pairs);

/// When each study started, in seconds of one clock; nothing where one does not say it.
std::optional<std::vector<double>> startsOf(std::span<const Study* const> studies);

} // namespace heteroscope::profiling
