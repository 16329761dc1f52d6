// SPDX-License-Identifier: Apache-2.0
// Records spans and counters of this process cheaply (goal: under 25 ns a span) and writes them as frames
// from a thread of its own, at least every 50 ms. begin/end/record may be called from any thread; each has
// its own buffer.
#pragma once

#include "profiling/stream/stream_writer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace heteroscope::profiling {

/// How much may wait to be written; what does not fit is dropped and counted.
struct HostCollectorLimits {
    std::size_t spansPerThread = 65536; ///< rounded up to a power of two
    std::size_t threads = 256;          ///< spans of further threads are dropped
    std::size_t counterPoints = 1 << 20;
};

class HostCollector {
  public:
    explicit HostCollector(StreamWriter& writer, HostCollectorLimits limits = {});
    ~HostCollector(); ///< stops and flushes

    /// Thread-safe; the same text gives the same id.
    StringId intern(std::string_view text);
    /// Thread-safe; defined in the stream before the first span on it.
    /// `before`: a negative number puts the row before those in order of arrival, smallest first; 0: in that
    /// order.
    TrackId addTrack(const std::string& name, TrackKind kind, TrackId parent = kNoTrack,
                     const std::string& unit = {}, std::int32_t before = 0);
    void record(const Span& span);
    /// Many spans at once, for recorders that are threads of their own and may wait: never dropped. `index`
    /// of a flow's ends counts the spans recorded on its track, which therefore has to be filled through this
    /// call only.
    void recordBatch(std::span<const Span> spans, std::span<const Flow> flows);
    void counter(TrackId track, std::int64_t timeNs, double value);
    /// Argument set for a span, e.g. {{"shape", "1x1x64x64"}}; thread-safe, not for hot paths.
    std::uint32_t addArgs(const std::vector<std::pair<std::string, std::string>>& args);

    void flush(); ///< returns when everything recorded before the call is in the writer
    void stop();
    std::uint64_t recorded() const;
    std::uint64_t dropped() const; ///< over the memory limit; also written as DataQuality

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::profiling
