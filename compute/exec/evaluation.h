// SPDX-License-Identifier: Apache-2.0
// What a network predicts for the examples of one part, gathered batch by batch. Pure but for the sums; one
// thread.
#pragma once

#include "compute/base/training_events.h"
#include "compute/core/ops/loss.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::compute {

/// Names of the classes a loss tells apart by `units` outputs: their numbers; two for one output with the
/// binary cross-entropy; none where numbers are predicted, or several answers at once.
std::vector<std::string> classNames(LossKind loss, std::int64_t units);

class Evaluation {
  public:
    /// `classes`: as classNames(); empty: pairs of numbers are kept instead.
    Evaluation(LossKind loss, std::int64_t units, std::vector<std::string> classes);

    /// The next examples: outputs before softmax or sigmoid (batch x units), targets as the loss reads them.
    void add(std::span<const float> outputs, std::span<const float> targets);
    /// Without run, part, epoch, loss and accuracy, which the caller knows.
    TrainingEvaluation take() { return std::move(m_result); }

  private:
    void addClass(std::span<const float> output, float target, std::int64_t example);
    void addNumbers(std::span<const float> outputs, std::span<const float> targets);

    LossKind m_loss;
    std::size_t m_units;
    TrainingEvaluation m_result;
};

} // namespace heteroscope::compute
