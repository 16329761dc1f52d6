// SPDX-License-Identifier: Apache-2.0
// Times what computes the same in several ways, on operands of its own that are zero: the option
// "benchmark". One thread.
#pragma once

#include "compute/backends/nvidia/device/cuda_session.h"
#include "compute/backends/nvidia/device/cuda_status.h"

#include <array>
#include <cuda_runtime_api.h>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

class CandidateTimer {
  public:
    /// `what` is timed, for errors. The session outlives it.
    CandidateTimer(const CudaSession& session, std::string what)
        : m_session(session), m_what(std::move(what)) {}
    ~CandidateTimer();
    CandidateTimer(const CandidateTimer&) = delete;
    CandidateTimer& operator=(const CandidateTimer&) = delete;

    /// Device memory, one piece for each size in bytes; of 0 bytes none. OutOfMemory where there is no room.
    Status start(std::span<const std::size_t> bytes);
    /// Piece `i`; nullptr where its size was 0.
    void* memory(std::size_t i) const {
        return m_memory[i] == nullptr ? nullptr : m_memory[i]->devicePointer();
    }
    /// The least of three runs in milliseconds of the device, after one that is not counted; nothing where
    /// `submit`, which gives work to the session's stream, returns false.
    Result<std::optional<double>> leastMs(const std::function<bool()>& submit) const;

  private:
    Status ran(cudaError_t code) const { return cudaStatus(code, "timing " + m_what, m_session.where()); }

    const CudaSession& m_session;
    std::string m_what;
    std::vector<std::unique_ptr<DeviceBuffer>> m_memory;
    std::array<cudaEvent_t, 2> m_events{};
};

} // namespace heteroscope::compute::nvidia
