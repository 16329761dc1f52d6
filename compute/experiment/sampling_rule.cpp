// SPDX-License-Identifier: Apache-2.0
// Presets and stop rules.
#include "compute/experiment/sampling_rule.h"

#include "compute/base/run_note.h"
#include "compute/base/statistics.h"
#include "compute/base/stop_rule.h"
#include "compute/experiment/runner.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {
namespace {

constexpr int kQuickSamples = 5;
constexpr int kStandardSamples = 10;
constexpr int kThesisSamples = 30;
constexpr double kQuickLimitS = 10.0;
constexpr int kResamples = 500;

} // namespace

FreshProcesses freshProcesses(const ExperimentSpec& spec) {
    const SamplingSpec& sampling = spec.sampling;
    const bool trains = spec.kind == ExperimentKind::Network && spec.network.trainsOnDataset();
    const int needed = static_cast<int>(kProcessesForVerdict);
    const bool one = sampling.preset == Preset::Quick || (trains && sampling.preset == Preset::Standard);
    const int wanted = sampling.processes.value_or(one ? 1 : needed);
    const int samples = trains ? wanted : sampling.samples.value_or(wanted);
    if (samples < std::min(wanted, needed))
        return {samples, few_processes::kSamplesAsked};
    if (wanted >= needed)
        return {std::min(wanted, samples), {}};
    if (sampling.processes)
        return {wanted, few_processes::kProcessesAsked};
    return {wanted, trains ? few_processes::kTrainedOnce : few_processes::kPresetQuick};
}

SamplingPlan SamplingPlan::of(const ExperimentSpec& spec, int samplesOverride, ProcessShare share) {
    SamplingPlan plan = of(spec.sampling, samplesOverride, share);
    if (spec.kind == ExperimentKind::Network && spec.network.trainsOnDataset()) {
        plan.fewest = plan.most = spec.network.training.epochs;
        plan.before = share.index * plan.most;
        plan.timeLimitS = 0.0;
    }
    return plan;
}

SamplingPlan SamplingPlan::of(const SamplingSpec& sampling, int samplesOverride, ProcessShare share) {
    SamplingPlan plan;
    const int asked = samplesOverride > 0 ? samplesOverride : sampling.samples.value_or(0);
    int total = asked;
    if (total == 0 && sampling.preset == Preset::Quick)
        total = kQuickSamples;
    if (total == 0 && sampling.preset == Preset::Thesis)
        total = kThesisSamples;
    const int each = total / share.count, more = total % share.count; // the first ones take one more
    plan.most = each + (share.index < more ? 1 : 0);
    plan.before = share.index * each + std::min(share.index, more);
    plan.fewest = plan.most > 0      ? plan.most
                  : share.count == 1 ? kStandardSamples
                                     : static_cast<int>(kSamplesForInterval);
    plan.narrow *= std::sqrt(static_cast<double>(share.count));
    plan.processes = share.count;
    const bool countDecides = asked > 0 || sampling.preset == Preset::Thesis;
    const double limitS = sampling.preset == Preset::Quick ? kQuickLimitS : kStandardLimitS;
    plan.timeLimitS = sampling.timeLimitS.value_or(countDecides ? 0.0 : limitS) / share.count;
    plan.warmupLimitS = sampling.warmupLimitS.value_or(kWarmUpLimitS);
    plan.quietWaitS = sampling.quietWaitS;
    return plan;
}

void SamplingRule::add(double wallMs, double spanS) {
    m_samplesMs.push_back(wallMs);
    m_spentS += spanS;
    const auto samples = static_cast<std::int64_t>(m_samplesMs.size());
    if (m_plan.most > 0 && samples >= m_plan.most)
        m_stoppedBy = stoppedBySampleCount(samples);
    else if (m_plan.most == 0 && timeToCheck() && isNarrow())
        m_stoppedBy = stoppedByIntervalWidth(m_plan.narrow, samples);
    else if (m_plan.timeLimitS > 0 && m_spentS >= m_plan.timeLimitS)
        m_stoppedBy = stoppedByTimeLimit(timeLimitAfter(samples));
}

TimeLimit SamplingRule::timeLimitAfter(std::int64_t samples) const {
    TimeLimit limit;
    limit.limitS = m_plan.timeLimitS;
    limit.samples = samples;
    if (m_plan.processes != 1)
        limit.studyS = m_plan.timeLimitS * m_plan.processes;
    if (m_plan.most > 0)
        limit.samplesAsked = m_plan.most;
    return limit;
}

int SamplingRule::expectedSamples() const {
    if (m_plan.most > 0)
        return m_plan.most;
    return std::max(2 * m_plan.fewest, static_cast<int>(m_samplesMs.size()) + m_plan.fewest / 2);
}

/// Every time at first, then as the number of samples grows by a tenth.
bool SamplingRule::timeToCheck() const {
    const std::size_t count = m_samplesMs.size();
    return count >= static_cast<std::size_t>(m_plan.fewest) &&
           count % std::max<std::size_t>(count / 10, 1) == 0;
}

bool SamplingRule::isNarrow() const {
    const Interval interval = bootstrapMedian(m_samplesMs, 1, kResamples);
    std::vector<double> sorted = m_samplesMs;
    std::sort(sorted.begin(), sorted.end());
    return interval.high - interval.low < m_plan.narrow * quantileSorted(sorted, 0.5);
}

} // namespace heteroscope::compute
