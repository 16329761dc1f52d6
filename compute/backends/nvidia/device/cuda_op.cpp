// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/cuda_op.h"

#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/core/operands.h"

#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

std::vector<MemoryRange> rangesOf(std::span<DeviceBuffer* const> buffers) {
    std::vector<MemoryRange> ranges;
    for (DeviceBuffer* buffer : buffers)
        ranges.push_back({static_cast<const char*>(buffer->devicePointer()), buffer->bytes()});
    return ranges;
}

} // namespace

CudaOp::CudaOp(const CudaSession& session, const Op& op, std::string implementation)
    : CudaOp(session, opFacts(op), std::move(implementation)) {}

CudaOp::CudaOp(const CudaSession& session, OpFacts facts, std::string implementation)
    : m_session(session),
      m_name(std::move(facts.name)),
      m_detail(std::move(facts.detail)),
      m_work(m_name + " " + m_detail),
      m_implementation(std::move(implementation)),
      m_bytes(facts.bytes),
      m_flops(facts.flops) {
    if (facts.sizes)
        m_sizes = std::move(*facts.sizes);
}

Status CudaOp::run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
                   OpObserver* observer) {
    const auto operands =
        operandPointers(m_name, m_sizes, src, dst, &DeviceBuffer::devicePointer, "device memory");
    if (!operands)
        return operands.error();
    if (const Status status = m_session.select(); !status)
        return status;
    if (const Status status =
            m_session.records() ? m_session.submitsTo(rangesOf(src), rangesOf(dst)) : Status{};
        !status)
        return status;
    if (observer != nullptr)
        observer->opBegin({m_name, m_detail, m_implementation, m_bytes, m_flops});
    m_session.submits(m_work);
    Status status = launch({{operands->src.data(), src.size()}, {operands->dst.data(), dst.size()}});
    if (status)
        status = cudaStatus(cudaGetLastError(), "launching " + m_implementation, where());
    if (observer != nullptr)
        observer->opEnd();
    return status;
}

} // namespace heteroscope::compute::nvidia
