// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/prediction.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {

std::vector<double> classProbabilities(std::span<const float> outputs) {
    if (outputs.size() == 1) {
        const double yes = 1.0 / (1.0 + std::exp(-static_cast<double>(outputs[0])));
        return {1.0 - yes, yes};
    }
    const auto largest = static_cast<double>(*std::max_element(outputs.begin(), outputs.end()));
    std::vector<double> shares;
    double sum = 0;
    for (const float output : outputs)
        sum += shares.emplace_back(std::exp(static_cast<double>(output) - largest));
    for (double& share : shares)
        share /= sum;
    return shares;
}

std::size_t predictedClass(std::span<const float> outputs) {
    if (outputs.size() == 1)
        return outputs[0] > 0.0F ? 1 : 0;
    return static_cast<std::size_t>(std::max_element(outputs.begin(), outputs.end()) - outputs.begin());
}

double accuracyOf(std::span<const float> outputs, std::size_t units, std::span<const float> targets) {
    std::size_t hits = 0;
    for (std::size_t i = 0; i < targets.size(); ++i)
        hits += static_cast<float>(predictedClass(outputs.subspan(i * units, units))) == targets[i] ? 1 : 0;
    return targets.empty() ? 0 : static_cast<double>(hits) / static_cast<double>(targets.size());
}

std::optional<double> explainedShare(double meanSquaredError, std::span<const float> actual) {
    double sum = 0, spread = 0;
    const auto count = static_cast<double>(actual.size());
    for (const float value : actual)
        sum += static_cast<double>(value);
    for (const float value : actual)
        spread += std::pow(static_cast<double>(value) - sum / count, 2);
    return spread > 0 ? std::optional(1 - meanSquaredError * count / spread) : std::nullopt;
}

RegressionFigures regressionFigures(std::span<const float> predicted, std::span<const float> actual) {
    double squares = 0, absolutes = 0;
    const auto count = static_cast<double>(actual.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double error = static_cast<double>(predicted[i]) - static_cast<double>(actual[i]);
        squares += error * error;
        absolutes += std::abs(error);
    }
    return {squares / count, absolutes / count, explainedShare(squares / count, actual)};
}

} // namespace heteroscope::compute
