// SPDX-License-Identifier: Apache-2.0
// Combinations of parameters that cannot be: each value is fine, together they are not. Pure; any thread.
#pragma once

#include "compute/experiment/spec/findings.h"

namespace heteroscope::compute {

/// The most bytes one tensor may have. What fits into memory is decided when a study runs.
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 46;

void checkCombination(const ExperimentSpec& pointSpec, Findings& findings);

} // namespace heteroscope::compute
