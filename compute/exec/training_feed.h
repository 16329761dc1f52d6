// SPDX-License-Identifier: Apache-2.0
// Gathers the steps of a training and hands them on in batches, so that short steps do not pay for being
// watched. One thread; the observer outlives it.
#pragma once

#include "compute/base/training_events.h"
#include "compute/exec/step_listener.h"
#include "compute/experiment/study_observer.h"

namespace heteroscope::compute {

class TrainingFeed final : public StepListener {
  public:
    TrainingFeed(std::int64_t stepsPerEpoch, std::int64_t epochs);

    /// Who hears of the steps from now on; nullptr: they are not gathered.
    void listen(StudyObserver* observer, int run);
    void stepDone(const TrainedStep& step) override;
    void flush(); ///< hands on what is left
    /// Host time of the steps since the last call, in seconds.
    double takeSeconds();

  private:
    static constexpr std::int64_t kBatchNs = 100'000'000;

    StudyObserver* m_observer = nullptr;
    TrainingSteps m_steps;
    std::int64_t m_sentNs = 0;
    double m_ms = 0;
};

} // namespace heteroscope::compute
