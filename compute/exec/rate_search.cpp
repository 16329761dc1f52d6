// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/rate_search.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace heteroscope::compute {
namespace {

constexpr double kKept = 0.98;    ///< of the mean at each step
constexpr double kDiverged = 4.0; ///< times the best
constexpr std::size_t kSkipped = RateSearch::kSteps / 10;

} // namespace

double RateSearch::rateAt(std::int64_t step) {
    const double share = static_cast<double>(step) / static_cast<double>(kSteps - 1);
    return kFirst * std::pow(kLast / kFirst, share);
}

void RateSearch::add(double rate, double loss) {
    if (over())
        return;
    m_diverged = !std::isfinite(loss);
    if (m_diverged)
        return;
    m_rates.push_back(rate);
    m_losses.push_back(loss);
    m_mean = kKept * m_mean + (1.0 - kKept) * loss;
    const double smoothed = m_mean / (1.0 - std::pow(kKept, static_cast<double>(m_losses.size())));
    m_smoothed.push_back(smoothed);
    m_best = m_smoothed.size() == 1 ? smoothed : std::min(m_best, smoothed);
    m_diverged = smoothed > kDiverged * m_best;
}

std::optional<double> RateSearch::suggestion() const {
    const auto lowest = std::min_element(m_smoothed.begin(), m_smoothed.end()) - m_smoothed.begin();
    double steepest = 0;
    std::optional<double> rate;
    for (std::size_t i = kSkipped; i < static_cast<std::size_t>(lowest); ++i) {
        const double slope =
            (m_smoothed[i + 1] - m_smoothed[i - 1]) / std::log(m_rates[i + 1] / m_rates[i - 1]);
        if (slope < steepest) {
            steepest = slope;
            rate = m_rates[i];
        }
    }
    return rate;
}

std::string RateSearch::sentence() const {
    char text[200];
    const double last = m_rates.empty() ? kFirst : m_rates.back();
    const auto found = suggestion();
    if (found)
        std::snprintf(text, sizeof text, "the loss falls most steeply at the learning rate %.2g", *found);
    else
        std::snprintf(text, sizeof text, "the loss falls at no learning rate");
    char range[100];
    std::snprintf(range, sizeof range, "; tried %.2g to %.2g%s", kFirst, last,
                  m_diverged ? ", where it grew out of bounds" : "");
    return std::string(text) + range;
}

} // namespace heteroscope::compute
