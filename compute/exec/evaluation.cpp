// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/evaluation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscope::compute {
namespace {

/// The first largest output, and e^x of it over the sum of all.
std::pair<std::size_t, double> mostProbable(std::span<const float> output) {
    const auto largest = std::max_element(output.begin(), output.end());
    double sum = 0;
    for (const float value : output)
        sum += std::exp(static_cast<double>(value) - static_cast<double>(*largest));
    return {static_cast<std::size_t>(largest - output.begin()), 1.0 / sum};
}

/// Yes (1) when the output before the sigmoid is above 0.
std::pair<std::size_t, double> yesOrNo(float output) {
    const double yes = 1.0 / (1.0 + std::exp(-static_cast<double>(output)));
    return output > 0.0F ? std::pair{std::size_t{1}, yes} : std::pair{std::size_t{0}, 1.0 - yes};
}

} // namespace

std::vector<std::string> classNames(LossKind loss, std::int64_t units) {
    std::int64_t count = 0;
    if (loss == LossKind::SoftmaxCrossEntropy)
        count = units;
    else if (loss == LossKind::BinaryCrossEntropy && units == 1)
        count = 2;
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < count && count <= static_cast<std::int64_t>(kMostClasses); ++i)
        names.push_back(std::to_string(i));
    return names;
}

Evaluation::Evaluation(LossKind loss, std::int64_t units, std::vector<std::string> classes)
    : m_loss(loss), m_units(static_cast<std::size_t>(units)) {
    m_result.counts.assign(classes.size() * classes.size(), 0);
    m_result.classes = std::move(classes);
}

void Evaluation::add(std::span<const float> outputs, std::span<const float> targets) {
    const std::size_t examples = outputs.size() / m_units;
    if (!m_result.classes.empty())
        for (std::size_t i = 0; i < examples; ++i)
            addClass(outputs.subspan(i * m_units, m_units), targets[i],
                     m_result.examples + static_cast<std::int64_t>(i));
    else if (m_loss == LossKind::MeanSquaredError)
        addNumbers(outputs, targets);
    m_result.examples += static_cast<std::int64_t>(examples);
}

void Evaluation::addClass(std::span<const float> output, float target, std::int64_t example) {
    const std::size_t classes = m_result.classes.size();
    const bool binary = m_loss == LossKind::BinaryCrossEntropy;
    const auto [predicted, probability] = binary ? yesOrNo(output[0]) : mostProbable(output);
    const float whole = !binary ? target : target > 0.5F ? 1.0F : 0.0F;
    if (!(whole >= 0.0F && whole < static_cast<float>(classes)))
        return; // no class: the loss is NaN then
    const auto actual = static_cast<std::size_t>(whole);
    const std::int64_t ofPair = ++m_result.counts[actual * classes + predicted];
    const std::size_t kept = m_result.samples.size();
    if (kept < kFirstPredictionSamples ||
        (kept < kMostPredictionSamples && ofPair <= kPredictionSamplesOfPair))
        m_result.samples.push_back(
            {example, static_cast<std::int64_t>(actual), static_cast<std::int64_t>(predicted), probability});
}

void Evaluation::addNumbers(std::span<const float> outputs, std::span<const float> targets) {
    const std::size_t room = kMostPredictionPairs - m_result.predicted.size();
    for (std::size_t i = 0; i < std::min({room, outputs.size(), targets.size()}); ++i) {
        m_result.predicted.push_back(static_cast<double>(outputs[i]));
        m_result.target.push_back(static_cast<double>(targets[i]));
    }
}

} // namespace heteroscope::compute
