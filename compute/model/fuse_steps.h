// SPDX-License-Identifier: Apache-2.0
// Joins steps of a plan that an implementation computes as one. Pure; any thread.
#pragma once

#include "compute/core/linked_op.h"

#include <functional>
#include <vector>

namespace heteroscope::compute {

struct PlanStep;

/// Whether a chain is computed as one and leaves these results.
using FusesChain = std::function<bool(const OpChain&, const std::vector<int>& results)>;

/// Joins each step with later ones that read what it wrote, as long as `fuses` agrees; a joined step runs
/// where its first operation did. `memoryOf(tensor)` is the tensor whose memory it is; `kept` are read after
/// the plan has run. Results that nobody reads are left out.
std::vector<PlanStep> fuseSteps(std::vector<PlanStep> steps, const std::function<int(int)>& memoryOf,
                                const std::vector<int>& kept, const FusesChain& fuses);

} // namespace heteroscope::compute
