// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/training_curves.h"

#include "compute/base/statistics.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::profiling {

std::vector<double> smoothed(std::span<const double> values, double weight) {
    std::vector<double> result(values.begin(), values.end());
    double mean = 0, left = 1; // left: w^t
    for (double& value : result) {
        if (!std::isfinite(value))
            continue;
        mean = weight * mean + (1 - weight) * value;
        left *= weight;
        value = mean / (1 - left);
    }
    return result;
}

std::vector<StepValue> thinned(std::span<const double> values, double firstX, std::size_t columns) {
    std::vector<StepValue> points;
    const std::size_t n = values.size();
    const auto add = [&](std::size_t i) { points.push_back({firstX + static_cast<double>(i), values[i]}); };
    const std::size_t parts = std::min(std::max<std::size_t>(columns, 1), n);
    for (std::size_t part = 0; part < parts; ++part) {
        std::optional<std::size_t> low, high;
        for (std::size_t i = part * n / parts; i < (part + 1) * n / parts; ++i) {
            if (!std::isfinite(values[i]))
                continue;
            if (!low || values[i] < values[*low])
                low = i;
            if (!high || values[i] > values[*high])
                high = i;
        }
        if (!low)
            continue;
        add(std::min(*low, *high));
        if (*low != *high)
            add(std::max(*low, *high));
    }
    return points;
}

TrainingNow trainingNow(const TrainingRecord& record, std::int64_t batch) {
    TrainingNow now;
    now.epochs = record.epochsPlanned;
    now.steps = record.epochsPlanned * record.stepsPerEpoch;
    if (record.loss.empty())
        return now;
    now.step = record.firstStep + record.steps();
    now.epoch = (now.step - 1) / std::max<std::int64_t>(1, record.stepsPerEpoch) + 1;
    now.loss = record.loss.back();
    now.accuracy = record.accuracy.empty() ? 0 : record.accuracy.back();
    now.learningRate = record.learningRate.empty() ? 0 : record.learningRate.back();
    if (!record.gradientNorm.empty())
        now.gradientNorm = record.gradientNorm.back();
    std::vector<double> recent(record.stepMs.end() -
                                   static_cast<std::ptrdiff_t>(std::min(record.stepMs.size(), kRecentSteps)),
                               record.stepMs.end());
    if (recent.empty())
        return now;
    std::sort(recent.begin(), recent.end());
    now.stepMs = quantileSorted(recent, 0.5);
    if (batch > 0 && now.stepMs > 0)
        now.examplesPerS = static_cast<double>(batch) / (now.stepMs * 1e-3);
    now.remainingS = static_cast<double>(std::max<std::int64_t>(0, now.steps - now.step)) * now.stepMs * 1e-3;
    return now;
}

} // namespace heteroscope::profiling
