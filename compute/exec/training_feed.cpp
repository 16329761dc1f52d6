// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/training_feed.h"

#include "compute/base/clock.h"

#include <utility>

namespace heteroscope::compute {

TrainingFeed::TrainingFeed(std::int64_t stepsPerEpoch, std::int64_t epochs) {
    m_steps.stepsPerEpoch = stepsPerEpoch;
    m_steps.epochs = epochs;
}

void TrainingFeed::listen(StudyObserver* observer, int run) {
    flush();
    m_observer = observer;
    m_steps.run = run;
    m_sentNs = steadyNowNs();
}

void TrainingFeed::stepDone(const TrainedStep& step) {
    if (m_observer == nullptr)
        return;
    m_ms += step.ms;
    if (m_steps.loss.empty())
        m_steps.firstStep = step.step;
    m_steps.loss.push_back(step.loss);
    m_steps.accuracy.push_back(step.accuracy);
    m_steps.learningRate.push_back(step.learningRate);
    m_steps.stepMs.push_back(step.ms);
    if (step.gradientNorm)
        m_steps.gradientNorm.push_back(*step.gradientNorm);
    if (m_steps.loss.size() >= kMostStepsAtOnce || steadyNowNs() - m_sentNs >= kBatchNs)
        flush();
}

void TrainingFeed::flush() {
    if (m_observer != nullptr && !m_steps.loss.empty())
        m_observer->trainingSteps(m_steps);
    m_sentNs = steadyNowNs();
    for (auto* column :
         {&m_steps.loss, &m_steps.accuracy, &m_steps.learningRate, &m_steps.stepMs, &m_steps.gradientNorm})
        column->clear();
}

double TrainingFeed::takeSeconds() {
    return std::exchange(m_ms, 0.0) * 1e-3;
}

} // namespace heteroscope::compute
