// SPDX-License-Identifier: Apache-2.0
#include "compute/model/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace heteroscope::compute {
namespace {

constexpr double kFirstDivisor = 25, kLastDivisor = 1e4; ///< OneCycleLR's defaults
constexpr double kBetter = 1e-4;                         ///< ReduceLROnPlateau's threshold, relative
constexpr double kLeastChange = 1e-8;                    ///< and the change of the rate it leaves out

/// Along half a cosine, `share` of the way.
double between(double from, double to, double share) {
    return to + (from - to) * (1.0 + std::cos(std::numbers::pi * share)) / 2.0;
}

double cosine(const ScheduleSpec& schedule, double base, double step, double steps) {
    const auto warmup = static_cast<double>(schedule.warmup);
    if (step < warmup)
        return base * (step + 1.0) / warmup;
    return between(base, schedule.minimum, (step - warmup) / std::max(steps - warmup, 1.0));
}

double oneCycle(const ScheduleSpec& schedule, double base, double step, double steps) {
    const double first = base / kFirstDivisor, last = first / kLastDivisor;
    const double top = schedule.rising * steps - 1.0;
    if (top > 0 && step <= top)
        return between(first, base, step / top);
    return between(base, last, (step - top) / (steps - 1.0 - top));
}

double plateau(const ScheduleSpec& schedule, double rate, std::span<const double> losses) {
    double best = std::numeric_limits<double>::infinity();
    int worse = 0;
    for (const double loss : losses) {
        if (loss < best * (1.0 - kBetter)) {
            best = loss;
            worse = 0;
        } else if (++worse > schedule.patience) {
            const double lower = std::max(rate * schedule.gamma, schedule.minimum);
            rate = rate - lower > kLeastChange ? lower : rate;
            worse = 0;
        }
    }
    return rate;
}

} // namespace

double scheduledRate(const ScheduleSpec& schedule, double base, const ScheduleTime& time,
                     std::span<const double> validationLosses) {
    const std::int64_t steps = std::max<std::int64_t>(time.stepsPerEpoch * time.epochs, 1);
    const std::int64_t step = std::min(time.step, steps - 1);
    const std::int64_t epoch = step / time.stepsPerEpoch;
    switch (schedule.kind) {
    case ScheduleSpec::Kind::Step: {
        const std::int64_t lowered = epoch / schedule.every; // so often until now
        return base * std::pow(schedule.gamma, static_cast<double>(lowered));
    }
    case ScheduleSpec::Kind::Exponential:
        return base * std::pow(schedule.gamma, static_cast<double>(epoch));
    case ScheduleSpec::Kind::Cosine:
        return cosine(schedule, base, static_cast<double>(step), static_cast<double>(steps));
    case ScheduleSpec::Kind::OneCycle:
        return oneCycle(schedule, base, static_cast<double>(step), static_cast<double>(steps));
    case ScheduleSpec::Kind::Plateau:
        return plateau(schedule, base, validationLosses);
    case ScheduleSpec::Kind::Constant:
        break;
    }
    return base;
}

} // namespace heteroscope::compute
