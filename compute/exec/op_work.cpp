// SPDX-License-Identifier: Apache-2.0
// Work that runs one or two operations on resident operands: pooling of whole images, matrix products.
#include "compute/exec/op_work.h"

#include "compute/base/activity.h"
#include "compute/base/clock.h"
#include "compute/base/failure_words.h"
#include "compute/base/statistics.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kLaunchedBatches = 21;
constexpr double kLaunchedBatchMs = 2.0; // beside waiting for the device, some 10 us
constexpr int kMostLaunched = 1 << 14;

} // namespace

Error stoppedError() {
    return Error{ErrorCode::Cancelled, failure_words::kNotEnded, {}, {}, {}};
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
    m_recorded.clear(); // they know the buffers
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
    m_recorded.clear();
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

Status OpWork::runSteps(StepRange steps, OpObserver* observer) {
    for (std::size_t step = steps.first; step < steps.second; ++step)
        if (const Status status = runStep(step, observer); !status)
            return status;
    return {};
}

/// What runs is noted once for all repetitions: some of them take less than the noting.
Status OpWork::repeat(int repetitions, const RepeatContext& context) {
    setActivityStep(m_doing);
    return repeatSteps({0, m_steps.size()}, repetitions, context);
}

Status OpWork::repeatSteps(StepRange steps, int repetitions, const RepeatContext& context) {
    if (context.observer == nullptr && m_recorded.contains(steps))
        return replaySteps(steps, repetitions, context);
    return launchSteps(steps, repetitions, context);
}

Status OpWork::launchSteps(StepRange steps, int repetitions, const RepeatContext& context) {
    for (int i = 0; i < repetitions; ++i) {
        if (context.stopped())
            return stoppedError();
        if (const Status status = runSteps(steps, context.observer); !status)
            return status;
    }
    return m_session.synchronize();
}

Status OpWork::replaySteps(StepRange steps, int repetitions, const RepeatContext& context) {
    RecordedRepetitions& recorded = m_recorded.at(steps);
    for (int left = repetitions; left > 0; left -= RecordedRepetitions::perLaunch(left)) {
        if (context.stopped())
            return stoppedError();
        if (const Status status = recorded.launch(left); !status)
            return status;
    }
    return m_session.synchronize();
}

/// The results are those of a recording where there is one, which is therefore what is checked.
Status OpWork::firstUse(const RepeatContext& context) {
    if (const Status status = repeat(1, context); !status || !m_session.recordsRepetitions())
        return status;
    if (const Status status = record(); !status)
        return status;
    return repeat(1, context);
}

Status OpWork::record() {
    std::vector<StepRange> ranges{{0, m_steps.size()}};
    if (m_steps.size() > 1)
        for (std::size_t step = 0; step < m_steps.size(); ++step)
            ranges.emplace_back(step, step + 1);
    for (const StepRange& steps : ranges) {
        RecordedRepetitions recorded;
        if (const Status status = recorded.record(m_session, [&] { return runSteps(steps, nullptr); });
            !status)
            return status;
        m_recorded.emplace(steps, std::move(recorded));
    }
    return {};
}

/// Batches as long as those of a sample, so that waiting for their end counts as little.
Status OpWork::measureExtras(const RepeatContext& context) {
    if (m_recorded.empty())
        return {};
    std::vector<double> times;
    for (int repetitions = 1; times.size() < kLaunchedBatches;) {
        const std::int64_t start = steadyNowNs();
        if (const Status status = launchSteps({0, m_steps.size()}, repetitions, context); !status)
            return status;
        const auto ms = static_cast<double>(steadyNowNs() - start) * 1e-6;
        if (ms < kLaunchedBatchMs && repetitions < kMostLaunched)
            repetitions *= 2;
        else
            times.push_back(ms / repetitions);
    }
    std::sort(times.begin(), times.end());
    m_metrics["launched_ms"] = quantileSorted(times, 0.5);
    return {};
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
    return repeatSteps({part, part + 1}, repetitions, context);
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
    return names + (m_recorded.empty() ? "" : ", repetitions:graph");
}

} // namespace heteroscope::compute
