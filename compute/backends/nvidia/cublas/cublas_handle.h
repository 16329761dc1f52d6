// SPDX-License-Identifier: Apache-2.0
// cuBLAS's handle with its workspaces: it submits to one of the session's streams after the other while a
// recording is made.
#pragma once

#include "compute/backends/nvidia/device/cuda_session.h"

#include <cublasLt.h>
#include <cublas_v2.h>
#include <memory>

namespace heteroscope::compute::nvidia {

/// Success or an Error that names what failed and cuBLAS's own reason.
Status cublasStatus(cublasStatus_t code, const std::string& what, const std::string& where);

class CublasHandle {
  public:
    /// What NVIDIA recommends to give cuBLAS on the newest devices (cublasSetWorkspace: 32 MiB from Hopper
    /// on).
    static constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

    /// The session outlives it.
    explicit CublasHandle(const CudaSession& session) : m_session(session) {}
    ~CublasHandle();
    CublasHandle(const CublasHandle&) = delete;
    CublasHandle& operator=(const CublasHandle&) = delete;

    /// Called once, before use().
    Status start(bool tf32);
    /// The handle, which submits to the session's present stream and uses a workspace that no other stream
    /// does: with one of its own, cuBLAS gives the same bits on every stream.
    Result<cublasHandle_t> use() const;
    /// For cuBLASLt, whose calls name stream and workspace themselves.
    cublasLtHandle_t lt() const { return reinterpret_cast<cublasLtHandle_t>(m_handle); }
    cudaStream_t stream() const { return m_session.stream(); }
    /// kWorkspaceBytes that no other stream uses.
    void* workspace() const;

  private:
    const CudaSession& m_session;
    std::unique_ptr<DeviceBuffer> m_workspaces; ///< one for each stream
    cublasHandle_t m_handle = nullptr;
    mutable cudaStream_t m_stream =
        nullptr;             ///< that the handle submits to, and its lane: streams of recordings come and go,
    mutable int m_lane = -1; ///< and a later one may be where another lane's was
};

} // namespace heteroscope::compute::nvidia
