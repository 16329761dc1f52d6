// SPDX-License-Identifier: Apache-2.0
#include "compute/base/warm_up_rule.h"

#include <algorithm>

namespace heteroscope {

void WarmUpRule::add(double repetitionMs, std::optional<double> smMhz) {
    if (m_latest.size() == kWarmUpsInARow) {
        m_shortestMs = std::min(m_shortestMs.value_or(m_latest.front().ms), m_latest.front().ms);
        m_latest.erase(m_latest.begin());
    }
    m_latest.push_back({repetitionMs, smMhz});
}

bool WarmUpRule::isStable() const {
    if (!m_shortestMs)
        return false;
    for (const WarmUp& one : m_latest)
        if (one.ms < (1.0 - kWarmUpTolerance) * *m_shortestMs)
            return false;
    std::vector<double> clocks;
    for (const WarmUp& one : m_latest)
        if (one.smMhz)
            clocks.push_back(*one.smMhz);
    if (clocks.empty())
        return true;
    const auto [lowest, highest] = std::minmax_element(clocks.begin(), clocks.end());
    return *highest - *lowest <= kWarmUpClockTolerance * *lowest;
}

} // namespace heteroscope
