// SPDX-License-Identifier: Apache-2.0
// Host buffers, copies and operand checks of the CPU implementations.
#include "compute/core/host_session.h"

#include "compute/base/clock.h"
#include "compute/base/failure_words.h"
#include "compute/core/backend_registry.h"
#include "compute/core/cpu.h"
#include "compute/core/host_cache_flush.h"
#include "compute/core/operands.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kSmallAlignment = 64;
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
/// From here on the free memory is looked at before anything is allocated.
constexpr std::size_t kCheckedBytes = std::size_t{64} << 20;

class HostBuffer final : public DeviceBuffer {
  public:
    HostBuffer(void* memory, std::size_t bytes) : m_memory(memory), m_bytes(bytes) {}
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;
    ~HostBuffer() override { std::free(m_memory); }
    std::size_t bytes() const override { return m_bytes; }
    void* hostPointer() override { return m_memory; }

  private:
    void* m_memory;
    std::size_t m_bytes;
};

Error outOfMemory(std::size_t bytes, std::int64_t freeBytes) {
    return Error{ErrorCode::OutOfMemory, say(failure_words::kNoRoom, {std::to_string(bytes)}).text(), "cpu",
                 say(failure_words::kBytesFree, {std::to_string(freeBytes)}).text(),
                 failure_words::kSmallerSize};
}

std::size_t roundUp(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

Status checkCopy(const DeviceBuffer& buffer, std::size_t bytes) {
    if (bytes <= buffer.bytes())
        return {};
    return Error{ErrorCode::RunFailed,
                 "a copy of " + std::to_string(bytes) + " bytes does not fit a buffer of " +
                     std::to_string(buffer.bytes()),
                 "cpu",
                 {},
                 {}};
}

} // namespace

Result<std::unique_ptr<DeviceBuffer>> allocateHostBuffer(std::size_t bytes) {
    if (bytes >= kCheckedBytes) {
        const std::int64_t freeBytes = readMemory().freeBytes;
        if (freeBytes > 0 && bytes > static_cast<std::size_t>(freeBytes))
            return outOfMemory(bytes, freeBytes);
    }
    const bool huge = bytes >= kHugePageBytes;
    const std::size_t alignment = huge ? kHugePageBytes : kSmallAlignment;
    const std::size_t size = hostBufferBytes(bytes);
    void* memory = std::aligned_alloc(alignment, size);
    if (memory == nullptr)
        return outOfMemory(bytes, readMemory().freeBytes);
    if (huge) // advice only: without huge pages everything works, slower
        static_cast<void>(madvise(memory, size, MADV_HUGEPAGE));
    std::memset(memory, 0, size);
    return std::unique_ptr<DeviceBuffer>(std::make_unique<HostBuffer>(memory, bytes));
}

std::size_t hostBufferBytes(std::size_t bytes) {
    return roundUp(std::max<std::size_t>(bytes, 1),
                   bytes >= kHugePageBytes ? kHugePageBytes : kSmallAlignment);
}

HostSession::HostSession(std::string backend, int parallelism, std::vector<std::string> asked)
    : CandidateSession(std::move(backend), std::move(asked)),
      m_device(describeCpu()),
      m_parallelism(parallelism) {}

Result<std::unique_ptr<DeviceBuffer>> HostSession::allocate(std::size_t bytes) {
    return allocateHostBuffer(bytes);
}

Status HostSession::upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) {
    if (const Status status = checkCopy(dst, bytes); !status)
        return status;
    const std::int64_t start = observer != nullptr ? steadyNowNs() : 0; // small copies feel the clock
    if (bytes > 0)
        std::memcpy(dst.hostPointer(), src, bytes);
    if (observer != nullptr)
        observer->copied(CopyDirection::HostToDevice, static_cast<std::int64_t>(bytes), start, steadyNowNs());
    return {};
}

Status HostSession::download(void* dst, DeviceBuffer& src, std::size_t bytes, OpObserver* observer) {
    if (const Status status = checkCopy(src, bytes); !status)
        return status;
    const std::int64_t start = observer != nullptr ? steadyNowNs() : 0; // small copies feel the clock
    if (bytes > 0)
        std::memcpy(dst, src.hostPointer(), bytes);
    if (observer != nullptr)
        observer->copied(CopyDirection::DeviceToHost, static_cast<std::int64_t>(bytes), start, steadyNowNs());
    return {};
}

std::size_t HostSession::cacheFlushBytes() const {
    return hostBufferBytes(hostCacheFlushBytes());
}

Result<std::unique_ptr<CacheFlush>> HostSession::makeCacheFlush() {
    return makeHostCacheFlush([this] { wakeThreads(); });
}

HostOp::HostOp(const OpFacts& facts, std::string implementation)
    : m_name(facts.name),
      m_detail(facts.detail),
      m_implementation(std::move(implementation)),
      m_bytes(facts.bytes),
      m_flops(facts.flops),
      m_isReorder(facts.isReorder) {
    if (facts.sizes)
        m_sizes = *facts.sizes;
}

Status HostOp::run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
                   OpObserver* observer) {
    const auto operands =
        operandPointers(m_name, m_sizes, src, dst, &DeviceBuffer::hostPointer, "host memory");
    if (!operands)
        return operands.error();
    if (observer != nullptr)
        observer->opBegin({m_name, m_detail, m_implementation, m_bytes, m_flops, m_isReorder});
    const Status status =
        execute({{operands->src.data(), src.size()}, {operands->dst.data(), dst.size()}}, observer);
    if (observer != nullptr)
        observer->opEnd();
    return status;
}

} // namespace heteroscope::compute
