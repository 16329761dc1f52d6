// SPDX-License-Identifier: Apache-2.0
// The reference: from a run of cpu/sequential, or computed for the check alone.
#include "compute/experiment/reference.h"

#include "compute/base/clock.h"
#include "compute/base/units.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr const char* kSequential = "cpu/sequential";
constexpr double kAlwaysFlops = 1e8;
constexpr std::int64_t kProbeMatmul = 128;
constexpr std::int64_t kProbeImage = 256;
constexpr int kProbes = 3; // the shortest counts: what other programs took meanwhile is not of the work
constexpr double kCacheMargin = 4.0; // plain loops lose about this much once matrices leave the caches

Target sequentialTarget() {
    return {"cpu", "sequential", {}};
}

/// The same work on less data; for a network, whose layers fix its size, a product: most of it are such.
ExperimentSpec smaller(ExperimentSpec spec) {
    if (spec.kind == ExperimentKind::Network) {
        spec.kind = ExperimentKind::Matmul;
        spec.matmul = {kProbeMatmul, kProbeMatmul, kProbeMatmul};
    }
    spec.matmul.m = std::min(spec.matmul.m, kProbeMatmul);
    spec.matmul.n = std::min(spec.matmul.n, kProbeMatmul);
    spec.matmul.k = std::min(spec.matmul.k, kProbeMatmul);
    spec.matmul.right = MatmulRight::Random;
    InputSpec& input = spec.pooling.input;
    input.source = InputSource::Random;
    input.height = kProbeImage + spec.pooling.params.kernel.h;
    input.width = kProbeImage + spec.pooling.params.kernel.w;
    input.batch = input.channels = 1;
    return spec;
}

Result<std::vector<OutputTensor>> computeOn(const ExperimentSpec& spec, const PointData& data,
                                            const StudyContext& context) {
    auto session = context.registry.open(sequentialTarget());
    if (!session)
        return session.error();
    const auto work = makeWork(spec, data, **session);
    if (const Status status = work->allocate(); !status)
        return status.error();
    if (const Status status = work->prepare(); !status)
        return status.error();
    if (const Status status = work->firstUse({nullptr, context.options.stop, nullptr}); !status)
        return status.error();
    return work->outputs();
}

} // namespace

bool onWholeImages(const ExperimentSpec& pointSpec) {
    return pointSpec.kind != ExperimentKind::Pooling || pointSpec.pooling.strategy == Strategy::Image;
}

Reference::Reference(const ExperimentSpec& pointSpec, StudyContext& context)
    : m_spec(pointSpec),
      m_context(context),
      m_wanted(isWanted(context.options)),
      m_sameWork(onWholeImages(pointSpec)) {
    m_spec.pooling.strategy = Strategy::Image;
}

bool Reference::isWanted(const RunOptions& options) {
    return options.checkEqual && options.processIndex == 0;
}

bool Reference::isComputedBy(const Target& target, const ExperimentSpec& pointSpec) {
    return onWholeImages(pointSpec) && target.text() == kSequential;
}

bool Reference::comesFrom(const Target& target) const {
    return m_wanted && m_sameWork && target.text() == kSequential;
}

/// From what cpu/sequential took before in this study, else from a small piece of the same work.
double Reference::predictedS(const PointData& data) const {
    double flops = 0;
    for (const Op& op : workOps(m_spec, data.srcShape))
        flops += opFlops(op);
    if (m_spec.network.infersDataset() && data.dataset) // the operations are those of one batch
        flops *= static_cast<double>(data.dataset->test.count) /
                 static_cast<double>(m_spec.network.inferenceBatch);
    if (flops < kAlwaysFlops)
        return 0;
    if (const double known = m_sameWork ? m_context.pace.predictedS(kSequential, flops) : -1.0; known >= 0)
        return known;
    const ExperimentSpec probe = smaller(m_spec);
    const auto probeData = loadPointData(probe);
    if (!probeData)
        return 0;
    std::int64_t shortestNs = INT64_MAX;
    for (int i = 0; i < kProbes; ++i) {
        const std::int64_t start = steadyNowNs();
        if (!computeOn(probe, *probeData, m_context))
            return 0;
        shortestNs = std::min(shortestNs, steadyNowNs() - start);
    }
    const double seconds = static_cast<double>(shortestNs) * 1e-9;
    double probeFlops = 0;
    for (const Op& op : workOps(probe, probeData->srcShape))
        probeFlops += opFlops(op);
    const double margin = m_spec.kind == ExperimentKind::Pooling ? 1.0 : kCacheMargin;
    return seconds * flops / std::max(probeFlops, 1.0) * margin;
}

void Reference::compute(const PointData& data, std::int64_t needBytes, std::int64_t roomBytes) {
    m_noRoom.clear();
    if (!m_wanted || m_outputs || !m_whyNot.empty())
        return;
    if (needBytes > roomBytes) { // beside another run there may be room
        const std::int64_t room = std::max<std::int64_t>(roomBytes, 0);
        m_noRoom = "cpu/sequential would need " + formatBytesUnlike(needBytes, room) +
                   " of memory beside this run, " + formatBytesUnlike(room, needBytes) + " may be used";
        return;
    }
    const double seconds = predictedS(data);
    if (seconds > kLimitS) {
        m_whyNot = "cpu/sequential would take about " + formatDurationNs(seconds * 1e9) + ", more than " +
                   formatDurationNs(kLimitS * 1e9);
        return;
    }
    auto outputs = computeOn(m_spec, data, m_context);
    if (outputs)
        m_outputs = std::move(*outputs);
    else
        m_whyNot = outputs.error().sentence();
}

} // namespace heteroscope::compute
