// SPDX-License-Identifier: Apache-2.0
// What outputs of a network say: classes with their probabilities, and how far numbers are off. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace heteroscope::compute {

/// Of one example, from its outputs before softmax (several) or sigmoid (one: no or yes).
std::vector<double> classProbabilities(std::span<const float> outputs);
/// The first of the largest probabilities.
std::size_t predictedClass(std::span<const float> outputs);
/// The share of examples whose predicted class is their target.
double accuracyOf(std::span<const float> outputs, std::size_t units, std::span<const float> targets);

struct RegressionFigures {
    double meanSquaredError = 0, meanAbsoluteError = 0;
    /// 1 - (sum of squared errors) / (sum of squared differences of the targets from their mean): the share
    /// of their spread that is explained. Nothing where all targets are equal.
    std::optional<double> r2;
};

/// That share for a known mean squared error.
std::optional<double> explainedShare(double meanSquaredError, std::span<const float> actual);

/// Pairs, as many of one as of the other and at least one.
RegressionFigures regressionFigures(std::span<const float> predicted, std::span<const float> actual);

} // namespace heteroscope::compute
