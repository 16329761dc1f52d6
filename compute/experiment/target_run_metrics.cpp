// SPDX-License-Identifier: Apache-2.0
// What a run measures beside its samples: parts, the cost of tracing, rates.
#include "compute/base/clock.h"
#include "compute/base/statistics.h"
#include "compute/experiment/target_run.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr int kPartSpans = 5;
constexpr int kTracedSamples = 5;
constexpr double kTracedLimitS = 1.0;
constexpr double kMostTracedRepetitionS = 30.0;

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return quantileSorted(values, 0.5);
}

} // namespace

void TargetRun::measureExtras() {
    const RunOptions& options = m_context.options;
    if (!options.onlyTraced)
        measureParts();
    if (m_active && !options.onlyTraced && !m_flush) // what it measures follows one another
        if (const Status status = m_work->measureExtras({nullptr, options.stop, nullptr}); !status)
            return fail(status.error());
    if (options.onlyTraced || (options.trace && options.processIndex == 0))
        measureTraced();
}

void TargetRun::measureParts() {
    const std::vector<std::string> parts = m_work->parts();
    for (std::size_t part = 0; part < parts.size() && m_active; ++part) {
        std::vector<double> times;
        noteActivity();
        tellActivity(purposeStep(parts[part]));
        for (int i = 0; i < kPartSpans; ++i) {
            if (const Status status = flushCache(); !status)
                return fail(status.error());
            const std::int64_t start = steadyNowNs();
            const RepeatContext repeat{nullptr, m_context.options.stop, nullptr};
            if (const Status status = m_work->repeatPart(part, m_repetitions, repeat); !status)
                return fail(status.error());
            times.push_back(static_cast<double>(steadyNowNs() - start) * 1e-6 / m_repetitions);
        }
        m_outcome.metrics[parts[part] + "_ms"] = median(times);
    }
}

void TargetRun::measureTraced() {
    if (!m_active || m_repetitionS * m_work->tracedShare() > kMostTracedRepetitionS)
        return;
    const int repetitions = std::min(m_repetitions, kMostTracedRepetitions);
    const std::int64_t start = steadyNowNs();
    while (static_cast<int>(m_tracedMs.size()) < kTracedSamples) {
        const auto span = sample(SampleKind::Traced, repetitions);
        if (!span)
            return;
        m_tracedMs.push_back(span->perRepetitionS * 1e3 / m_work->tracedShare());
        if (static_cast<double>(steadyNowNs() - start) * 1e-9 > kTracedLimitS)
            return;
    }
}

void TargetRun::addMetrics() {
    Json& metrics = m_outcome.metrics;
    metrics.update(m_work->metrics());
    metrics["input_bytes"] = m_estimate.srcBytes;
    metrics["output_bytes"] = m_estimate.dstBytes;
    if (m_spec.kind == ExperimentKind::Pooling) {
        metrics["padded_bytes"] = m_estimate.paddedBytes;
        metrics["windows"] = m_estimate.windows;
    }
    if (m_session)
        metrics["parallelism"] = m_session->parallelism();
    if (m_rule.samplesMs().empty())
        return;
    const double ms = median(m_rule.samplesMs());
    if (ms > 0) {
        const double times = m_work->opsPerRepetition();
        if (times != 1)
            metrics["work_per_repetition"] = times;
        metrics["bandwidth_gb_s"] = times * m_definition.minimumBytes / ms * 1e-6;
        metrics["gflop_s"] = times * m_definition.flops / ms * 1e-6;
    }
    if (!m_tracedMs.empty() && ms > 0) { // traced repetitions are launched one by one, recorded or not
        const double untraced = metrics.value("launched_ms", ms);
        metrics["tracing_overhead_percent"] = (median(m_tracedMs) / untraced - 1.0) * 100.0;
    }
    if (m_transfers.h2d.count == 0)
        return;
    metrics["h2d_count"] = m_transfers.h2d.count;
    metrics["h2d_bytes"] = m_transfers.h2d.bytes;
    metrics["d2h_count"] = m_transfers.d2h.count;
    metrics["d2h_bytes"] = m_transfers.d2h.bytes;
    if (ms > 0)
        metrics["transfer_share_percent"] = (m_transfers.h2d.ms + m_transfers.d2h.ms) / ms * 100.0;
}

} // namespace heteroscope::compute
