// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/network_sequence.h"

#include "compute/model/memory_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heteroscope::compute {
namespace {

bool overlap(const PlanTensor& a, const PlanTensor& b) {
    return a.block == b.block && a.offset < b.offset + b.elements && b.offset < a.offset + a.elements;
}

MemoryUse useOf(const NetworkPlan& plan, const PlanTensor& tensor) {
    if (tensor.block == Block::Activations)
        return MemoryUse::Inner;
    const auto writesIt = [&](int written) {
        return overlap(plan.tensors[static_cast<std::size_t>(written)], tensor);
    };
    const bool isWritten = std::any_of(plan.steps.begin(), plan.steps.end(), [&](const PlanStep& step) {
        return std::any_of(step.dst.begin(), step.dst.end(), writesIt);
    });
    return isWritten ? MemoryUse::Shared : MemoryUse::Constant;
}

} // namespace

OpSequence sequenceOf(const NetworkPlan& plan) {
    OpSequence sequence;
    for (const PlanTensor& tensor : plan.tensors)
        sequence.memory.push_back({tensor.name, tensor.elements, useOf(plan, tensor)});
    const auto memoryOf = [&plan](std::vector<int> numbers) {
        for (int& number : numbers)
            number = plan.tensors[static_cast<std::size_t>(number)].memory;
        return numbers;
    };
    for (const PlanStep& step : plan.steps) {
        SequenceStep& made = sequence.steps.emplace_back();
        made.src = memoryOf(step.src);
        made.dst = memoryOf(step.dst);
        made.chain = step.chain.empty() ? OpChain{{step.op, made.src, made.dst}} : step.chain;
    }
    return sequence;
}

AddedPlaces placeAddedMemory(const NetworkPlan& plan, const SequencePlan& sequence) {
    const int own = static_cast<int>(sequence.sequence().memory.size());
    const int last = static_cast<int>(sequence.ops().size());
    std::vector<Lifetime> lives;
    for (const std::size_t bytes : sequence.addedBytes())
        lives.push_back({static_cast<std::int64_t>((bytes + sizeof(float) - 1) / sizeof(float)), last, 0, 0});
    std::vector<std::optional<Phase>> writtenIn(lives.size());
    for (int i = 0; i < last; ++i) {
        const PlannedOp& op = sequence.ops()[static_cast<std::size_t>(i)];
        const Phase phase = plan.steps[op.step].phase;
        for (const auto* side : {&op.dst, &op.src})
            for (const int memory : *side)
                if (memory >= own) {
                    const auto number = static_cast<std::size_t>(memory - own);
                    std::optional<Phase>& first = writtenIn[number];
                    first = first.value_or(phase);
                    Lifetime& life = lives[number];
                    life.first = op.onlyAfterWrite ? 0 : std::min(life.first, i);
                    life.last = op.onlyAfterWrite || *first != phase ? last : std::max(life.last, i);
                }
    }
    AddedPlaces places;
    places.elements = placeTensors(lives, kTensorAlignment);
    for (const Lifetime& life : lives)
        places.offsets.push_back(life.offset);
    return places;
}

} // namespace heteroscope::compute
