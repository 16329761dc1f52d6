// SPDX-License-Identifier: Apache-2.0
// Needed against free memory, and the largest size that would fit.
#include "compute/experiment/memory_check.h"

#include "compute/base/units.h"
#include "compute/exec/work.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr double kUsableShare = 0.9; // the rest stays for the system and for what this process already holds

/// With another size: of images, of matrices, of a network's batch.
ExperimentSpec scaled(ExperimentSpec spec, std::int64_t size) {
    spec.network.training.batch = spec.network.inferenceBatch = size;
    spec.pooling.input.height = spec.pooling.input.width = size;
    spec.matmul.m = spec.matmul.n = spec.matmul.k = size;
    return spec;
}

bool fits(const ExperimentSpec& spec, std::int64_t size, std::int64_t allowed) {
    const auto estimate = estimatePoint(scaled(spec, size));
    return estimate && estimate->hostBytes + estimate->deviceBytes <= allowed;
}

std::int64_t largestFitting(const ExperimentSpec& spec, std::int64_t allowed) {
    std::int64_t good = 0, bad = 1 << 20;
    while (bad - good > 1) {
        const std::int64_t middle = good + (bad - good) / 2;
        (fits(spec, middle, allowed) ? good : bad) = middle;
    }
    return good;
}

/// What a run needs beside its operands may stay or grow with them. A size that fits when all of it stays is
/// safe, because it never shrinks with them; where there is none, it is taken to grow.
std::int64_t largestFitting(const ExperimentSpec& spec, const MemoryNeed& need, std::int64_t allowed) {
    const auto estimate = estimatePoint(spec);
    if (!estimate || need.total() < 1)
        return largestFitting(spec, allowed);
    const std::int64_t operands = estimate->hostBytes + estimate->deviceBytes;
    const std::int64_t beside = std::max<std::int64_t>(need.total() - operands, 0);
    if (const std::int64_t size = largestFitting(spec, allowed - beside); size > 0)
        return size;
    return largestFitting(spec,
                          static_cast<std::int64_t>(static_cast<double>(allowed) *
                                                    std::min(1.0, static_cast<double>(operands) /
                                                                      static_cast<double>(need.total()))));
}

std::string whatWouldFit(const ExperimentSpec& spec, const MemoryNeed& need, std::int64_t allowed) {
    const bool scalable =
        spec.kind != ExperimentKind::Pooling || spec.pooling.input.source == InputSource::Random;
    const std::int64_t size = scalable ? largestFitting(spec, need, allowed) : 0;
    if (size < 1)
        return spec.kind == ExperimentKind::Network ? "choose smaller layers" : "choose a smaller input";
    const std::string text = std::to_string(size);
    if (spec.kind == ExperimentKind::Network)
        return "a batch of " + text + " would fit";
    if (spec.kind == ExperimentKind::Matmul)
        return "m = n = k = " + text + " would fit";
    return "a size of " + text + " x " + text + " would fit";
}

} // namespace

std::int64_t allowedBytes(const DeviceInfo& device, std::int64_t limit) {
    if (limit > 0)
        return limit;
    return static_cast<std::int64_t>(kUsableShare * static_cast<double>(device.memoryFreeBytes));
}

std::int64_t workspaceBytes(const ExperimentSpec& pointSpec, const Shape4& srcShape, const Session& session) {
    std::size_t bytes = 0;
    for (const Op& op : workOps(pointSpec, srcShape)) {
        const std::size_t own = session.supports(op).supported ? session.workspaceBytes(op) : 0;
        bytes = pointSpec.kind == ExperimentKind::Network ? bytes + own // all are prepared at once
                                                          : std::max(bytes, own);
    }
    return static_cast<std::int64_t>(bytes);
}

std::string memoryRefusal(const ExperimentSpec& pointSpec, const MemoryNeed& need, std::int64_t allowed) {
    if (need.total() <= allowed)
        return {};
    return "needs " + formatBytes(static_cast<double>(need.total())) + " of memory, " +
           formatBytes(static_cast<double>(allowed)) + " may be used; " +
           whatWouldFit(pointSpec, need, allowed);
}

} // namespace heteroscope::compute
