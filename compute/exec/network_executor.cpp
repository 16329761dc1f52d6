// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/network_executor.h"

#include "compute/base/activity.h"
#include "compute/exec/network_sequence.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute {

namespace {

constexpr const char* kBlockNames[kBlocks] = {"activations",    "parameters",   "gradients", "first moments",
                                              "second moments", "layer states", "inputs"};
constexpr std::int64_t kZeroChunk = std::int64_t{1} << 20;

std::string layerPlace(const NetworkPlan& plan, const PlanStep& step) {
    if (step.layer < 0)
        return phaseName(step.phase);
    const std::string& name = plan.network.layers[static_cast<std::size_t>(step.layer)].spec.name;
    return say(activity_step::kLayer, {name}).text();
}

bool isShared(Block block) {
    return block == Block::Parameters || block == Block::States;
}

constexpr std::uint64_t kNever = UINT64_MAX;

} // namespace

NetworkExecutor::NetworkExecutor(Session& session, NetworkPlan plan, NetworkExecutor* shared)
    : m_session(session), m_plan(std::move(plan)), m_shared(shared) {}

bool NetworkExecutor::borrows(Block block) const {
    return m_shared != nullptr && isShared(block);
}

DeviceBuffer& NetworkExecutor::block(Block block) {
    return borrows(block) ? m_shared->block(block) : *m_blocks[static_cast<std::size_t>(block)];
}

Status NetworkExecutor::zero(DeviceBuffer& buffer, std::int64_t elements) {
    const std::vector<float> zeros(static_cast<std::size_t>(std::min(elements, kZeroChunk)));
    for (std::int64_t at = 0; at < elements; at += kZeroChunk) {
        const auto bytes = static_cast<std::size_t>(std::min(elements - at, kZeroChunk)) * sizeof(float);
        BufferView part(buffer, static_cast<std::size_t>(at) * sizeof(float), bytes);
        if (const Status status = m_session.upload(part, zeros.data(), bytes); !status)
            return status;
    }
    return {};
}

Status NetworkExecutor::allocateBlock(std::int64_t elements, const char* name,
                                      std::unique_ptr<DeviceBuffer>& into) {
    auto buffer = m_session.allocate(static_cast<std::size_t>(elements) * sizeof(float));
    if (!buffer) {
        Error error = buffer.error();
        error.where = error.where.empty() ? name : error.where + ", " + name;
        return error;
    }
    into = std::move(*buffer);
    return zero(*into, elements);
}

Status NetworkExecutor::allocateAdded() {
    m_added.clear();
    m_addedBlock.reset(); // before another one is allocated
    const AddedPlaces places = placeAddedMemory(m_plan, *m_sequence);
    if (places.offsets.empty())
        return {};
    if (const Status status = allocateBlock(places.elements, "operands in other layouts", m_addedBlock);
        !status)
        return status;
    for (std::size_t i = 0; i < places.offsets.size(); ++i)
        m_added.push_back(std::make_unique<BufferView>(
            *m_addedBlock, static_cast<std::size_t>(places.offsets[i]) * sizeof(float),
            m_sequence->addedBytes()[i]));
    return {};
}

Status NetworkExecutor::allocate() {
    m_prepared.clear();
    m_readers.clear();
    m_sequence = m_session.planSequence(sequenceOf(m_plan));
    m_tensorWrites.assign(m_plan.tensors.size(), 0);
    m_tensors.clear();
    m_blocks.clear();
    for (std::size_t number = 0; number < kBlocks; ++number) {
        std::unique_ptr<DeviceBuffer>& buffer = m_blocks.emplace_back();
        if (borrows(static_cast<Block>(number)))
            continue;
        if (const Status status = allocateBlock(m_plan.blockElements[number], kBlockNames[number], buffer);
            !status)
            return status;
    }
    for (const PlanTensor& tensor : m_plan.tensors)
        m_tensors.push_back(std::make_unique<BufferView>(
            block(tensor.block), static_cast<std::size_t>(tensor.offset) * sizeof(float),
            static_cast<std::size_t>(tensor.elements) * sizeof(float)));
    if (const Status status = allocateAdded(); !status)
        return status;
    return m_session.synchronize();
}

Status NetworkExecutor::clear(Block which) {
    ++writesOfBlock(which);
    return zero(block(which), m_plan.elementsOf(which));
}

Status NetworkExecutor::prepare() {
    m_prepared.clear();
    m_places.clear();
    m_ranAfter.assign(m_sequence->ops().size(), kNever);
    for (std::size_t i = 0; i < m_sequence->ops().size(); ++i) {
        const PlannedOp& op = m_sequence->ops()[i];
        const PlanStep& step = stepOf(op);
        m_places.push_back(layerPlace(m_plan, step) + ", " +
                           (op.reorder.empty() ? opName(step.op) : "reorder " + op.reorder));
        setActivityStep(m_places.back());
        auto prepared = m_sequence->prepare(i);
        if (!prepared) {
            Error error = prepared.error();
            error.where = layerPlace(m_plan, step) + (error.where.empty() ? "" : ", " + error.where);
            return error;
        }
        m_prepared.push_back(std::move(*prepared));
    }
    return {};
}

std::uint64_t& NetworkExecutor::writesOfBlock(Block block) {
    return borrows(block) ? m_shared->writesOfBlock(block) : m_blockWrites[static_cast<std::size_t>(block)];
}

std::uint64_t NetworkExecutor::writesOf(int number) {
    const Block block = m_plan.tensors[static_cast<std::size_t>(number)].block;
    return writesOfBlock(block) + m_tensorWrites[static_cast<std::size_t>(number)];
}

std::uint64_t NetworkExecutor::writesOfOperands(std::size_t number) {
    std::uint64_t writes = 0;
    for (const int memory : m_sequence->ops()[number].src)
        writes += writesOf(memory);
    return writes;
}

bool NetworkExecutor::isDue(std::size_t number) {
    return !m_sequence->ops()[number].onlyAfterWrite || m_ranAfter[number] != writesOfOperands(number);
}

DeviceBuffer* NetworkExecutor::memory(int number) {
    const auto at = static_cast<std::size_t>(number);
    return at < m_tensors.size() ? m_tensors[at].get() : m_added[at - m_tensors.size()].get();
}

Status NetworkExecutor::runOp(std::size_t number, OpObserver* observer) {
    const PlannedOp& op = m_sequence->ops()[number];
    m_src.clear();
    m_dst.clear();
    for (const int at : op.src)
        m_src.push_back(memory(at));
    for (const int at : op.dst)
        m_dst.push_back(memory(at));
    for (const int at : stepOf(op).dst)
        if (const Block block = m_plan.tensors[static_cast<std::size_t>(at)].block; isShared(block))
            ++writesOfBlock(block);
    setActivityStep(m_places[number]);
    return m_prepared[number]->run(m_src, m_dst, observer);
}

/// A reorder belongs to the layer of its step: it is a part of the layer's span with a span of its own.
Status NetworkExecutor::run(Phase phase, OpObserver* observer) {
    int layer = -1;
    Status status;
    for (std::size_t i = 0; i < m_sequence->ops().size() && status; ++i) {
        const PlanStep& step = stepOf(m_sequence->ops()[i]);
        if (step.phase != phase || !isDue(i))
            continue;
        if (observer != nullptr && step.layer != layer) {
            if (layer >= 0)
                observer->layerEnd();
            layer = step.layer;
            if (layer >= 0)
                observer->layerBegin(m_plan.network.layers[static_cast<std::size_t>(layer)].spec.name,
                                     phaseName(phase));
        }
        const bool once = m_sequence->ops()[i].onlyAfterWrite;
        const std::uint64_t writes = once ? writesOfOperands(i) : 0;
        status = runOp(i, observer);
        if (once && status)
            m_ranAfter[i] = writes; // what failed is due again
    }
    if (observer != nullptr && layer >= 0)
        observer->layerEnd();
    return status;
}

Result<NetworkExecutor::Reader*> NetworkExecutor::readerOf(int number) {
    const int memory = m_plan.tensors[static_cast<std::size_t>(number)].memory;
    const auto [found, isNew] = m_readers.try_emplace(memory);
    Reader& reader = found->second;
    if (!isNew)
        return &reader;
    auto reorder = m_sequence->prepareRead(memory);
    if (reorder && *reorder != nullptr) {
        auto plain = m_session.allocate(tensor(number).bytes());
        if (plain) {
            reader.plain = std::move(*plain);
            reader.reorder = std::move(*reorder);
            return &reader;
        }
        m_readers.erase(found);
        return plain.error();
    }
    if (reorder)
        return &reader;
    m_readers.erase(found);
    return reorder.error();
}

Status NetworkExecutor::write(int number, std::span<const float> values) {
    BufferView& to = tensor(number);
    const PlanTensor& planned = m_plan.tensors[static_cast<std::size_t>(number)];
    if (values.size_bytes() != to.bytes())
        return badInput("tensor '" + planned.name + "'",
                        "found " + std::to_string(values.size()) + " elements",
                        std::to_string(to.bytes() / sizeof(float)) + " elements");
    const auto reader = readerOf(number);
    if (!reader)
        return reader.error();
    if ((*reader)->reorder != nullptr)
        return badInput("tensor '" + planned.name + "'", "it lies in a layout of the implementation's own",
                        "an input, a parameter or a state");
    ++m_tensorWrites[static_cast<std::size_t>(planned.memory)];
    if (isShared(planned.block))
        ++writesOfBlock(planned.block);
    return m_session.upload(to, values.data(), values.size_bytes());
}

Result<std::vector<float>> NetworkExecutor::read(int number) {
    DeviceBuffer* from = &tensor(number);
    std::vector<float> values(from->bytes() / sizeof(float));
    const auto reader = readerOf(number);
    if (!reader)
        return reader.error();
    if ((*reader)->reorder != nullptr) {
        DeviceBuffer* const plain = (*reader)->plain.get();
        if (const Status status = (*reader)->reorder->run({&from, 1}, {&plain, 1}, nullptr); !status)
            return status.error();
        from = plain;
    }
    if (const Status status = m_session.download(values.data(), *from, values.size() * sizeof(float));
        !status)
        return status.error();
    if (const Status status = m_session.synchronize(); !status)
        return status.error();
    return values;
}

std::string NetworkExecutor::implementation() const {
    std::vector<std::string> names;
    for (const auto& prepared : m_prepared)
        if (std::find(names.begin(), names.end(), prepared->implementation()) == names.end())
            names.push_back(prepared->implementation());
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

FusesChain fusionOf(const Session& session) {
    return [&session](const OpChain& chain, const std::vector<int>& results) {
        return session.supportsChain(chain, results).supported;
    };
}

std::string networkRefusal(const Session& session, const NetworkPlan& plan) {
    for (const PlanStep& step : plan.steps)
        if (const Support support = session.supports(step.op); !support.supported)
            return layerPlace(plan, step) + ": " + support.reason;
    return {};
}

} // namespace heteroscope::compute
