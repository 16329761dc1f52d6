// SPDX-License-Identifier: Apache-2.0
// Work that runs one or two operations on resident operands: pooling of whole images, matrix products.
#include "compute/exec/op_work.h"

#include "compute/base/activity.h"

#include <algorithm>

namespace heteroscope::compute {

Error stoppedError() {
    return Error{ErrorCode::Cancelled, "stopped before its end", {}, {}, {}};
}

std::vector<DeviceBuffer*> bufferPointers(const std::vector<std::unique_ptr<DeviceBuffer>>& buffers) {
    std::vector<DeviceBuffer*> pointers;
    pointers.reserve(buffers.size());
    for (const auto& buffer : buffers)
        pointers.push_back(buffer.get());
    return pointers;
}

Result<std::unique_ptr<DeviceBuffer>> uploadedBuffer(Session& session, const std::vector<float>& values) {
    const std::size_t bytes = values.size() * sizeof(float);
    auto buffer = session.allocate(bytes);
    if (!buffer)
        return buffer.error();
    if (const Status status = session.upload(**buffer, values.data(), bytes); !status)
        return status.error();
    return std::move(*buffer);
}

OpWork::OpWork(Session& session, std::vector<OpStep> steps, std::vector<const std::vector<float>*> inputs,
               std::vector<OpResult> results)
    : m_session(session),
      m_steps(std::move(steps)),
      m_inputs(std::move(inputs)),
      m_results(std::move(results)) {}

Status OpWork::allocate() {
    m_buffers.clear();
    for (const std::vector<float>* input : m_inputs) {
        auto buffer = uploadedBuffer(m_session, *input);
        if (!buffer)
            return buffer.error();
        m_buffers.push_back(std::move(*buffer));
    }
    for (const OpResult& result : m_results) {
        auto buffer = m_session.allocate(static_cast<std::size_t>(*result.shape.bytes()));
        if (!buffer)
            return buffer.error();
        m_buffers.push_back(std::move(*buffer));
    }
    return m_session.synchronize();
}

std::string OpWork::stepNames() const {
    std::string names;
    for (const OpStep& step : m_steps)
        names += (names.empty() ? "" : ", ") + opName(step.op);
    return names;
}

Status OpWork::prepare() {
    m_prepared.clear();
    m_doing = stepNames();
    for (const OpStep& step : m_steps) {
        setActivityStep(opName(step.op));
        auto prepared = m_session.prepare(step.op);
        if (!prepared)
            return prepared.error();
        m_prepared.push_back(std::move(*prepared));
    }
    return {};
}

Status OpWork::runStep(std::size_t step, OpObserver* observer) {
    std::vector<DeviceBuffer*>& src = m_src;
    src.clear();
    for (const std::size_t operand : m_steps[step].src)
        src.push_back(m_buffers[operand].get());
    DeviceBuffer* dst = m_buffers[m_steps[step].dst].get();
    return m_prepared[step]->run(src, {&dst, 1}, observer);
}

/// What runs is noted once for all repetitions: some of them take less than the noting.
Status OpWork::repeat(int repetitions, const RepeatContext& context) {
    setActivityStep(m_doing);
    for (int i = 0; i < repetitions; ++i) {
        if (context.stopped())
            return stoppedError();
        for (std::size_t step = 0; step < m_steps.size(); ++step)
            if (const Status status = runStep(step, context.observer); !status)
                return status;
    }
    return m_session.synchronize();
}

std::vector<std::string> OpWork::parts() const {
    std::vector<std::string> names;
    if (m_steps.size() > 1)
        for (const OpStep& step : m_steps)
            names.push_back(step.name);
    return names;
}

Status OpWork::repeatPart(std::size_t part, int repetitions, const RepeatContext& context) {
    setActivityStep(opName(m_steps[part].op));
    for (int i = 0; i < repetitions; ++i) {
        if (context.stopped())
            return stoppedError();
        if (const Status status = runStep(part, context.observer); !status)
            return status;
    }
    return m_session.synchronize();
}

Result<std::vector<OutputTensor>> OpWork::outputs() {
    std::vector<OutputTensor> tensors;
    for (std::size_t i = 0; i < m_results.size(); ++i) {
        OutputTensor tensor{m_results[i].name, m_results[i].shape, {}, errorFloorOf(m_inputs.size() + i)};
        tensor.values.resize(static_cast<std::size_t>(*tensor.shape.elements()));
        DeviceBuffer& buffer = *m_buffers[m_inputs.size() + i];
        if (const Status status =
                m_session.download(tensor.values.data(), buffer, tensor.values.size() * sizeof(float));
            !status)
            return status.error();
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

double OpWork::errorFloorOf(std::size_t operand) const {
    const auto writes = [&](const OpStep& step) { return step.dst == operand; };
    const auto step = std::find_if(m_steps.begin(), m_steps.end(), writes);
    const auto* const pooling = step == m_steps.end() ? nullptr : std::get_if<PoolForward>(&step->op);
    const bool copies = pooling != nullptr && pooling->params.mode == PoolMode::Max;
    return copies ? 0.0 : kSumErrorFloor;
}

std::string OpWork::implementation() const {
    std::string names;
    for (const auto& prepared : m_prepared)
        if (names.find(prepared->implementation()) == std::string::npos)
            names += (names.empty() ? "" : ", ") + prepared->implementation();
    return names;
}

} // namespace heteroscope::compute
