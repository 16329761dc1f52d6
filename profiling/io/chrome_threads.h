// SPDX-License-Identifier: Apache-2.0
// What Chrome JSON asks of a thread: any two of its spans are nested or apart, and an arrow begins and ends
// at a time at which its span is the innermost one. Spans are put on threads here so that this holds, and
// the times of the arrows are found. Values; one thread.
#pragma once

#include "profiling/trace/trace.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace heteroscope::profiling {

/// Where a span lies that arrows touch, and when no span inside it is open. Times in nanoseconds.
class FlowPlace {
  public:
    void setSpan(std::int64_t thread, std::int64_t startNs, std::int64_t endNs);
    /// A direct child; they come in order of start.
    void addInner(std::int64_t startNs, std::int64_t endNs);

    bool known() const { return m_thread >= 0; } ///< setSpan was called
    std::int64_t thread() const { return m_thread; }
    std::int64_t startNs() const { return m_startNs; }
    /// The last time that is inside. A span of no duration is inside at its start.
    std::int64_t lastNs() const { return m_endNs - 1; }
    /// The earliest time from `fromNs` on at which the span itself is the innermost one.
    std::optional<std::int64_t> ownTime(std::int64_t fromNs = std::numeric_limits<std::int64_t>::min()) const;

  private:
    static constexpr std::size_t kMostGaps = 64; ///< of more, the first and the latest are kept

    std::int64_t m_thread = -1, m_startNs = 0, m_endNs = 0;
    std::int64_t m_ownFromNs = 0; ///< end of the last child so far
    std::vector<std::pair<std::int64_t, std::int64_t>> m_gaps;
};

struct FlowTimes {
    std::int64_t startNs, endNs; ///< never in the wrong order
};
/// When an arrow leaves and arrives; nothing when the second span is over before the first begins.
std::optional<FlowTimes> flowTimes(const FlowPlace& from, const FlowPlace& to);

/// Gives each span of one track a thread: 0 unless it overlaps, without nesting, what is open there.
class ThreadPlacer {
  public:
    /// Spans come in order of start, longer ones first, with the lane they lie in as `depth`. `flows`, if any
    /// arrow touches the span, is told of the spans inside; it outlives the placer.
    std::size_t place(const Span& span, FlowPlace* flows);
    std::size_t threadCount() const { return m_threads.size(); }

  private:
    struct Open {
        std::int64_t endNs;
        std::int16_t lane;
        FlowPlace* flows;
    };
    struct Thread {
        std::vector<Open> open;
        std::int64_t lastStartNs = std::numeric_limits<std::int64_t>::min();
    };
    std::size_t threadFor(const Span& span, std::int64_t endNs);

    std::vector<Thread> m_threads;
};

} // namespace heteroscope::profiling
