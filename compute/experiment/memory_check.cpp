// SPDX-License-Identifier: Apache-2.0
// Needed against free memory, and the largest size that would fit.
#include "compute/experiment/memory_check.h"

#include "compute/base/checked_math.h"
#include "compute/base/failure_words.h"
#include "compute/base/free_memory.h"
#include "compute/base/memory_budget.h"
#include "compute/base/units.h"
#include "compute/core/host_session.h"
#include "compute/data/dataset_memory.h"
#include "compute/exec/network_executor.h"
#include "compute/exec/network_sequence.h"
#include "compute/exec/work.h"
#include "compute/experiment/reference.h"

#include <algorithm>
#include <optional>
#include <utility>

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

/// The largest size in (good, bad) that `holds`, of sizes that hold below some size and not above it, or
/// `good`.
template <typename Holds>
std::int64_t largestThat(std::int64_t good, std::int64_t bad, int questions, const Holds& holds) {
    for (; bad - good > 1 && questions > 0; --questions) {
        const std::int64_t middle = good + (bad - good) / 2;
        (holds(middle) ? good : bad) = middle;
    }
    return good;
}

std::int64_t operandBytes(const ExperimentSpec& spec) {
    const auto estimate = estimatePoint(spec);
    return estimate ? saturatingAdd(estimate->hostBytes - estimate->referenceCopyBytes, estimate->deviceBytes)
                    : INT64_MAX;
}

/// What a run needs beside its operands may stay or grow with them, or jump: a first guess takes it to grow
/// as they do, and from there each size is asked. Planning a large network takes a while, so the questions
/// are few; the size that is named is one that fits, if not to the last unit the largest.
std::int64_t largestFitting(const ExperimentSpec& spec, std::int64_t need, std::int64_t allowed,
                            const NeedOf& needOf) {
    constexpr std::int64_t kMostSize = 1 << 20;
    constexpr int kAllQuestions = 20, kQuestions = 9;
    const auto fits = [&](std::int64_t size) {
        const auto bytes = needOf(scaled(spec, size));
        return bytes && *bytes <= allowed;
    };
    const auto operandsWithin = [&](double bytes) {
        return largestThat(0, kMostSize, kAllQuestions, [&](std::int64_t size) {
            return static_cast<double>(operandBytes(scaled(spec, size))) <= bytes;
        });
    };
    const double share =
        static_cast<double>(operandBytes(spec)) / static_cast<double>(std::max<std::int64_t>(need, 1));
    const std::int64_t guess = operandsWithin(static_cast<double>(allowed) * std::min(share, 1.0));
    const std::int64_t beyond = operandsWithin(static_cast<double>(allowed)) + 1;
    std::int64_t found = guess > 0 && fits(guess)
                             ? largestThat(guess, beyond, kQuestions, fits)
                             : largestThat(0, std::max<std::int64_t>(guess, 1), kAllQuestions, fits);
    // Scratch memory comes in steps, and sizes that are whole blocks need less of it than smaller ones.
    constexpr int kMostSteps = 3;
    for (int step = 0; step < kMostSteps && found > 0; ++step) {
        const std::int64_t larger = found + found / 20 + 1;
        if (larger >= beyond || !fits(larger))
            break;
        found = largestThat(larger, beyond, kQuestions, fits);
    }
    if (spec.kind == ExperimentKind::Network)
        return found;
    // No plan is made of these: the sizes above are asked one by one, from the largest down.
    constexpr std::int64_t kMostAsked = 1 << 12;
    const std::int64_t step = std::max<std::int64_t>((beyond - found) / kMostAsked, 1);
    for (std::int64_t size = beyond - 1; size > found; size -= step)
        if (fits(size))
            return size;
    return found;
}

std::string whatWouldFit(const ExperimentSpec& spec, std::int64_t need, std::int64_t allowed,
                         const NeedOf& needOf) {
    const bool scalable =
        spec.kind != ExperimentKind::Pooling || spec.pooling.input.source == InputSource::Random;
    const std::int64_t size = scalable ? largestFitting(spec, need, allowed, needOf) : 0;
    if (size < 1)
        return spec.kind == ExperimentKind::Network ? failure_words::kSmallerLayers
                                                    : failure_words::kSmallerInput;
    const std::string text = std::to_string(size);
    if (spec.kind == ExperimentKind::Network)
        return say(failure_words::kBatchFits, {text}).text();
    if (spec.kind == ExperimentKind::Matmul)
        return say(failure_words::kMatrixFits, {text}).text();
    return say(failure_words::kSizeFits, {text, text}).text();
}

/// What the operations of a plan, all prepared at once, need beside the plan's tensors.
struct SequenceMemory {
    std::size_t added = 0;            ///< for reorders
    std::size_t largest = 0, sum = 0; ///< of the operations' scratch memory
    std::size_t read = 0; ///< for the plan's output as it is documented, where it lies in another layout
};

SequenceMemory memoryOf(const NetworkPlan& plan, Session& session) {
    const auto sequence = session.planSequence(sequenceOf(plan));
    const bool onHost = session.device().kind == "cpu";
    const auto taken = [onHost](std::size_t bytes) {
        return onHost && bytes > 0 ? hostBufferBytes(bytes) : bytes;
    };
    const auto floats = [](std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(float); };
    SequenceMemory memory;
    memory.added = taken(floats(placeAddedMemory(plan, *sequence).elements));
    for (const std::int64_t elements : plan.blockElements) // which the estimate has as they are
        memory.added += taken(floats(elements)) - floats(elements);
    for (std::size_t i = 0; i < sequence->ops().size(); ++i) {
        const std::size_t bytes = sequence->workspaceBytes(i);
        memory.largest = std::max(memory.largest, bytes);
        memory.sum += bytes;
    }
    const PlanTensor& output = plan.tensors[static_cast<std::size_t>(plan.output)];
    if (!sequence->liesAsDocumented(output.memory))
        memory.read = taken(floats(output.elements));
    return memory;
}

/// A plan as the session computes it, and what its tensors take beyond those of the plan that the estimate
/// counts, where each operation is computed by itself: what is computed in one go leaves out those between.
struct SessionPlan {
    NetworkPlan plan;
    std::int64_t beyond = 0;
};

std::optional<SessionPlan> planFor(const NetworkExperiment& experiment, const NetworkRequest& request,
                                   PlanOptions options, const Session& session) {
    const auto counted = planNetwork(experiment.network, request, options);
    options.fuses = fusionOf(session);
    auto plan = planNetwork(experiment.network, request, options);
    if (!counted || !plan)
        return std::nullopt; // its error is said where it is run
    const std::int64_t beyond = plan->bytes() - counted->bytes();
    return SessionPlan{std::move(*plan), beyond};
}

/// Of the network itself, and of those that measure beside it on a dataset.
ImplementationMemory networkMemory(const NetworkExperiment& experiment, Session& session,
                                   const std::optional<ExampleCounts>& examples) {
    const auto own = planFor(experiment, networkRequest(experiment), planOptions(experiment), session);
    if (!own)
        return {};
    SequenceMemory memory = memoryOf(own->plan, session);
    std::int64_t beyond = own->beyond;
    for (const std::int64_t batch : batchesBeside(experiment, examples))
        if (const auto measuring = planFor(experiment, {batch}, measuringOptions(experiment), session)) {
            const SequenceMemory more = memoryOf(measuring->plan, session);
            beyond += measuring->beyond;
            memory.added += more.added;
            memory.largest = std::max(memory.largest, more.largest);
            memory.sum += more.sum;
            memory.read += more.read;
        }
    const std::size_t read = experiment.task == Task::Infer ? memory.read : 0;
    return {beyond + static_cast<std::int64_t>(memory.added),
            static_cast<std::int64_t>((session.sharesWorkspace() ? memory.largest : memory.sum) + read)};
}

/// What whole pages add to the operands of a product or of a pooling, each of which is a buffer by itself.
std::int64_t pagesOfOperands(const ExperimentSpec& pointSpec, const Shape4& srcShape) {
    std::vector<std::optional<std::int64_t>> counts;
    if (pointSpec.kind == ExperimentKind::Matmul) {
        const MatmulSpec& p = pointSpec.matmul;
        counts = {checkedMul(p.m, p.k), checkedMul(p.k, p.n), checkedMul(p.m, p.n)};
    } else if (const auto dstShape = poolOutputShape(pointSpec.pooling.params, srcShape);
               dstShape && onWholeImages(pointSpec)) {
        counts = {srcShape.elements(), dstShape->elements()};
        if (pointSpec.pooling.backward)
            counts.insert(counts.end(), {srcShape.elements(), dstShape->elements()});
    }
    std::int64_t bytes = 0;
    for (const auto& count : counts)
        if (const auto size = count ? checkedMul(*count, sizeof(float)) : std::nullopt)
            bytes = saturatingAdd(
                bytes, static_cast<std::int64_t>(hostBufferBytes(static_cast<std::size_t>(*size))) - *size);
    return bytes;
}

/// Whether a target of the study computes the reference that results are compared with.
bool isComputedAnyway(const ExperimentSpec& pointSpec) {
    return std::any_of(pointSpec.targets.begin(), pointSpec.targets.end(),
                       [&](const Target& target) { return Reference::isComputedBy(target, pointSpec); });
}

} // namespace

std::int64_t allowedBytes(const DeviceInfo& device, std::int64_t limit) {
    if (limit > 0)
        return limit;
    return static_cast<std::int64_t>(kUsableShare * static_cast<double>(device.memoryFreeBytes));
}

ImplementationMemory implementationMemory(const ExperimentSpec& pointSpec, const Shape4& srcShape,
                                          Session& session, const std::optional<ExampleCounts>& examples) {
    if (pointSpec.kind == ExperimentKind::Network)
        return networkMemory(pointSpec.network, session, examples);
    std::size_t bytes = 0;
    for (const Op& op : workOps(pointSpec, srcShape)) // all are prepared at once
        bytes += session.supports(op).supported ? session.workspaceBytes(op) : 0;
    const bool onHost = session.device().kind == "cpu";
    return {onHost ? pagesOfOperands(pointSpec, srcShape) : 0, static_cast<std::int64_t>(bytes)};
}

std::int64_t referenceBytes(const ExperimentSpec& pointSpec, const PointEstimate& estimate) {
    if (pointSpec.kind != ExperimentKind::Network)
        return saturatingAdd(saturatingAdd(estimate.srcBytes, estimate.dstBytes),
                             saturatingAdd(estimate.gradientBytes, estimate.resultBytes));
    // Images that are made are written before there are results; a training's batch stays.
    const std::int64_t onHost =
        pointSpec.network.data.isDataset()
            ? saturatingAdd(estimate.readBytes, pointSpec.network.trainsOnDataset() ? estimate.srcBytes : 0)
            : std::max(estimate.readBytes, estimate.srcBytes);
    return saturatingAdd(onHost, estimate.deviceBytes);
}

std::int64_t comparisonBytes(const ExperimentSpec& pointSpec, const PointEstimate& estimate) {
    return isComputedAnyway(pointSpec) ? 0 : referenceBytes(pointSpec, estimate);
}

bool keepsReference(const Target& target, const ExperimentSpec& pointSpec) {
    return isComputedAnyway(pointSpec) && !Reference::isComputedBy(target, pointSpec);
}

bool mayRead(const PointEstimate& estimate) {
    return estimate.readingBytes <= MemoryBudget().allowedBytes();
}

std::int64_t MemoryNeed::ofHost() const {
    return saturatingAdd(hostBytes, onHost ? deviceBytes : 0);
}

MemoryNeed memoryNeed(const PointEstimate& estimate, std::int64_t reference,
                      const ImplementationMemory& beside, bool onHost) {
    const std::int64_t device =
        saturatingAdd(saturatingAdd(estimate.deviceBytes, beside.tensors), beside.scratch);
    // On the processor scratch memory takes the place of the weights that were made and written before it.
    const std::int64_t replaced = onHost && !estimate.weightsComeLast ? beside.scratch : 0;
    const std::int64_t values =
        std::max(estimate.hostRunBytes, estimate.hostBytes - replaced) - estimate.referenceCopyBytes;
    const std::int64_t host = saturatingAdd(saturatingAdd(values, reference), estimate.datasetBytes);
    // While a dataset is read nothing else is there yet.
    const std::int64_t reading =
        estimate.readingBytes - (onHost ? std::min(device, estimate.readingBytes) : 0);
    return {std::max(host, reading), host, device, onHost};
}

MemoryNeed memoryNeed(const ExperimentSpec& pointSpec, const PointEstimate& estimate, Session& session,
                      bool keepsReference) {
    const bool onHost = session.device().kind == "cpu";
    const std::int64_t stacks = onHost ? threadStackBytes(session.parallelism()) : 0;
    const std::int64_t reference = keepsReference ? estimate.resultBytes : 0;
    const std::int64_t flush = pointSpec.sampling.cache == CacheState::Flush
                                   ? static_cast<std::int64_t>(session.cacheFlushBytes())
                                   : 0;
    ImplementationMemory beside = implementationMemory(pointSpec, estimate.src, session, estimate.examples);
    beside.scratch = saturatingAdd(saturatingAdd(beside.scratch, stacks), flush);
    return memoryNeed(estimate, reference, beside, onHost);
}

void addDataset(PointEstimate& estimate, const ExperimentSpec& pointSpec) {
    const DatasetMemory memory = datasetMemory(pointSpec);
    if (memory.examples)
        if (auto known = estimatePoint(pointSpec, std::nullopt, memory.examples))
            estimate = *known;
    estimate.datasetBytes = memory.held;
    estimate.readingBytes = memory.reading;
}

NeedOf hostNeedOf(Session& session, bool keepsReference, const PointEstimate& estimate) {
    return [&session, keepsReference, examples = estimate.examples, dataset = estimate.datasetBytes,
            reading = estimate.readingBytes](const ExperimentSpec& spec) -> std::optional<std::int64_t> {
        auto other = estimatePoint(spec, std::nullopt, examples);
        if (!other)
            return std::nullopt;
        other->datasetBytes = dataset;
        other->readingBytes = reading;
        return memoryNeed(spec, *other, session, keepsReference).ofHost();
    };
}

NeedOf deviceNeedOf(Session& session, const PointEstimate& estimate) {
    return
        [&session, examples = estimate.examples](const ExperimentSpec& spec) -> std::optional<std::int64_t> {
            const auto other = estimatePoint(spec, std::nullopt, examples);
            if (!other)
                return std::nullopt;
            return memoryNeed(spec, *other, session, false).deviceBytes;
        };
}

std::string memoryRefusal(const ExperimentSpec& pointSpec, std::int64_t need, std::int64_t allowed,
                          const NeedOf& needOf) {
    if (need <= allowed)
        return {};
    return say(failure_words::kNeeds, {formatBytesUnlike(need, allowed), formatBytesUnlike(allowed, need)})
               .text() +
           "; " + whatWouldFit(pointSpec, need, allowed, needOf);
}

} // namespace heteroscope::compute
