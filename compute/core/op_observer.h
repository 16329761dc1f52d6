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
    /// So many windows of a repetition are computed without a word to this observer: beyond a limit.
    virtual void windowsNotTraced(std::int64_t /*count*/) {}
};

} // namespace heteroscope::compute
