// SPDX-License-Identifier: Apache-2.0
// Which learning rate to begin with: rates that grow from step to step, and the loss at each. Smith 2017,
// "Cyclical Learning Rates", section 3.3, with the smoothing and the end of fastai's lr_find. Pure but for
// what was added; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute {

class RateSearch {
  public:
    static constexpr std::int64_t kSteps = 100;
    static constexpr double kFirst = 1e-7, kLast = 10;

    /// Of a step counted from 0: a geometric sequence from kFirst to kLast.
    static double rateAt(std::int64_t step);

    /// The next step; one after the end is left out. A loss that is no finite number ends the search.
    void add(double rate, double loss);
    /// All steps were made, or the smoothed loss is above four times its best.
    bool over() const { return m_diverged || static_cast<std::int64_t>(m_rates.size()) >= kSteps; }
    bool diverged() const { return m_diverged; }

    const std::vector<double>& rates() const { return m_rates; }
    const std::vector<double>& losses() const { return m_losses; }
    /// Of each step: the exponentially weighted mean of the losses so far, without the bias of its beginning.
    const std::vector<double>& smoothed() const { return m_smoothed; }
    /// Where the smoothed loss falls most steeply over the logarithm of the rate, before its minimum and
    /// after the first tenth of the steps, whose means are of few losses; nothing where it falls nowhere.
    std::optional<double> suggestion() const;
    std::string sentence() const;

  private:
    std::vector<double> m_rates, m_losses, m_smoothed;
    double m_mean = 0, m_best = 0;
    bool m_diverged = false;
};

} // namespace heteroscope::compute
