// SPDX-License-Identifier: Apache-2.0
// Presets and stop rules.
#include "compute/experiment/sampling_rule.h"

#include "compute/base/statistics.h"
#include "compute/experiment/runner.h"

#include <algorithm>
#include <charconv>

namespace heteroscope::compute {
namespace {

constexpr int kQuickSamples = 5;
constexpr int kStandardSamples = 10;
constexpr int kThesisSamples = 30;
constexpr int kThesisProcesses = 3;
constexpr double kDefaultLimitS = 10.0;
constexpr double kNarrow = 0.01;
constexpr int kResamples = 500;

std::string seconds(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, end.ptr};
}

std::string countText(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " sample" : " samples");
}

} // namespace

int freshProcesses(const SamplingSpec& sampling) {
    return sampling.preset == Preset::Thesis ? kThesisProcesses : 1;
}

SamplingPlan SamplingPlan::of(const ExperimentSpec& spec, int samplesOverride) {
    if (spec.kind == ExperimentKind::Network && spec.network.trainsOnDataset())
        return {spec.network.training.epochs, spec.network.training.epochs, 0.0};
    return of(spec.sampling, samplesOverride);
}

SamplingPlan SamplingPlan::of(const SamplingSpec& sampling, int samplesOverride) {
    SamplingPlan plan;
    const int asked = samplesOverride > 0 ? samplesOverride : sampling.samples.value_or(0);
    int total = asked;
    if (total == 0 && sampling.preset == Preset::Quick)
        total = kQuickSamples;
    if (total == 0 && sampling.preset == Preset::Thesis)
        total = kThesisSamples;
    const int processes = freshProcesses(sampling);
    plan.most = (total + processes - 1) / processes;
    plan.fewest = plan.most > 0 ? plan.most : kStandardSamples;
    const bool countDecides = asked > 0 || sampling.preset == Preset::Thesis;
    plan.timeLimitS = sampling.timeLimitS.value_or(countDecides ? 0.0 : kDefaultLimitS);
    return plan;
}

void SamplingRule::add(double wallMs, double spanS) {
    m_samplesMs.push_back(wallMs);
    m_spentS += spanS;
    const auto count = m_samplesMs.size();
    if (m_plan.most > 0 && count >= static_cast<std::size_t>(m_plan.most))
        m_reason = countText(count);
    else if (m_plan.most == 0 && timeToCheck() && isNarrow())
        m_reason = "95 % interval within 1 % after " + countText(count);
    else if (m_plan.timeLimitS > 0 && m_spentS >= m_plan.timeLimitS)
        m_reason = "time limit " + seconds(m_plan.timeLimitS) + " s after " +
                   (m_plan.most > 0
                        ? std::to_string(count) + " of " + countText(static_cast<std::size_t>(m_plan.most))
                        : countText(count));
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
    return interval.high - interval.low < kNarrow * quantileSorted(sorted, 0.5);
}

} // namespace heteroscope::compute
