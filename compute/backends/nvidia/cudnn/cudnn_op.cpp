// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cudnn/cudnn_op.h"

#include <array>

namespace heteroscope::compute::nvidia {

Status cudnnStatus(cudnnStatus_t code, const std::string& what, const std::string& where) {
    if (code == CUDNN_STATUS_SUCCESS)
        return {};
    std::array<char, 512> detail{};
    cudnnGetLastErrorString(detail.data(), detail.size());
    return Error{ErrorCode::RunFailed,
                 what + " failed: " + cudnnGetErrorString(code) + " " + detail.data(),
                 where,
                 {},
                 {}};
}

std::string cudnnReason() {
    std::array<char, 512> detail{};
    cudnnGetLastErrorString(detail.data(), detail.size());
    return detail.front() == 0 ? std::string() : std::string("; cuDNN says: ") + detail.data();
}

Status useStream(cudnnHandle_t handle, const CudaSession& session) {
    cudaStream_t now = nullptr;
    cudnnStatus_t code = cudnnGetStream(handle, &now);
    if (code == CUDNN_STATUS_SUCCESS && now != session.stream())
        code = cudnnSetStream(handle, session.stream());
    return cudnnStatus(code, "choosing cuDNN's stream", session.where());
}

} // namespace heteroscope::compute::nvidia
