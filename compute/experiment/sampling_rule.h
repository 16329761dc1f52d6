// SPDX-License-Identifier: Apache-2.0
// When a run has enough samples. One thread.
#pragma once

#include "compute/base/stop_rule.h"
#include "compute/base/warm_up_rule.h"
#include "compute/experiment/spec/spec.h"

#include <cstdint>
#include <vector>

namespace heteroscope::compute {

/// One of the fresh processes that the samples of each run are shared out to.
struct ProcessShare {
    int index = 0, count = 1;
};

/// The preset's numbers for one process. Presets: quick 5 samples; standard at least 10 and until the 95 %
/// interval of the median is narrower than 1 % of it, for up to 6 s; thesis 30. Numbers of samples and
/// time limits are of the whole study: each process has its share. Of several processes each samples at least
/// 5 times and until its interval is narrower than 1 % times the square root of their number, so that all
/// together are as narrow as 1 % where samples are independent.
struct SamplingPlan {
    int fewest = 10;
    int most = 0;             ///< 0: no fixed number, the interval decides
    int before = 0;           ///< number of the first sample: those of the processes before; needs `most`
    double timeLimitS = 10.0; ///< of timed spans of one run in this process; 0: none
    double warmupLimitS = kWarmUpLimitS; ///< of one run in this process
    int quietWaitS = 0;                  ///< of one run in this process
    double narrow = 0.01;                ///< width of the 95 % interval, as a share of the median
    int processes = 1;                   ///< that share the time limit

    static SamplingPlan of(const SamplingSpec& sampling, int samplesOverride, ProcessShare share = {});
    /// A training on a dataset takes one sample an epoch, however long, and trains anew in each process; the
    /// presets are for the others.
    static SamplingPlan of(const ExperimentSpec& spec, int samplesOverride, ProcessShare share = {});
};

class SamplingRule {
  public:
    explicit SamplingRule(SamplingPlan plan) : m_plan(plan) {}

    /// A sample and the whole time that it took, with what came before its span.
    void add(double wallMs, double spanS);
    bool done() const { return !m_stoppedBy.empty(); }
    /// Which rule ended sampling (stop_rule.h); null while it goes on.
    const Json& stoppedBy() const { return m_stoppedBy; }
    const std::vector<double>& samplesMs() const { return m_samplesMs; }
    int expectedSamples() const; ///< a guess, for remaining time

  private:
    TimeLimit timeLimitAfter(std::int64_t samples) const;
    bool isNarrow() const;
    bool timeToCheck() const;

    SamplingPlan m_plan;
    std::vector<double> m_samplesMs;
    double m_spentS = 0;
    Json m_stoppedBy;
};

} // namespace heteroscope::compute
