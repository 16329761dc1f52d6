// SPDX-License-Identifier: Apache-2.0
// Trains a network on a dataset, epoch by epoch, and measures it on images that it has not seen. One thread;
// session and dataset outlive it.
#pragma once

#include "compute/data/dataset.h"
#include "compute/exec/evaluation.h"
#include "compute/exec/network_executor.h"
#include "compute/exec/step_driver.h"
#include "compute/exec/step_listener.h"
#include "compute/exec/work.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace heteroscope::compute {

/// Of one epoch, or of one pass over images.
struct TrainingFigures {
    double loss = 0; ///< mean over the images; while training, of each batch before its step
    /// Share of hits: images whose largest output is their class, answers on the right side of one half. With
    /// the mean squared error the mean of |predicted - target|.
    double accuracy = 0;
    std::int64_t images = 0;
};

class Trainer {
  public:
    Trainer(const NetworkExperiment& experiment, const Dataset& dataset, Session& session);

    /// Memory, operations and initial weights; also those of the measurements.
    Status prepare();
    /// Back to the initial weights and to epoch 0.
    Status reset();

    std::int64_t stepsPerEpoch() const; ///< whole batches; what is left over waits for the next order
    /// The next steps of the current epoch's order, at most `most`; the last one ends the epoch.
    Status train(std::int64_t most, OpObserver* observer, const std::atomic<bool>* stop);
    /// Of the current epoch so far, or of the last one when it has just ended.
    const TrainingFigures& trainingFigures() const { return m_figures; }
    std::int64_t epoch() const { return m_epoch; } ///< how many have ended

    /// The rate of each step, asked at the beginning of its epoch; without this it is the optimiser's.
    using RateOf = std::function<double(std::int64_t step)>;
    void rateBy(RateOf rateOf) { m_rateOf = std::move(rateOf); }
    /// The last train() ended because the loss was no finite number.
    bool diverged() const { return m_diverged; }

    /// Who hears of every step from now on; nullptr: nobody. It outlives the trainer or is taken back.
    void listen(StepListener* listener) { m_listener = listener; }

    /// One pass over images with the present weights; `evaluation`, where given, gets what they predict.
    Result<TrainingFigures> measure(const Examples& examples, const std::atomic<bool>* stop,
                                    Evaluation* evaluation = nullptr);

    NetworkExecutor& executor() { return *m_training; }
    /// Names of what runs, and how steps are given to the device.
    std::string implementation() const;
    std::int64_t step() const { return m_step; } ///< how many of the whole training have been made
    /// After the weights were restored: where they stand.
    void goOnFrom(std::int64_t epoch, std::int64_t step);

  private:
    Status beginEpoch(OpObserver* observer);
    Status submitStep(OpObserver* observer);
    Status takeFigures();
    /// Submits a batch whose images were written, and adds what came out.
    Status measureBatch(NetworkExecutor& executor, std::int64_t batch, TrainingFigures& sum,
                        Evaluation* evaluation);
    TrainingFigures batchFigures(const StepFigures& figures, std::int64_t batch) const;
    Status makeExecutor(std::int64_t batch, bool training, std::unique_ptr<NetworkExecutor>& into);
    NetworkExecutor& measuringExecutor(std::int64_t batch);

    const NetworkExperiment& m_experiment;
    const Dataset& m_dataset;
    Session& m_session;
    std::unique_ptr<NetworkExecutor> m_training;
    std::unique_ptr<NetworkExecutor> m_measuring;               ///< batches as large as those of the training
    std::vector<std::unique_ptr<NetworkExecutor>> m_remainders; ///< for images that fill no whole batch
    std::unique_ptr<StepDriver> m_driver;
    std::vector<float> m_images, m_targets;                  ///< of the batch that is measured
    std::int64_t m_epoch = 0, m_step = 0, m_stepOfEpoch = 0; ///< m_step: whose figures have been taken
    std::int64_t m_submitted = 0;                            ///< steps of the epoch
    std::int64_t m_takenNs = 0;                              ///< when figures were taken last
    TrainingFigures m_figures;
    StepListener* m_listener = nullptr;
    RateOf m_rateOf;
    std::vector<double> m_rates; ///< of each step of the epoch
    bool m_diverged = false;
};

} // namespace heteroscope::compute
