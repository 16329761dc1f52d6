// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/training_work.h"

#include "compute/exec/network_work.h"

#include <algorithm>
#include <cstdio>

namespace heteroscope::compute {
namespace {

/// "training loss 0.4312, accuracy 84.31 %"
std::string figuresText(const char* what, const TrainingFigures& figures) {
    char text[120];
    std::snprintf(text, sizeof text, "%s loss %.4f, accuracy %.2f %%", what, figures.loss,
                  100.0 * figures.accuracy);
    return text;
}

} // namespace

TrainingWork::TrainingWork(const NetworkExperiment& experiment, const PointData& data, Session& session)
    : m_experiment(experiment), m_dataset(*data.dataset), m_trainer(experiment, *data.dataset, session) {}

Status TrainingWork::firstUse(const RepeatContext& context) {
    if (const Status status = m_trainer.train(1, context.observer, context.stop); !status)
        return status;
    auto outputs = trainingOutputs(m_trainer.executor());
    if (!outputs)
        return outputs.error();
    m_outputs = std::move(*outputs);
    m_implementation = m_trainer.executor().implementation();
    m_metrics["steps_per_epoch"] = m_trainer.stepsPerEpoch();
    m_metrics["images_per_epoch"] = m_trainer.stepsPerEpoch() * m_experiment.training.batch;
    return m_trainer.reset();
}

Status TrainingWork::repeat(int repetitions, const RepeatContext& context) {
    const std::int64_t all = m_trainer.stepsPerEpoch();
    const std::int64_t steps = context.observer != nullptr ? std::min(kTracedSteps, all) : all;
    for (int i = 0; i < repetitions; ++i)
        if (const Status status = m_trainer.train(steps, context.observer, context.stop); !status)
            return status;
    return {};
}

double TrainingWork::tracedShare() const {
    const std::int64_t all = m_trainer.stepsPerEpoch();
    return static_cast<double>(std::min(kTracedSteps, all)) / static_cast<double>(all);
}

Status TrainingWork::addTest(std::string& text, const RepeatContext& context) {
    const auto test = m_trainer.measure(m_dataset.test, context.stop);
    if (!test)
        return test.error();
    m_metrics["test_loss"] = test->loss;
    m_metrics["test_accuracy"] = test->accuracy;
    text += "; " + figuresText("test", *test);
    return {};
}

Result<std::string> TrainingWork::afterSample(const RepeatContext& context) {
    const TrainingFigures training = m_trainer.trainingFigures();
    m_metrics["training_loss"].push_back(training.loss);
    m_metrics["training_accuracy"].push_back(training.accuracy);
    std::string text =
        "epoch " + std::to_string(m_trainer.epoch()) + ": " + figuresText("training", training);
    if (m_dataset.validation.count > 0) {
        const auto validation = m_trainer.measure(m_dataset.validation, context.stop);
        if (!validation)
            return validation.error();
        m_metrics["validation_loss"].push_back(validation->loss);
        m_metrics["validation_accuracy"].push_back(validation->accuracy);
        text += "; " + figuresText("validation", *validation);
    }
    if (m_trainer.epoch() == m_experiment.training.epochs && m_dataset.test.count > 0)
        if (const Status status = addTest(text, context); !status)
            return status.error();
    return text;
}

} // namespace heteroscope::compute
