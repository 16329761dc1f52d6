// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/network_executor.h"

#include "compute/base/activity.h"

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
    return "layer \"" + plan.network.layers[static_cast<std::size_t>(step.layer)].spec.name + "\"";
}

} // namespace

NetworkExecutor::NetworkExecutor(Session& session, NetworkPlan plan, NetworkExecutor* shared)
    : m_session(session), m_plan(std::move(plan)), m_shared(shared) {}

bool NetworkExecutor::borrows(Block block) const {
    return m_shared != nullptr && (block == Block::Parameters || block == Block::States);
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

Status NetworkExecutor::allocate() {
    if (m_shared == nullptr)
        m_session.keepLayouts(operationsOf(m_plan));
    m_tensors.clear();
    m_blocks.clear();
    for (std::size_t number = 0; number < kBlocks; ++number) {
        const std::int64_t elements = m_plan.blockElements[number];
        if (borrows(static_cast<Block>(number))) {
            m_blocks.emplace_back();
            continue;
        }
        auto buffer = m_session.allocate(static_cast<std::size_t>(elements) * sizeof(float));
        if (!buffer) {
            Error error = buffer.error();
            error.where =
                error.where.empty() ? kBlockNames[number] : error.where + ", " + kBlockNames[number];
            return error;
        }
        if (const Status status = zero(**buffer, elements); !status)
            return status;
        m_blocks.push_back(std::move(*buffer));
    }
    for (const PlanTensor& tensor : m_plan.tensors)
        m_tensors.push_back(std::make_unique<BufferView>(
            block(tensor.block), static_cast<std::size_t>(tensor.offset) * sizeof(float),
            static_cast<std::size_t>(tensor.elements) * sizeof(float)));
    return m_session.synchronize();
}

Status NetworkExecutor::clear(Block which) {
    return zero(block(which), m_plan.elementsOf(which));
}

Status NetworkExecutor::prepare() {
    m_prepared.clear();
    m_places.clear();
    for (const PlanStep& step : m_plan.steps) {
        m_places.push_back(layerPlace(m_plan, step) + ", " + opName(step.op));
        setActivityStep(m_places.back());
        auto prepared = step.chain.empty() ? m_session.prepare(step.op)
                                           : m_session.prepareChain(step.chain, step.src, step.dst);
        if (!prepared) {
            Error error = prepared.error();
            error.where = layerPlace(m_plan, step) + (error.where.empty() ? "" : ", " + error.where);
            return error;
        }
        m_prepared.push_back(std::move(*prepared));
    }
    return {};
}

Status NetworkExecutor::run(Phase phase, OpObserver* observer) {
    int layer = -1;
    Status status;
    for (std::size_t i = 0; i < m_plan.steps.size() && status; ++i) {
        const PlanStep& step = m_plan.steps[i];
        if (step.phase != phase)
            continue;
        m_src.clear();
        m_dst.clear();
        for (const int number : step.src)
            m_src.push_back(&tensor(number));
        for (const int number : step.dst)
            m_dst.push_back(&tensor(number));
        if (observer != nullptr && step.layer != layer) {
            if (layer >= 0)
                observer->layerEnd();
            layer = step.layer;
            if (layer >= 0)
                observer->layerBegin(m_plan.network.layers[static_cast<std::size_t>(layer)].spec.name,
                                     phaseName(phase));
        }
        setActivityStep(m_places[i]);
        status = m_prepared[i]->run(m_src, m_dst, observer);
    }
    if (observer != nullptr && layer >= 0)
        observer->layerEnd();
    return status;
}

Status NetworkExecutor::write(int number, std::span<const float> values) {
    BufferView& to = tensor(number);
    if (values.size_bytes() != to.bytes())
        return badInput("tensor '" + m_plan.tensors[static_cast<std::size_t>(number)].name + "'",
                        "found " + std::to_string(values.size()) + " elements",
                        std::to_string(to.bytes() / sizeof(float)) + " elements");
    return m_session.upload(to, values.data(), values.size_bytes());
}

Result<std::vector<float>> NetworkExecutor::read(int number) {
    BufferView& from = tensor(number);
    std::vector<float> values(from.bytes() / sizeof(float));
    if (const Status status = m_session.download(values.data(), from, from.bytes()); !status)
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

std::vector<Op> operationsOf(const NetworkPlan& plan) {
    std::vector<Op> all;
    for (const PlanStep& step : plan.steps) {
        if (step.chain.empty())
            all.push_back(step.op);
        for (const LinkedOp& linked : step.chain)
            all.push_back(linked.op);
    }
    return all;
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
