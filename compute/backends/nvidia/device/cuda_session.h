// SPDX-License-Identifier: Apache-2.0
// What every implementation on an NVIDIA device shares: its stream, device memory, copies and the event
// timer. One thread at a time, as backend.h says; copies and kernels of a session are ordered on its one
// stream, but for those of a recording, which is ordered by what they read and write.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/device/graph_recorder.h"
#include "compute/core/implementation_list.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// How host memory is copied: straight from pageable memory (the driver stages it), or through this session's
/// own page-locked buffers. Target option "host".
enum class HostMemory { Pageable, Pinned };

/// The options every NVIDIA implementation understands.
struct SessionOptions {
    HostMemory host = HostMemory::Pageable; ///< "host": pageable, pinned
    /// "graph": on, off: what is submitted is recorded and started as a whole. Without it networks' steps
    /// are, and repetitions of single operations are not.
    std::optional<bool> graph;
    bool streamed = false; ///< "data": resident, streamed: where a training's images lie
    bool fuse = true;      ///< "fuse": on, off: operations of a network are computed as one where that can be
    std::vector<std::string> asked; ///< "impl": names of implementations

    SessionOptions() = default;
    SessionOptions(HostMemory memory) : host(memory) {}
};

/// "data", "fuse", "graph", "host", "impl" and `more`.
std::vector<std::string> optionNames(std::vector<std::string> more = {});
/// Error: BadInput with what is allowed.
Result<SessionOptions> sessionOptions(const Target& target);

class CudaSession : public CandidateSession {
  public:
    ~CudaSession() override;
    CudaSession(const CudaSession&) = delete;
    CudaSession& operator=(const CudaSession&) = delete;

    const DeviceInfo& device() const override { return m_device; }
    /// Device memory, 256-byte aligned. OutOfMemory names the size and what is free.
    Result<std::unique_ptr<DeviceBuffer>> allocate(std::size_t bytes) override {
        return allocateFor(bytes, "a tensor of the session");
    }
    /// Likewise; `purpose` is what a report of guarded memory names (guarded_memory.h).
    Result<std::unique_ptr<DeviceBuffer>> allocateFor(std::size_t bytes, const std::string& purpose) const;
    /// Returns when `src` may be reused; see there for page-locked memory.
    Status upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) override;
    /// Returns when `dst` is filled.
    Status download(void* dst, DeviceBuffer& src, std::size_t bytes, OpObserver* observer) override;
    Status synchronize() override { return waitForStream(); }
    Status waitForStream() const;
    std::size_t cacheFlushBytes() const override;
    Result<std::unique_ptr<CacheFlush>> makeCacheFlush() override;
    Status startDeviceTimer() override;
    Result<std::optional<double>> stopDeviceTimerMs() override;
    /// With the scratch memory of every lane.
    std::size_t workspaceBytes(const Op& op) const override;
    bool pinnedTransfers() const override { return m_options.host == HostMemory::Pinned; }
    bool records() const override { return m_options.graph.value_or(true); }
    bool recordsRepetitions() const override { return m_options.graph.value_or(false); }
    Status beginRecording() override;
    Result<std::unique_ptr<Recording>> endRecording() override;
    int parallelism() const override { return m_limits.multiprocessors; }
    const DeviceLimits& limits() const { return m_limits; }

    /// Makes this session's device the thread's current one; sessions of several devices take turns on a
    /// thread.
    Status select() const;
    /// Remembers what is given to the device last, for the error when it fails later.
    void submits(const std::string& work) const;
    /// Where work is submitted to now; while recording, one of several.
    cudaStream_t stream() const { return m_recorder ? m_recorder->stream() : m_stream; }
    /// While recording: what is submitted next reads and writes these, and is ordered after what it needs.
    Status submitsTo(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes) const;
    /// Which of the streams stream() is; each has scratch memory of its own.
    int lane() const { return m_recorder ? m_recorder->lane() : 0; }
    /// How many there are at most: gradients of weights run beside those of inputs.
    static constexpr int kLanes = 4;
    /// Those that this session uses: without recordings only one.
    std::size_t lanes() const { return records() ? kLanes : 1; }
    bool sharesWorkspace() const override { return true; }
    Support supportsChain(const OpChain& chain, std::span<const int> results) const override;
    std::vector<ImplementationRow> chainImplementations(const OpChain& chain, std::span<const int> src,
                                                        std::span<const int> dst) const override;
    Result<std::unique_ptr<PreparedOp>> prepareChain(const OpChain& chain, std::span<const int> src,
                                                     std::span<const int> dst) override;
    /// Whether there is a recording, which goes on using the memory it was made with.
    bool hasRecorded() const { return m_hasRecorded; }
    const SessionOptions& options() const { return m_options; }
    const std::string& where() const { return m_device.id; }

  protected:
    /// `backend`: its id.
    CudaSession(std::string backend, DeviceInfo device, const SessionOptions& options);
    /// Makes the context, stream and events; called once after construction.
    Status initialize();
    /// What is free is read anew: after a library has taken memory of its own.
    void readFreeMemory();
    /// As visitCandidates(), of a chain that is computed as one operation from `src` to `dst`, numbers of its
    /// memory; of supportsChain() there is no `src` yet. Candidates are used before the three go. None by
    /// default.
    virtual void visitChains(const OpChain& /*chain*/, std::span<const int> /*src*/,
                             std::span<const int> /*dst*/, const CandidateVisitor& /*visit*/) const {}

  private:
    class L2Flush;

    Candidate chooseChain(const OpChain& chain, std::span<const int> src, std::span<const int> dst) const;
    Status stagedUpload(char* dst, const char* src, std::size_t bytes);
    Status stagedDownload(char* dst, const char* src, std::size_t bytes);
    Status check(cudaError_t code, const char* what) const;

    static constexpr std::size_t kStageBytes = std::size_t{4} << 20;
    static constexpr int kStages = 2;

    DeviceInfo m_device;
    SessionOptions m_options;
    bool m_hasRecorded = false;
    std::unique_ptr<GraphRecorder> m_recorder; ///< while recording
    DeviceLimits m_limits;
    bool m_severalDevices = false;
    mutable std::string m_lastWork; ///< what errors of the device name
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_timerStart = nullptr, m_timerStop = nullptr;
    void* m_stages[kStages] = {};          ///< page-locked, only with HostMemory::Pinned
    cudaEvent_t m_stageDone[kStages] = {}; ///< the copy that last used the stage
};

} // namespace heteroscope::compute::nvidia
