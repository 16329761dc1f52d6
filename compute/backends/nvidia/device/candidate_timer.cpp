// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/candidate_timer.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute::nvidia {

CandidateTimer::~CandidateTimer() {
    for (const cudaEvent_t event : m_events)
        if (event != nullptr)
            cudaEventDestroy(event);
}

Status CandidateTimer::start(std::span<const std::size_t> bytes) {
    for (const std::size_t size : bytes) {
        std::unique_ptr<DeviceBuffer>& buffer = m_memory.emplace_back();
        if (size == 0)
            continue;
        auto memory = m_session.allocateFor(size, "timing " + m_what + " (?benchmark=on)");
        if (!memory)
            return memory.error();
        buffer = std::move(*memory);
        if (const Status status = ran(cudaMemsetAsync(buffer->devicePointer(), 0, size, m_session.stream()));
            !status)
            return status;
    }
    for (cudaEvent_t& event : m_events)
        if (const Status status = ran(cudaEventCreate(&event)); !status)
            return status;
    return {};
}

Result<std::optional<double>> CandidateTimer::leastMs(const std::function<bool()>& submit) const {
    constexpr int kRuns = 4; ///< the first is not counted
    std::optional<double> found;
    for (int i = 0; i < kRuns; ++i) {
        if (const Status status = ran(cudaEventRecord(m_events[0], m_session.stream())); !status)
            return status.error();
        if (!submit())
            return std::optional<double>();
        float ms = 0;
        cudaError_t code = cudaEventRecord(m_events[1], m_session.stream());
        if (code == cudaSuccess)
            code = cudaEventSynchronize(m_events[1]);
        if (code == cudaSuccess)
            code = cudaEventElapsedTime(&ms, m_events[0], m_events[1]);
        if (const Status status = ran(code); !status)
            return status.error();
        if (i > 0)
            found = std::min(found.value_or(ms), double(ms));
    }
    return found;
}

} // namespace heteroscope::compute::nvidia
