// SPDX-License-Identifier: Apache-2.0
// An operation through cuDNN: its handle submits to one of the session's streams after the other while a
// recording is made.
#pragma once

#include "compute/backends/nvidia/device/cuda_op.h"

#include <cudnn.h>
#include <string>
#include <utility>

namespace heteroscope::compute::nvidia {

/// The factors alpha and beta of cuDNN's calls: of the result, and of what stands in its place.
inline constexpr float kOne = 1.0F, kZero = 0.0F;

/// Success or an Error that names what failed and cuDNN's own reason.
Status cudnnStatus(cudnnStatus_t code, const std::string& what, const std::string& where);

/// "; cuDNN says: ..." of the last call that failed; empty where none did.
std::string cudnnReason();

/// cuDNN 9.14 fails with activations of 2^31 - 1 elements (CUDNN_STATUS_EXECUTION_FAILED): so many are given
/// at a time.
inline constexpr std::int64_t kMostActivationElements = std::int64_t{1} << 30;

/// From now on the handle submits to the session's present stream.
Status useStream(cudnnHandle_t handle, const CudaSession& session);

class CudnnOp : public CudaOp {
  public:
    /// Session and handle outlive the op.
    CudnnOp(const CudaSession& session, cudnnHandle_t handle, OpFacts facts, std::string implementation)
        : CudaOp(session, std::move(facts), std::move(implementation)), m_handle(handle) {}

  protected:
    Status launch(const DeviceOperands& operands) final {
        const Status status = useStream(m_handle, session());
        return status ? submit(operands) : status;
    }
    /// Submits the work through handle().
    virtual Status submit(const DeviceOperands& operands) = 0;
    cudnnHandle_t handle() const { return m_handle; }

  private:
    cudnnHandle_t m_handle;
};

} // namespace heteroscope::compute::nvidia
