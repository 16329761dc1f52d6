// SPDX-License-Identifier: Apache-2.0
// What a run's training said, as read from a stream or file: grows event by event. A plain value.
#pragma once

#include "compute/base/result.h"
#include "compute/base/training_events.h"

#include <vector>

namespace heteroscope::profiling {

struct TrainingRecord {
    std::int64_t firstStep = 0; ///< that the columns begin with; not 0 in a training that went on
    std::int64_t stepsPerEpoch = 1, epochsPlanned = 0;
    std::vector<double> loss, accuracy, learningRate, stepMs; ///< of each step
    std::vector<double> gradientNorm;                         ///< of each step, or empty
    std::vector<TrainingEpoch> epochs;                        ///< in order of arrival
    std::vector<TrainingEvaluation> evaluations;              ///< the latest of each part

    bool empty() const { return loss.empty() && epochs.empty() && evaluations.empty(); }
    std::int64_t steps() const { return static_cast<std::int64_t>(loss.size()); }

    /// Error: steps that do not follow those before, with the field as the place; nothing is added then.
    Status add(TrainingEvent event);
    const TrainingEvaluation* evaluation(const std::string& part) const; ///< nullptr when there was none

  private:
    Status addSteps(TrainingSteps&& steps);
    void addEvaluation(TrainingEvaluation&& evaluation);
};

} // namespace heteroscope::profiling
