// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cublas/cublas_handle.h"

#include <utility>

namespace heteroscope::compute::nvidia {

Status cublasStatus(cublasStatus_t code, const std::string& what, const std::string& where) {
    if (code == CUBLAS_STATUS_SUCCESS)
        return {};
    return Error{code == CUBLAS_STATUS_ALLOC_FAILED ? ErrorCode::OutOfMemory : ErrorCode::RunFailed,
                 what + " failed: " + cublasGetStatusString(code),
                 where,
                 {},
                 {}};
}

CublasHandle::~CublasHandle() {
    if (m_handle != nullptr && m_session.select()) // the handle is of the session's device
        cublasDestroy(m_handle);
}

Status CublasHandle::start(bool tf32) {
    auto workspaces = m_session.allocateFor(m_session.lanes() * kWorkspaceBytes, "cuBLAS's workspaces");
    if (!workspaces)
        return workspaces.error();
    m_workspaces = std::move(*workspaces);
    if (const Status status = cublasStatus(cublasCreate(&m_handle), "starting cuBLAS", m_session.where());
        !status)
        return status;
    const auto mode = tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_PEDANTIC_MATH;
    return cublasStatus(cublasSetMathMode(m_handle, mode), "starting cuBLAS", m_session.where());
}

void* CublasHandle::workspace() const {
    return static_cast<char*>(m_workspaces->devicePointer()) +
           static_cast<std::size_t>(m_session.lane()) * kWorkspaceBytes;
}

Result<cublasHandle_t> CublasHandle::use() const {
    if (m_stream == m_session.stream() && m_lane == m_session.lane())
        return m_handle;
    m_lane = -1;                                                         // until both calls went well
    cublasStatus_t code = cublasSetStream(m_handle, m_session.stream()); // which takes the workspace away
    if (code == CUBLAS_STATUS_SUCCESS)
        code = cublasSetWorkspace(m_handle, workspace(), kWorkspaceBytes);
    if (const Status status = cublasStatus(code, "choosing cuBLAS's stream", m_session.where()); !status)
        return status.error();
    m_stream = m_session.stream(), m_lane = m_session.lane();
    return m_handle;
}

} // namespace heteroscope::compute::nvidia
