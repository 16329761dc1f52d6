// SPDX-License-Identifier: Apache-2.0
// How the learning rate changes in the course of a training. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <span>

namespace heteroscope::compute {

/// With `base` the optimiser's learning rate, e epochs and s steps made before, S steps in all:
///   constant:    base.
///   step:        base gamma^floor(e / every). PyTorch's StepLR.
///   exponential: base gamma^e. PyTorch's ExponentialLR.
///   cosine:      base (s + 1) / warmup in the first `warmup` steps, then
///                minimum + (base - minimum) (1 + cos(pi (s - warmup) / (S - warmup))) / 2.
///                Loshchilov and Hutter 2017, equation 5, without restarts; the warm-up is that of Goyal and
///                others 2017.
///   one_cycle:   along half cosines from base / 25 to base at step `rising` S - 1, then to base / 250000 at
///   the
///                last step. Smith and Topin 2018 in the form of PyTorch's OneCycleLR; base is the largest
///                rate, momentum stays as it is.
///   plateau:     base, times gamma whenever the validation loss was not below its best by a share of 1e-4
///   for
///                more than `patience` epochs in a row, down to `minimum`. PyTorch's ReduceLROnPlateau.
struct ScheduleSpec {
    enum class Kind { Constant, Step, Exponential, Cosine, OneCycle, Plateau };
    Kind kind = Kind::Constant;
    double gamma = 0.5;        ///< step, exponential, plateau
    int every = 5;             ///< epochs; step
    std::int64_t warmup = 100; ///< steps; cosine
    double minimum = 0;        ///< cosine, plateau
    double rising = 0.3;       ///< share of the steps; one_cycle
    int patience = 2;          ///< epochs; plateau
};

/// Where a training stands. Steps beyond the planned ones count as the last one.
struct ScheduleTime {
    std::int64_t step = 0; ///< made before
    std::int64_t stepsPerEpoch = 1, epochs = 1;
};

/// `validationLosses`: of the epochs that have ended before the step; only plateau looks at them.
double scheduledRate(const ScheduleSpec& schedule, double base, const ScheduleTime& time,
                     std::span<const double> validationLosses);

} // namespace heteroscope::compute
