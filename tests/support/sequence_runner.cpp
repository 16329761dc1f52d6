// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sequence_runner.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute {

SequenceRunner::SequenceRunner(Session& session, OpSequence sequence)
    : m_session(session), m_plan(session.planSequence(std::move(sequence))) {}

std::size_t SequenceRunner::opOf(std::size_t step) const {
    const auto& ops = m_plan->ops();
    const auto found = std::find_if(
        ops.begin(), ops.end(), [&](const PlannedOp& op) { return op.step == step && op.reorder.empty(); });
    return static_cast<std::size_t>(found - ops.begin());
}

Status SequenceRunner::prepare(std::size_t steps) {
    std::vector<std::size_t> bytes;
    for (const SequenceMemory& one : m_plan->sequence().memory)
        bytes.push_back(static_cast<std::size_t>(one.elements) * sizeof(float));
    bytes.insert(bytes.end(), m_plan->addedBytes().begin(), m_plan->addedBytes().end());
    for (const std::size_t size : bytes) {
        auto buffer = m_session.allocate(size);
        if (!buffer)
            return buffer.error();
        m_memory.push_back(std::move(*buffer));
    }
    for (std::size_t i = 0; i < m_plan->ops().size() && m_plan->ops()[i].step < steps; ++i) {
        auto prepared = m_plan->prepare(i);
        if (!prepared)
            return prepared.error();
        m_prepared.push_back(std::move(*prepared));
    }
    return {};
}

Status SequenceRunner::write(int number, const std::vector<float>& values) {
    return m_session.upload(memory(number), values.data(), values.size() * sizeof(float));
}

Result<std::vector<float>> SequenceRunner::read(int number) {
    DeviceBuffer* from = &memory(number);
    std::vector<float> values(from->bytes() / sizeof(float));
    auto reorder = m_plan->prepareRead(number);
    if (!reorder)
        return reorder.error();
    std::unique_ptr<DeviceBuffer> plain;
    if (*reorder != nullptr) {
        auto buffer = m_session.allocate(from->bytes());
        if (!buffer)
            return buffer.error();
        plain = std::move(*buffer);
        DeviceBuffer* const to = plain.get();
        if (const Status status = (*reorder)->run({&from, 1}, {&to, 1}, nullptr); !status)
            return status.error();
        from = to;
    }
    if (const Status status = m_session.download(values.data(), *from, from->bytes()); !status)
        return status.error();
    return values;
}

Status SequenceRunner::run(std::size_t number, OpObserver* observer) {
    const PlannedOp& op = m_plan->ops()[number];
    std::vector<DeviceBuffer*> src, dst;
    for (const int at : op.src)
        src.push_back(&memory(at));
    for (const int at : op.dst)
        dst.push_back(&memory(at));
    return m_prepared[number]->run(src, dst, observer);
}

Status SequenceRunner::runAll(OpObserver* observer) {
    for (std::size_t i = 0; i < m_prepared.size(); ++i)
        if (const Status status = run(i, observer); !status)
            return status;
    return m_session.synchronize();
}

} // namespace heteroscope::compute
