// SPDX-License-Identifier: Apache-2.0
// Steps of a training that the device makes by itself: it fetches its batches and keeps its figures, the host
// looks in between only. One thread; session, executor and examples outlive it.
#pragma once

#include "compute/exec/step_driver.h"

namespace heteroscope::compute {

/// The plan of a feed for the executor's network.
StepFeedPlan stepFeedPlan(NetworkExecutor& executor, const TrainingSpec& training, const Examples& examples);

std::unique_ptr<StepDriver> makeDeviceSteps(Session& session, NetworkExecutor& executor,
                                            const TrainingSpec& training, std::unique_ptr<StepFeed> feed);

} // namespace heteroscope::compute
