// SPDX-License-Identifier: Apache-2.0
// What a network experiment asks of the planner.
#include "compute/experiment/spec/spec.h"

namespace heteroscope::compute {

NetworkRequest networkRequest(const NetworkExperiment& experiment) {
    const NetworkMode mode = experiment.task == Task::Train ? NetworkMode::Train : NetworkMode::Infer;
    return {experiment.batch(), mode, experiment.training.seed};
}

PlanOptions planOptions(const NetworkExperiment& experiment) {
    PlanOptions options;
    if (experiment.task == Task::Infer)
        return options;
    options.mode = NetworkMode::Train;
    options.backward = true;
    options.loss = experiment.training.loss;
    options.optimizer = experiment.training.optimizer;
    options.gradientNorm = experiment.trainsOnDataset() && experiment.training.gradientNorm;
    return options;
}

PlanOptions measuringOptions(const NetworkExperiment& experiment) {
    PlanOptions options;
    if (experiment.task == Task::Train)
        options.loss = experiment.training.loss;
    return options;
}

} // namespace heteroscope::compute
