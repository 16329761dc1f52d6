// SPDX-License-Identifier: Apache-2.0
// Work of a training on a dataset: a repetition is one epoch, after which the network is measured. Or of the
// search for a learning rate, which is one repetition. One thread.
#pragma once

#include "compute/exec/checkpoint.h"
#include "compute/exec/checkpoint_files.h"
#include "compute/exec/rate_search.h"
#include "compute/exec/trainer.h"
#include "compute/exec/training_feed.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace heteroscope::compute {

class TrainingWork final : public Work {
  public:
    /// The data hold the dataset; they outlive the work.
    TrainingWork(const NetworkExperiment& experiment, const PointData& data, Session& session);

    void keepState(const KeptStates& states) override;
    Status allocate() override { return {}; }
    Status prepare() override { return m_trainer.prepare(); }
    /// One step, whose loss and gradients outputs() gives; then back to the initial weights, or to the kept
    /// state.
    Status firstUse(const RepeatContext& context) override;
    bool isProgressive() const override { return true; }
    Json stoppedBy() const override { return m_stoppedBy; }
    /// Epochs. The traced ones are cut to kTracedSteps steps; after a training they begin again with the
    /// initial weights and make no more steps than it did, so that they cannot fail where it did not.
    Status repeat(int repetitions, const RepeatContext& context) override;
    double tracedShare() const override;
    /// The steps of an epoch; of a search those that it made, or will make at most.
    double opsPerRepetition() const override;
    /// Measures, and keeps the state; see CheckpointFiles.
    Result<std::string> afterSample(const RepeatContext& context) override;
    /// Of the first step; hands them over, so that they do not lie here for the whole training.
    Result<std::vector<OutputTensor>> outputs() override { return std::exchange(m_outputs, {}); }
    std::string implementation() const override { return m_trainer.implementation(); }
    /// Of each epoch: training_loss, training_accuracy, validation_loss, validation_accuracy; of the end:
    /// test_loss, test_accuracy (with numbers as targets test_mae, test_r2); steps_per_epoch,
    /// images_per_epoch, best_epoch. Accuracies are shares of one.
    /// Of a search: finder_rates, finder_losses, finder_smoothed_losses, and where there is one
    /// suggested_learning_rate.
    Json metrics() const override;

  private:
    static constexpr std::int64_t kTracedSteps = 20;
    static constexpr std::array kSeries{"training_loss", "training_accuracy", "validation_loss",
                                        "validation_accuracy"};

    std::int64_t bestEpoch() const; ///< counted from 1; 0 without validation images
    Status addValidation(std::string& text, const RepeatContext& context);
    Status addTest(std::string& text, const RepeatContext& context);
    /// One pass over a part, which the context's study hears of.
    Result<TrainingFigures> evaluate(const char* part, const Examples& examples,
                                     const RepeatContext& context);
    /// Hands an epoch, counted from 1, to the context's study.
    void sayEpoch(std::int64_t epoch, double seconds, const RepeatContext& context) const;
    Status openFiles();
    Status refuseStateWithoutManifest() const;
    Result<TrainingProgress> readState();
    Status restore(const RepeatContext& context);
    Status keep();
    void noteIfDone();
    /// What a resumed training finds that must not pass unsaid.
    void sayHowItWasKept(const RepeatContext& context) const;
    Json whyDone() const; ///< null: there is more to do
    double rateOf(std::int64_t step) const;
    Status trainEpochs(int repetitions, std::int64_t steps, const RepeatContext& context);
    Status search(const RepeatContext& context);
    Status searchSteps(const RepeatContext& context);

    const NetworkExperiment& m_experiment;
    const Dataset& m_dataset;
    Trainer m_trainer;
    TrainingFeed m_feed;
    KeptStates m_states; ///< without a stem nothing is kept
    std::unique_ptr<CheckpointFiles> m_files;
    std::int64_t m_trained = 0;         ///< steps of the training when it had ended
    Json m_stoppedBy;                   ///< null: there is more to do
    std::optional<RateSearch> m_search; ///< instead of a training
    std::vector<OutputTensor> m_outputs;
    std::vector<std::vector<double>> m_series; ///< as kSeries; without validation images the first two
    Json m_metrics = Json::object();
};

} // namespace heteroscope::compute
