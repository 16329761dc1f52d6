// SPDX-License-Identifier: Apache-2.0
// Who hears of the steps of a training. One thread.
#pragma once

#include <cstdint>
#include <optional>

namespace heteroscope::compute {

struct TrainedStep {
    std::int64_t step = 0; ///< of the whole training, from 0
    double loss = 0;       ///< mean over the batch, before the step
    double accuracy = 0;   ///< share of hits; with the mean squared error the mean of |predicted - target|
    double learningRate = 0;
    std::optional<double> gradientNorm; ///< L2, of all parameters before weight decay, where asked
    double ms = 0;                      ///< host time
};

/// Called in order of the steps, once their figures are on the host; that may be some steps later.
class StepListener {
  public:
    virtual ~StepListener() = default;
    virtual void stepDone(const TrainedStep& step) = 0;
};

} // namespace heteroscope::compute
