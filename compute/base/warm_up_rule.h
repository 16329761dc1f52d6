// SPDX-License-Identifier: Apache-2.0
// When a run is warm: its times have stopped falling, and the clock of its GPU, where that is read, has
// stopped changing. How much times scatter does not matter: what another program takes does not become less
// by waiting. One thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace heteroscope {

/// None of so many warm-ups in a row
inline constexpr std::size_t kWarmUpsInARow = 3;
/// is shorter than the shortest before them by more than this share of it,
inline constexpr double kWarmUpTolerance = 0.05;
/// and the highest of their SM clocks, where they are known, is within this share of the lowest.
inline constexpr double kWarmUpClockTolerance = 0.01;
/// Seconds in each process after which warming up ends, where the experiment does not say.
inline constexpr double kWarmUpLimitS = 1.0;

class WarmUpRule {
  public:
    /// `limitS`: 0 ends warming up with the first warm-up that is long enough.
    explicit WarmUpRule(double limitS) : m_limitS(limitS) {}

    /// A warm-up that was long enough to be judged; `smMhz` after it, nothing where it is not read.
    void add(double repetitionMs, std::optional<double> smMhz);
    /// Whether it is warm.
    bool isStable() const;
    /// `spentS`: since warming up began.
    bool isOver(double spentS) const { return !m_latest.empty() && (isStable() || spentS >= m_limitS); }

  private:
    struct WarmUp {
        double ms;
        std::optional<double> smMhz;
    };

    double m_limitS;
    std::optional<double> m_shortestMs; ///< of those before the latest
    std::vector<WarmUp> m_latest;       ///< kWarmUpsInARow at most
};

} // namespace heteroscope
