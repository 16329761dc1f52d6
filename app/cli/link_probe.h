// SPDX-License-Identifier: Apache-2.0
// Large copies through page-locked memory, made once in a recorded study: what the link to each device gives,
// so that the rates of the study's own copies have something to be held against.
#pragma once

#include "compute/core/backend_registry.h"
#include "compute/core/op_observer.h"
#include "compute/experiment/spec/spec.h"

namespace heteroscope::cli {

/// Copies a few times 16 MiB to and from each GPU that the study names. The copies carry the op kLinkProbeOp.
/// Error: the first device that could not; the study goes on without.
Status probeLinks(const compute::ExperimentSpec& spec, const compute::BackendRegistry& registry,
                  compute::OpObserver& observer);

} // namespace heteroscope::cli
