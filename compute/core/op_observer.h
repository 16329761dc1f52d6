// SPDX-License-Identifier: Apache-2.0
// How the layers above hear what an implementation does. Defaults do nothing.
// Threads: opBegin/opEnd on the thread that calls PreparedOp::run; threadShare on whichever thread did the
// share.
#pragma once

#include <cstdint>
#include <string_view>

namespace heteroscope::compute {

struct OpEvent {
    std::string_view op;             ///< opName()
    std::string_view detail;         ///< opDetail()
    std::string_view implementation; ///< e.g. "openmp:pool:avx512"
    double bytes = 0.0;              ///< opMinimumBytes()
    double flops = 0.0;              ///< opFlops()
    bool isReorder = false;          ///< between layouts: no operation of the experiment
};

/// What this thread has devices do outside of ops, its copies above all: a phase of an operation.
struct PhaseEvent {
    std::string_view op;     ///< opName(): "maxpool.forward"
    std::string_view detail; ///< opDetail()
    std::string_view phase;  ///< "operands", "warm-up", "copy in", ...
};

enum class CopyDirection { HostToDevice, DeviceToHost, DeviceToDevice };

class OpObserver {
  public:
    virtual ~OpObserver() = default;
    virtual void opBegin(const OpEvent&) {}
    virtual void opEnd() {}
    /// Around the operations of one layer of a network in one phase ("forward", "backward").
    virtual void layerBegin(std::string_view /*layer*/, std::string_view /*phase*/) {}
    virtual void layerEnd() {}
    /// A worker thread's share of the op under way. Times on the steady clock (steadyNowNs()). Must be
    /// thread-safe.
    virtual void threadShare(int /*threadIndex*/, std::int64_t /*startNs*/, std::int64_t /*endNs*/) {}
    /// A copy between host and device memory that this thread made.
    virtual void copied(CopyDirection, std::int64_t /*bytes*/, std::int64_t /*startNs*/,
                        std::int64_t /*endNs*/) {}
    /// Until phaseEnd(). Phases nest, the innermost counts; inside an op, the op does.
    virtual void phaseBegin(const PhaseEvent&) {}
    virtual void phaseEnd() {}
    /// So many windows of a repetition are computed without a word to this observer: beyond a limit.
    virtual void windowsNotTraced(std::int64_t /*count*/) {}
};

/// A phase as long as this lives; nothing without an observer, which outlives it.
class PhaseScope {
  public:
    PhaseScope(OpObserver* observer, const PhaseEvent& event) : m_observer(observer) {
        if (m_observer)
            m_observer->phaseBegin(event);
    }
    ~PhaseScope() {
        if (m_observer)
            m_observer->phaseEnd();
    }
    PhaseScope(const PhaseScope&) = delete;
    PhaseScope& operator=(const PhaseScope&) = delete;

  private:
    OpObserver* m_observer;
};

} // namespace heteroscope::compute
