// SPDX-License-Identifier: Apache-2.0
// How the steps of a training get their batches and give their figures: step by step through host memory, or
// on the device alone. One thread; session, executor and examples outlive a driver.
#pragma once

#include "compute/data/dataset.h"
#include "compute/exec/network_executor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// What a step is made with.
struct StepSettings {
    std::int64_t step = 0;  ///< of the whole training, from 0
    std::int64_t epoch = 0; ///< that its transforms are drawn for
    double learningRate = 0;
};

/// What a step says: the two figures of the loss, and where asked the sum of the squares of all gradients.
struct StepFigures {
    double loss = 0, second = 0;
    std::optional<double> gradientSquares = std::nullopt;
};

class StepDriver {
  public:
    virtual ~StepDriver() = default;
    /// From now on the steps of an epoch: batches one after the other from `order`, one of the settings each.
    virtual Status begin(std::span<const std::int64_t> order, std::span<const StepSettings> settings,
                         OpObserver* observer) = 0;
    /// Submits the next step of what begin() was given.
    virtual Status step(OpObserver* observer) = 0;
    /// The figures of the steps since the last call, in order. Waits for them.
    virtual Result<std::vector<StepFigures>> take() = 0;
    /// "steps:graph, data:resident": for people who read what ran; empty: step by step.
    virtual std::string description() const = 0;
    /// After so many steps take() is called: 1 where figures are on the host anyway.
    virtual std::int64_t stepsAtOnce() const = 0;
};

/// A driver of the executor's training steps on the training images of `dataset`. Where it has random
/// transforms the host makes every batch, ahead of its step.
Result<std::unique_ptr<StepDriver>> makeStepDriver(Session& session, NetworkExecutor& executor,
                                                   const TrainingSpec& training, const Dataset& dataset);

/// Copies a batch to the network's input and target; `images` and `targets` are reused between calls.
Status writeBatch(NetworkExecutor& executor, const Examples& examples, std::span<const std::int64_t> which,
                  std::vector<float>& images, std::vector<float>& targets);

} // namespace heteroscope::compute
