// SPDX-License-Identifier: Apache-2.0
// What every implementation on the CPU shares: aligned host buffers, copies, and ops that work on host
// pointers. One thread at a time, as backend.h says.
#pragma once

#include "compute/core/implementation_list.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::compute {

/// Zeroed memory on 64-byte boundaries (large blocks: on huge pages where the system offers them), every page
/// touched, so that no page fault falls into a timed run.
/// Errors: OutOfMemory with the size and what is free.
Result<std::unique_ptr<DeviceBuffer>> allocateHostBuffer(std::size_t bytes);
/// What such memory takes, for forecasts: whole huge pages where the block is large.
std::size_t hostBufferBytes(std::size_t bytes);

/// A session whose device is the CPU. Derived classes list their implementations of an op.
class HostSession : public CandidateSession {
  public:
    HostSession(std::string backend, int parallelism, std::vector<std::string> asked = {});
    const DeviceInfo& device() const override { return m_device; }
    Result<std::unique_ptr<DeviceBuffer>> allocate(std::size_t bytes) override;
    Status upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) override;
    Status download(void* dst, DeviceBuffer& src, std::size_t bytes, OpObserver* observer) override;
    Status synchronize() override { return {}; }
    int parallelism() const override { return m_parallelism; }
    std::size_t cacheFlushBytes() const override;
    Result<std::unique_ptr<CacheFlush>> makeCacheFlush() override;

  protected:
    /// Threads that wait between operations and have gone to sleep meanwhile; a session without any has
    /// nothing to do.
    virtual void wakeThreads() {}

  private:
    DeviceInfo m_device;
    int m_parallelism = 1;
};

/// Host pointers of an op's operands, checked for number and size. src is never written.
struct HostOperands {
    std::span<const float* const> src;
    std::span<float* const> dst;
};

/// An op on host memory: checks the operands, tells the observer of begin and end, calls execute().
class HostOp : public PreparedOp {
  public:
    HostOp(const Op& op, std::string implementation) : HostOp(opFacts(op), std::move(implementation)) {}
    HostOp(const OpFacts& facts, std::string implementation);
    const std::string& implementation() const override { return m_implementation; }
    Status run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
               OpObserver* observer) override;

  protected:
    /// The work itself. `observer` may be nullptr.
    virtual Status execute(const HostOperands& operands, OpObserver* observer) = 0;

  private:
    std::string m_name;
    std::string m_detail;
    std::string m_implementation;
    OperandSizes m_sizes; ///< in elements
    double m_bytes = 0, m_flops = 0;
    bool m_isReorder = false;
};

} // namespace heteroscope::compute
