// SPDX-License-Identifier: Apache-2.0
// Remaining time of a study.
#include "compute/experiment/pace.h"

#include <algorithm>
#include <numeric>

namespace heteroscope::compute {
namespace {

constexpr double kExpectedSpanS = 0.012; // a sample is at least this long
constexpr double kOverheadS = 0.01;      // opening, allocating, checking
constexpr double kExtraSpans = 8.0;      // warm-ups and traced samples
constexpr double kGuessRate = 1e9;       // operations a second, of a target that has not run yet

} // namespace

Pace::Pace(const std::vector<RunDefinition>& runs, int samplesPerRun, double timeLimitS)
    : m_runs(runs), m_samplesPerRun(samplesPerRun), m_timeLimitS(timeLimitS), m_share(runs.size(), 0.0) {}

void Pace::measured(const RunDefinition& run, double seconds) {
    m_secondsPerFlop[run.target] = seconds / std::max(run.flops, 1.0);
}

void Pace::finished(int run) {
    m_share[static_cast<std::size_t>(run)] = 1.0;
}

void Pace::advanced(int run, double share) {
    m_share[static_cast<std::size_t>(run)] = std::clamp(share, 0.0, 1.0);
}

double Pace::predictedS(const std::string& target, double flops) const {
    const auto known = m_secondsPerFlop.find(target);
    return known == m_secondsPerFlop.end() ? -1.0 : known->second * std::max(flops, 1.0);
}

double Pace::expectedRunS(const RunDefinition& run) const {
    const double known = predictedS(run.target, run.flops);
    const double repetition = known >= 0 ? known : run.flops / kGuessRate;
    double sampling = m_samplesPerRun * std::max(kExpectedSpanS, repetition);
    if (m_timeLimitS > 0)
        sampling = std::min(sampling, m_timeLimitS + repetition);
    return kOverheadS + sampling + std::max(kExtraSpans * kExpectedSpanS, 3 * repetition);
}

double Pace::remainingS() const {
    if (m_secondsPerFlop.empty())
        return -1.0;
    double remaining = 0;
    for (const RunDefinition& run : m_runs)
        remaining += (1.0 - m_share[static_cast<std::size_t>(run.run)]) * expectedRunS(run);
    return remaining;
}

double Pace::fraction(double elapsedS) const {
    const double remaining = remainingS();
    if (remaining >= 0)
        return elapsedS / std::max(elapsedS + remaining, 1e-9);
    const double done = std::accumulate(m_share.begin(), m_share.end(), 0.0);
    return done / std::max<double>(static_cast<double>(m_share.size()), 1.0);
}

} // namespace heteroscope::compute
