// SPDX-License-Identifier: Apache-2.0
// The interface of every implementation: backend -> session on a device -> prepared op.
// A session and what it made belong to one thread at a time; separate sessions are independent.
#pragma once

#include "compute/base/result.h"
#include "compute/core/device.h"
#include "compute/core/linked_op.h"
#include "compute/core/op.h"
#include "compute/core/op_observer.h"
#include "compute/core/op_sequence.h"
#include "compute/core/step_feed.h"
#include "compute/core/target.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// Memory on a session's device, aligned to at least 64 bytes. Freed on destruction; must not outlive its
/// session.
class DeviceBuffer {
  public:
    virtual ~DeviceBuffer() = default;
    virtual std::size_t bytes() const = 0;
    /// The same memory as the host sees it, or nullptr when the host cannot reach it.
    virtual void* hostPointer() = 0;
    /// The same memory as the device's kernels see it; nullptr when the buffer is not on a device of its own.
    virtual void* devicePointer() { return nullptr; }
};

/// Whether an op can run here; when not, `reason` says why in a clause for people.
struct Support {
    bool supported = false;
    std::string implementation; ///< name of the implementation that would run, e.g. "onednn:jit:avx512_core"
    std::string reason;
    static Support yes(std::string name) { return {true, std::move(name), {}}; }
    static Support no(std::string why) { return {false, {}, std::move(why)}; }
    /// "cudnn has no gemm"
    static Support missing(std::string_view id, const Op& op) {
        return no(std::string(id) + " has no " + opName(op));
    }
};

/// One of a backend's implementations of an op.
struct ImplementationRow {
    std::string name;           ///< as ?impl= takes it
    std::string implementation; ///< as spans and results name it; may be empty where the op is refused
    std::string reason;         ///< a clause: why it is not taken, or that it was asked for; else empty
    bool taken = false;         ///< at most one of an op's
    bool accepts = true;        ///< the op; false: `reason` says why not
};

/// An op bound to one implementation, with whatever it needs set up. Run as often as wanted.
class PreparedOp {
  public:
    virtual ~PreparedOp() = default;
    virtual const std::string& implementation() const = 0;
    /// Operands as documented at the op. Every element of dst is written. The observer may be nullptr.
    /// Asynchronous devices may return before the work is done: Session::synchronize() waits.
    virtual Status run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
                       OpObserver* observer) = 0;
};

/// Work that a session recorded and starts as a whole. Must not outlive the session, nor the operations and
/// buffers that were recorded.
class Recording {
  public:
    virtual ~Recording() = default;
    /// Submits everything, as the operations themselves would; Session::synchronize() waits.
    virtual Status launch() = 0;
};

/// Empties the caches of a session's device by writing a buffer that is larger than them. Must not outlive
/// the session.
class CacheFlush {
  public:
    virtual ~CacheFlush() = default;
    virtual std::size_t bytes() const = 0; ///< that are written
    virtual Status run() = 0;              ///< returns when the caches hold nothing else
};

class Session {
  public:
    virtual ~Session() = default;
    virtual const DeviceInfo& device() const = 0;
    virtual Result<std::unique_ptr<DeviceBuffer>> allocate(std::size_t bytes) = 0;
    /// Asynchronous devices may read page-locked memory until synchronize() has returned; all other memory
    /// may be changed at once.
    virtual Status upload(DeviceBuffer& dst, const void* src, std::size_t bytes,
                          OpObserver* observer = nullptr) = 0;
    virtual Status download(void* dst, DeviceBuffer& src, std::size_t bytes,
                            OpObserver* observer = nullptr) = 0;
    virtual Support supports(const Op& op) const = 0;
    /// What computes the op and what else could, the preferred one first. Where a backend has one for each
    /// op, that one.
    virtual std::vector<ImplementationRow> implementations(const Op& op) const {
        const Support support = supports(op);
        return {{support.implementation, support.implementation, support.reason, support.supported,
                 support.supported}};
    }
    /// What the target's option "impl" names.
    virtual std::span<const std::string> askedImplementations() const { return {}; }
    /// Bytes the op needs on the device beside its operands; an upper bound.
    virtual std::size_t workspaceBytes(const Op& op) const = 0;
    /// Whether operations that are prepared together use one such piece of memory in turn: they need the
    /// largest of them, else their sum.
    virtual bool sharesWorkspace() const { return false; }
    virtual Result<std::unique_ptr<PreparedOp>> prepare(const Op& op) = 0;
    /// How operations are computed that are known as a whole, before their memory is allocated.
    virtual std::unique_ptr<SequencePlan> planSequence(OpSequence sequence) {
        return planEachByItself(*this, std::move(sequence));
    }
    /// Whether the chain can be computed as one operation that writes `results`, some of what its operations
    /// write.
    virtual Support supportsChain(const OpChain&, std::span<const int> /*results*/) const {
        return Support::no("nothing is computed as one here");
    }
    /// As implementations(), of a chain that is supported with these operands. This and prepareChain(): of
    /// sessions that plan each step of a sequence by itself.
    virtual std::vector<ImplementationRow>
    chainImplementations(const OpChain& chain, std::span<const int> /*src*/, std::span<const int> dst) const {
        const Support support = supportsChain(chain, dst);
        return {{support.implementation, support.implementation, support.reason, support.supported,
                 support.supported}};
    }
    /// Operands when it runs: src and dst, numbers of the chain's memory.
    virtual Result<std::unique_ptr<PreparedOp>> prepareChain(const OpChain&, std::span<const int> /*src*/,
                                                             std::span<const int> /*dst*/) {
        return refusal("no chain of operations is computed as one here");
    }
    /// Whether what the operations of a network submit is to be recorded and started as a whole.
    virtual bool records() const { return false; }
    /// Whether repetitions of single operations are to be: their times are then without their launches.
    virtual bool recordsRepetitions() const { return false; }
    /// Until endRecording() operations note what they would submit and do nothing. Each of them has run
    /// before: libraries set things up at a first run.
    virtual Status beginRecording() { return refusal("this device cannot record"); }
    virtual Result<std::unique_ptr<Recording>> endRecording() { return refusal("this device cannot record"); }
    /// Nothing where memory of the host is the device's: batches are written there.
    virtual Result<std::unique_ptr<StepFeed>> makeStepFeed(const StepFeedPlan&) {
        return std::unique_ptr<StepFeed>();
    }
    virtual Status synchronize() = 0;
    /// What a flush of the device's caches needs; 0: they cannot be flushed.
    virtual std::size_t cacheFlushBytes() const { return 0; }
    virtual Result<std::unique_ptr<CacheFlush>> makeCacheFlush() {
        return refusal("the caches of this device cannot be flushed");
    }
    /// Time on the device's own clock between the two calls, for what was submitted in between; the second
    /// call waits for it. Devices without a clock of their own (the CPU) give nothing.
    virtual Status startDeviceTimer() { return {}; }
    virtual Result<std::optional<double>> stopDeviceTimerMs() { return std::optional<double>(); }
    /// Whether host memory of upload() and download() goes through page-locked memory.
    virtual bool pinnedTransfers() const { return false; }
    /// Threads or similar units that take part; for efficiency figures. 1 when it means nothing.
    virtual int parallelism() const = 0;

  private:
    Error refusal(const char* what) const {
        return Error{ErrorCode::TargetUnavailable, what, device().id, {}, {}};
    }
};

class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string_view id() const = 0; ///< the implementation's name in targets
    /// The device this backend serves plus this implementation, or the reason it is missing.
    virtual ImplementationInfo describe() const = 0;
    virtual std::string_view deviceId() const = 0;
    /// Errors: unknown option or value (BadInput), unavailable (TargetUnavailable).
    virtual Result<std::unique_ptr<Session>> open(const Target& target) = 0;
};

} // namespace heteroscope::compute
