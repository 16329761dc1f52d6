// SPDX-License-Identifier: Apache-2.0
// Gives the steps of a training their batches, and keeps their figures, on the device. One thread; must not
// outlive its session or the buffers.
#pragma once

#include "compute/base/result.h"
#include "compute/core/op_observer.h"

#include <cstdint>
#include <span>
#include <string>

namespace heteroscope::compute {

class DeviceBuffer;

/// `values` of a step are written to `step` (one element) and, where there is one, `hyper` (four elements).
struct StepFeedPlan {
    DeviceBuffer *input = nullptr, *target = nullptr, *step = nullptr, *hyper = nullptr;
    DeviceBuffer* figures = nullptr;         ///< two elements, which a step leaves
    DeviceBuffer* gradientSquares = nullptr; ///< one more figure, where there is one
    std::span<const float> images, targets;  ///< of all examples; outlive the feed
    std::int64_t examples = 0, batch = 1, steps = 1;

    std::size_t figuresPerStep() const { return gradientSquares == nullptr ? 2 : 3; }
};
inline constexpr std::size_t kStepValues = 5;

class StepFeed {
  public:
    virtual ~StepFeed() = default;
    /// "data:resident": for people who read what ran.
    virtual std::string description() const = 0;
    /// The next steps: `order` has a batch of examples each, `values` kStepValues numbers.
    virtual Status begin(std::span<const std::int64_t> order, std::span<const float> values,
                         OpObserver* observer) = 0;
    /// Before and after a step is submitted: what cannot be part of a recording.
    virtual Status arrive(OpObserver* observer) = 0;
    virtual Status leave() = 0;
    /// Submits the copy of the next batch and its values to the network; can be recorded.
    virtual Status fetch(OpObserver* observer) = 0;
    /// Submits keeping the figures; can be recorded.
    virtual Status keep(OpObserver* observer) = 0;
    /// Figures of steps from `first` on, the plan's figuresPerStep() each. Waits.
    virtual Status figures(std::int64_t first, std::span<float> into, OpObserver* observer) = 0;
};

} // namespace heteroscope::compute
