// SPDX-License-Identifier: Apache-2.0
// What a training says as payload maps and back: "what" names the event, columns are byte strings. Pure
// functions, any thread.
#pragma once

#include "compute/base/training_events.h"
#include "profiling/stream/payload.h"

namespace heteroscope::profiling {

Json encodeTraining(const TrainingEvent& event);
/// Every size is bounded as training_events.h says, every column has the length that it must have.
Result<TrainingEvent> decodeTraining(Payload& payload);

/// The run that an event belongs to.
int runOfTraining(const TrainingEvent& event);

} // namespace heteroscope::profiling
