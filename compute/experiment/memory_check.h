// SPDX-License-Identifier: Apache-2.0
// Whether a run fits into memory, decided before anything is allocated. Any thread; a session is used by the
// caller's.
#pragma once

#include "compute/core/backend.h"
#include "compute/core/device.h"
#include "compute/experiment/spec/estimate.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heteroscope::compute {

/// Bytes a run needs. On a processor host and device memory are the same. INT64_MAX: more than can be
/// counted.
struct MemoryNeed {
    std::int64_t hostBytes = 0;     ///< at the most, with a dataset and while it is read
    std::int64_t heldHostBytes = 0; ///< of that after the dataset was read
    std::int64_t deviceBytes = 0;
    bool onHost = true;          ///< the device is the processor
    std::int64_t ofHost() const; ///< all that comes out of the host's memory
};

/// Bytes that a run may take on a device: the limit when one is given, else most of what is free.
std::int64_t allowedBytes(const DeviceInfo& device, std::int64_t limit);

/// What a session's implementation needs beside the operands of a point.
struct ImplementationMemory {
    /// Operands in other layouts, and of a network what its tensors take beyond those of the estimate: below
    /// zero where operations are computed in one go, with fewer tensors for that.
    std::int64_t tensors = 0;
    std::int64_t scratch = 0; ///< once operations are prepared, which is after the weights were written
};
/// `examples`: of the dataset, where they are known.
ImplementationMemory implementationMemory(const ExperimentSpec& pointSpec, const Shape4& srcShape,
                                          Session& session,
                                          const std::optional<ExampleCounts>& examples = std::nullopt);

/// What it takes to compute a point's reference while a run of the point holds its own memory, and to keep
/// its results. Where there is no room for it beside the run, results are not compared.
std::int64_t referenceBytes(const ExperimentSpec& pointSpec, const PointEstimate& estimate);

/// That, where no target of the study computes the reference anyway; else 0.
std::int64_t comparisonBytes(const ExperimentSpec& pointSpec, const PointEstimate& estimate);

/// Whether the results of a target of the study are kept as the reference while this one runs. Those of the
/// reference's own run are what is kept.
bool keepsReference(const Target& target, const ExperimentSpec& pointSpec);

/// What the examples of the point's dataset take of the host's memory, and how many they are, for
/// memoryNeed(): reads headers of its files.
void addDataset(PointEstimate& estimate, const ExperimentSpec& pointSpec);

/// Whether so much may be held while the dataset is read (memory_budget.h); else loadDataset() refuses, with
/// what helps there, which no smaller batch does.
bool mayRead(const PointEstimate& estimate);

/// The forecast of a run, for `check` and for the runner alike: operands, what the implementation needs
/// beside them, on a processor the stacks of its threads, what flushes the caches where that is asked for,
/// and results that are kept as the reference. Not the memory of a reference that is computed for the check
/// alone: comparisonBytes(). A network's operations are planned anew.
MemoryNeed memoryNeed(const ExperimentSpec& pointSpec, const PointEstimate& estimate, Session& session,
                      bool keepsReference);
/// The same of known parts: of the reference's results, and of what the implementation needs beside the
/// operands.
MemoryNeed memoryNeed(const PointEstimate& estimate, std::int64_t reference,
                      const ImplementationMemory& beside, bool onHost);

/// What a run of another size of a point needs of the memory in question; nothing of a point that cannot be.
using NeedOf = std::function<std::optional<std::int64_t>(const ExperimentSpec&)>;

/// Of the host's memory and of the device's. The session outlives them. The dataset is that of `estimate`: no
/// size changes it.
NeedOf hostNeedOf(Session& session, bool keepsReference, const PointEstimate& estimate);
NeedOf deviceNeedOf(Session& session, const PointEstimate& estimate);

/// Why the point cannot run, with the figures and what would fit, e.g. "needs 12.0 GiB, 8.1 GiB may be used;
/// a size of 16384 x 16384 would fit"; empty when it fits. Sizes that are named were asked of `needOf`.
std::string memoryRefusal(const ExperimentSpec& pointSpec, std::int64_t need, std::int64_t allowed,
                          const NeedOf& needOf);

} // namespace heteroscope::compute
