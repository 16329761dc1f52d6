// SPDX-License-Identifier: Apache-2.0
// What a training's curves are drawn from: smoothing, thinning to what a picture can show, and where it
// stands now. Pure functions; any thread.
#pragma once

#include "profiling/stream/training_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heteroscope::profiling {

/// Exponential moving average with the correction of its bias towards 0, as in Kingma and Ba, "Adam" (ICLR
/// 2015), section 3: m(t) = w m(t-1) + (1-w) x(t), m(0) = 0, smoothed(t) = m(t) / (1 - w^t), t counted from
/// 1. `weight` w in [0, 1): 0 leaves the values as they are. Values that are no numbers stay what they are
/// and count for nothing.
std::vector<double> smoothed(std::span<const double> values, double weight);

/// A value of a curve over steps.
struct StepValue {
    double x = 0, y = 0;
};

/// The curve with at most two points for each of `columns` equal parts of its length: the lowest and the
/// highest value of the part, in their order, so that no peak is lost. x counts from `firstX`. Values that
/// are no finite numbers are left out.
std::vector<StepValue> thinned(std::span<const double> values, double firstX, std::size_t columns);

/// Where a training stands after its last step that was told.
struct TrainingNow {
    std::int64_t epoch = 0, epochs = 0; ///< epoch: the one under way, from 1; 0 before the first step
    std::int64_t step = 0, steps = 0;   ///< done, and planned
    double loss = 0, accuracy = 0, learningRate = 0;
    std::optional<double> gradientNorm;
    double stepMs = 0; ///< median of the last kRecentSteps
    std::optional<double> examplesPerS;
    double remainingS = -1; ///< of the steps to go, without the time of evaluations; negative: unknown
};
constexpr std::size_t kRecentSteps = 100;

/// `batch`: examples of a step; 0 when it is not known.
TrainingNow trainingNow(const TrainingRecord& record, std::int64_t batch);

} // namespace heteroscope::profiling
