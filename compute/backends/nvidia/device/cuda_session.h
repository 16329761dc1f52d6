// SPDX-License-Identifier: Apache-2.0
// What every implementation on an NVIDIA device shares: its stream, device memory, copies and the event
// timer. One thread at a time, as backend.h says; copies and kernels of a session are ordered on its one
// stream.
#pragma once

#include "compute/core/backend.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// How host memory is copied: straight from pageable memory (the driver stages it), or through this session's
/// own page-locked buffers. Target option "host".
enum class HostMemory { Pageable, Pinned };

/// The options every NVIDIA implementation understands.
std::vector<std::string> commonOptionNames();
/// Reads "host" (pageable, pinned). Error: BadInput with what is allowed.
Result<HostMemory> hostMemoryOption(const Target& target);

class CudaSession : public Session {
  public:
    ~CudaSession() override;
    CudaSession(const CudaSession&) = delete;
    CudaSession& operator=(const CudaSession&) = delete;

    const DeviceInfo& device() const override { return m_device; }
    /// Device memory, 256-byte aligned. OutOfMemory names the size and what is free.
    Result<std::unique_ptr<DeviceBuffer>> allocate(std::size_t bytes) override;
    /// Returns when `src` may be reused.
    Status upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) override;
    /// Returns when `dst` is filled.
    Status download(void* dst, DeviceBuffer& src, std::size_t bytes, OpObserver* observer) override;
    std::size_t workspaceBytes(const Op&) const override { return 0; }
    Status synchronize() override;
    Status startDeviceTimer() override;
    Result<std::optional<double>> stopDeviceTimerMs() override;
    bool pinnedTransfers() const override { return m_hostMemory == HostMemory::Pinned; }
    int parallelism() const override { return m_multiprocessors; }

    /// Makes this session's device the thread's current one; sessions of several devices take turns on a
    /// thread.
    Status select() const;
    /// Remembers what is given to the device last, for the error when it fails later.
    void submits(const std::string& work) const;
    cudaStream_t stream() const { return m_stream; }
    const std::string& where() const { return m_device.id; }

  protected:
    CudaSession(DeviceInfo device, HostMemory hostMemory);
    /// Makes the context, stream and events; called once after construction.
    Status initialize();

  private:
    Status stagedUpload(char* dst, const char* src, std::size_t bytes);
    Status stagedDownload(char* dst, const char* src, std::size_t bytes);
    Status check(cudaError_t code, const char* what) const;

    static constexpr std::size_t kStageBytes = std::size_t{4} << 20;
    static constexpr int kStages = 2;

    DeviceInfo m_device;
    HostMemory m_hostMemory;
    int m_multiprocessors = 1;
    bool m_severalDevices = false;
    mutable std::string m_lastWork; ///< what errors of the device name
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_timerStart = nullptr, m_timerStop = nullptr;
    void* m_stages[kStages] = {};          ///< page-locked, only with HostMemory::Pinned
    cudaEvent_t m_stageDone[kStages] = {}; ///< the copy that last used the stage
};

} // namespace heteroscope::compute::nvidia
