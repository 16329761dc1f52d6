// SPDX-License-Identifier: Apache-2.0
// Work of a training on a dataset: a repetition is one epoch, after which the network is measured. One
// thread.
#pragma once

#include "compute/exec/trainer.h"

namespace heteroscope::compute {

class TrainingWork final : public Work {
  public:
    /// The data hold the dataset; they outlive the work.
    TrainingWork(const NetworkExperiment& experiment, const PointData& data, Session& session);

    Status allocate() override { return {}; }
    Status prepare() override { return m_trainer.prepare(); }
    /// One step, whose loss and gradients outputs() gives; then back to the initial weights.
    Status firstUse(const RepeatContext& context) override;
    std::optional<int> fixedSamples() const override { return m_experiment.training.epochs; }
    /// Epochs; the traced ones are cut to kTracedSteps steps.
    Status repeat(int repetitions, const RepeatContext& context) override;
    double tracedShare() const override;
    double opsPerRepetition() const override { return static_cast<double>(m_trainer.stepsPerEpoch()); }
    Result<std::string> afterSample(const RepeatContext& context) override;
    Result<std::vector<OutputTensor>> outputs() override { return m_outputs; }
    std::string implementation() const override { return m_implementation; }
    /// Of each epoch: training_loss, training_accuracy, validation_loss, validation_accuracy; of the end:
    /// test_loss, test_accuracy; steps_per_epoch and images_per_epoch. Accuracies are shares of one.
    Json metrics() const override { return m_metrics; }

  private:
    static constexpr std::int64_t kTracedSteps = 20;

    Status addTest(std::string& text, const RepeatContext& context);

    const NetworkExperiment& m_experiment;
    const Dataset& m_dataset;
    Trainer m_trainer;
    std::vector<OutputTensor> m_outputs;
    std::string m_implementation;
    Json m_metrics = Json::object();
};

} // namespace heteroscope::compute
