// SPDX-License-Identifier: Apache-2.0
#include "compute/base/warm_up_rule.h"

#include <algorithm>

namespace heteroscope {
namespace {

bool agree(double smallest, double largest, double tolerance) {
    return largest - smallest <= tolerance * smallest;
}

} // namespace

void WarmUpRule::add(double repetitionMs, std::optional<double> smMhz) {
    if (m_latest.size() == kWarmUpsThatAgree)
        m_latest.erase(m_latest.begin());
    m_latest.push_back({repetitionMs, smMhz});
}

bool WarmUpRule::isStable() const {
    if (m_latest.size() < kWarmUpsThatAgree)
        return false;
    const auto [fastest, slowest] = std::minmax_element(
        m_latest.begin(), m_latest.end(), [](const WarmUp& a, const WarmUp& b) { return a.ms < b.ms; });
    if (!agree(fastest->ms, slowest->ms, kWarmUpTolerance))
        return false;
    std::vector<double> clocks;
    for (const WarmUp& one : m_latest)
        if (one.smMhz)
            clocks.push_back(*one.smMhz);
    if (clocks.empty())
        return true;
    const auto [lowest, highest] = std::minmax_element(clocks.begin(), clocks.end());
    return agree(*lowest, *highest, kWarmUpClockTolerance);
}

} // namespace heteroscope
