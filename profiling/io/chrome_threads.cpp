// SPDX-License-Identifier: Apache-2.0
#include "profiling/io/chrome_threads.h"

#include <algorithm>

namespace heteroscope::profiling {

void FlowPlace::setSpan(std::int64_t thread, std::int64_t startNs, std::int64_t endNs) {
    m_thread = thread;
    m_startNs = m_ownFromNs = startNs;
    m_endNs = std::max(endNs, startNs + 1);
}

void FlowPlace::addInner(std::int64_t startNs, std::int64_t endNs) {
    if (startNs > m_ownFromNs) {
        if (m_gaps.size() == kMostGaps)
            m_gaps.pop_back();
        m_gaps.emplace_back(m_ownFromNs, startNs);
    }
    m_ownFromNs = std::max({m_ownFromNs, endNs, startNs + 1});
}

std::optional<std::int64_t> FlowPlace::ownTime(std::int64_t fromNs) const {
    for (const auto& [start, end] : m_gaps)
        if (std::max(start, fromNs) < end)
            return std::max(start, fromNs);
    const std::int64_t time = std::max(m_ownFromNs, fromNs);
    return time < m_endNs ? std::optional(time) : std::nullopt;
}

std::optional<FlowTimes> flowTimes(const FlowPlace& from, const FlowPlace& to) {
    if (from.startNs() > to.lastNs())
        return std::nullopt;
    std::int64_t start = from.ownTime().value_or(from.startNs());
    if (start > to.lastNs())
        start = from.startNs(); // an arrow at an inner span is better than none
    return FlowTimes{start, to.ownTime(start).value_or(std::max(start, to.startNs()))};
}

/// The nearest row above that encloses the span, else the first thread with nothing open, else a new one.
std::size_t ThreadPlacer::threadFor(const Span& span, std::int64_t endNs) {
    std::size_t best = m_threads.size();
    int bestLane = -2;
    for (std::size_t i = 0; i < m_threads.size(); ++i) {
        Thread& thread = m_threads[i];
        while (!thread.open.empty() && thread.open.back().endNs <= span.startNs)
            thread.open.pop_back();
        if (thread.lastStartNs > span.startNs)
            continue; // only in the row that more spans share than there are rows
        const bool encloses = !thread.open.empty() && thread.open.back().endNs >= endNs;
        if (!encloses && !thread.open.empty())
            continue;
        const int lane = encloses && thread.open.back().lane < span.depth ? thread.open.back().lane : -1;
        if (lane > bestLane) {
            best = i;
            bestLane = lane;
        }
    }
    if (best == m_threads.size())
        m_threads.emplace_back();
    return best;
}

std::size_t ThreadPlacer::place(const Span& span, FlowPlace* flows) {
    const std::int64_t endNs = span.startNs + span.durationNs;
    const std::size_t index = threadFor(span, endNs);
    Thread& thread = m_threads[index];
    if (!thread.open.empty() && thread.open.back().flows)
        thread.open.back().flows->addInner(span.startNs, endNs);
    thread.open.push_back({endNs, span.depth, flows});
    thread.lastStartNs = span.startNs;
    return index;
}

} // namespace heteroscope::profiling
