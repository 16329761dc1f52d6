// SPDX-License-Identifier: Apache-2.0
// What a network experiment asks of the planner.
#include "compute/experiment/spec/spec.h"

#include <algorithm>

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

std::vector<std::int64_t> batchesBeside(const NetworkExperiment& experiment,
                                        const std::optional<ExampleCounts>& examples) {
    if (!experiment.data.isDataset())
        return {};
    const std::int64_t batch = experiment.batch();
    const bool known = examples && examples->exact;
    std::vector<std::int64_t> batches;
    const auto add = [&](std::int64_t count) {
        const std::int64_t rest = known ? count % batch : batch;
        if (rest > 0 && (!known || std::find(batches.begin(), batches.end(), rest) == batches.end()))
            batches.push_back(rest);
    };
    if (experiment.task == Task::Train) {
        batches.push_back(batch);
        add(known ? examples->validation : 0);
    }
    add(known ? examples->test : 0);
    return batches;
}

} // namespace heteroscope::compute
