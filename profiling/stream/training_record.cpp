// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/training_record.h"

#include <algorithm>
#include <utility>

namespace heteroscope::profiling {
namespace {

void append(std::vector<double>& column, const std::vector<double>& more) {
    column.insert(column.end(), more.begin(), more.end());
}

} // namespace

Status TrainingRecord::addSteps(TrainingSteps&& steps) {
    const std::int64_t next = loss.empty() ? steps.firstStep : firstStep + this->steps();
    if (steps.firstStep != next)
        return badInput("field \"first\"", "expected step " + std::to_string(next) + ", found " +
                                               std::to_string(steps.firstStep));
    if (!loss.empty() && gradientNorm.empty() != steps.gradientNorm.empty())
        return badInput("field \"gradientNorm\"", "expected it with all steps or none");
    if (loss.size() + steps.loss.size() > kMostSteps)
        return badInput("field \"n\"", "expected at most " + std::to_string(kMostSteps) + " steps of a run");
    firstStep = loss.empty() ? next : firstStep;
    stepsPerEpoch = steps.stepsPerEpoch;
    epochsPlanned = steps.epochs;
    append(loss, steps.loss);
    append(accuracy, steps.accuracy);
    append(learningRate, steps.learningRate);
    append(stepMs, steps.stepMs);
    append(gradientNorm, steps.gradientNorm);
    return {};
}

void TrainingRecord::addEvaluation(TrainingEvaluation&& evaluation) {
    const auto known =
        std::find_if(evaluations.begin(), evaluations.end(),
                     [&](const TrainingEvaluation& other) { return other.part == evaluation.part; });
    if (known == evaluations.end())
        evaluations.push_back(std::move(evaluation));
    else
        *known = std::move(evaluation);
}

Status TrainingRecord::add(TrainingEvent event) {
    if (auto* const steps = std::get_if<TrainingSteps>(&event))
        return addSteps(std::move(*steps));
    if (auto* const evaluation = std::get_if<TrainingEvaluation>(&event))
        addEvaluation(std::move(*evaluation));
    else
        epochs.push_back(std::get<TrainingEpoch>(event));
    return {};
}

const TrainingEvaluation* TrainingRecord::evaluation(const std::string& part) const {
    for (const TrainingEvaluation& one : evaluations)
        if (one.part == part)
            return &one;
    return nullptr;
}

} // namespace heteroscope::profiling
