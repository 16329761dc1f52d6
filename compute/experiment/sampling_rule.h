// SPDX-License-Identifier: Apache-2.0
// When a run has enough samples. One thread.
#pragma once

#include "compute/experiment/spec/spec.h"

#include <string>
#include <vector>

namespace heteroscope::compute {

/// The preset's numbers for one process. Presets: quick 5 samples; standard at least 10 and until the 95 %
/// interval of the median is narrower than 1 % of it; thesis 30, a third in each of three fresh processes.
struct SamplingPlan {
    int fewest = 10;
    int most = 0;             ///< 0: no fixed number, the interval decides
    double timeLimitS = 10.0; ///< of timed spans of one run; 0: none

    static SamplingPlan of(const SamplingSpec& sampling, int samplesOverride);
    /// A training on a dataset takes one sample an epoch, however long; the presets are for the others.
    static SamplingPlan of(const ExperimentSpec& spec, int samplesOverride);
};

class SamplingRule {
  public:
    explicit SamplingRule(SamplingPlan plan) : m_plan(plan) {}

    /// A sample and the whole time of its span.
    void add(double wallMs, double spanS);
    bool done() const { return !m_reason.empty(); }
    /// Which rule ended sampling, e.g. "95 % interval within 1 % after 14 samples"; empty while it goes on.
    const std::string& reason() const { return m_reason; }
    const std::vector<double>& samplesMs() const { return m_samplesMs; }
    int expectedSamples() const; ///< a guess, for remaining time

  private:
    bool isNarrow() const;
    bool timeToCheck() const;

    SamplingPlan m_plan;
    std::vector<double> m_samplesMs;
    double m_spentS = 0;
    std::string m_reason;
};

} // namespace heteroscope::compute
