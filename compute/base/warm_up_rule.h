// SPDX-License-Identifier: Apache-2.0
// When a run is warm: its times, and the clock of its GPU where that is read, have stopped changing. One
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace heteroscope {

/// So many warm-ups in a row have to agree,
inline constexpr std::size_t kWarmUpsThatAgree = 3;
/// the longest of their times with the shortest within this share of it,
inline constexpr double kWarmUpTolerance = 0.05;
/// and their SM clocks, where they are known, likewise.
inline constexpr double kWarmUpClockTolerance = 0.01;
/// Seconds in each process after which warming up ends, where the experiment does not say.
inline constexpr double kWarmUpLimitS = 1.0;

class WarmUpRule {
  public:
    /// `limitS`: 0 ends warming up with the first warm-up that is long enough.
    explicit WarmUpRule(double limitS) : m_limitS(limitS) {}

    /// A warm-up that was long enough to be judged; `smMhz` after it, nothing where it is not read.
    void add(double repetitionMs, std::optional<double> smMhz);
    /// Whether the last ones agree.
    bool isStable() const;
    /// `spentS`: since warming up began.
    bool isOver(double spentS) const { return !m_latest.empty() && (isStable() || spentS >= m_limitS); }

  private:
    struct WarmUp {
        double ms;
        std::optional<double> smMhz;
    };

    double m_limitS;
    std::vector<WarmUp> m_latest; ///< kWarmUpsThatAgree at most
};

} // namespace heteroscope
