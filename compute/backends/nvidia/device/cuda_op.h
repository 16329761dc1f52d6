// SPDX-License-Identifier: Apache-2.0
// An operation on device memory: checks the operands, tells the observer of begin and end of the submission,
// calls launch() and looks at CUDA's last error. The work itself is asynchronous on the session's stream.
#pragma once

#include "compute/backends/nvidia/device/cuda_session.h"

#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// Device pointers of an op's operands, checked for number and size.
struct DeviceOperands {
    std::span<const float* const> src;
    std::span<float* const> dst;
};

class CudaOp : public PreparedOp {
  public:
    /// The session outlives the op.
    CudaOp(const CudaSession& session, const Op& op, std::string implementation);
    CudaOp(const CudaSession& session, OpFacts facts, std::string implementation);
    const std::string& implementation() const override { return m_implementation; }
    Status run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
               OpObserver* observer) override;

  protected:
    /// Submits the work to session().stream().
    virtual Status launch(const DeviceOperands& operands) = 0;
    const CudaSession& session() const { return m_session; }
    /// Device, operation and sizes, for errors.
    std::string where() const { return m_session.where() + " " + m_work; }

  private:
    const CudaSession& m_session;
    std::string m_name, m_detail, m_work, m_implementation;
    OperandSizes m_sizes;
    double m_bytes = 0, m_flops = 0;
};

} // namespace heteroscope::compute::nvidia
