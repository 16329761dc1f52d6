// SPDX-License-Identifier: GPL-3.0-or-later
// Steps from span to span with the store's logarithmic queries.
#include "ui/timeline/span_walk.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace heteroscope::ui {

using profiling::DrawSpan;
using profiling::SpanRef;

namespace {

class Walk {
  public:
    Walk(const profiling::Trace& trace, SpanRef from, bool forward)
        : m_trace(trace), m_from(trace.locate(from)), m_forward(forward), m_span(trace.span(from)) {
        if (m_span) {
            m_edge = forward ? m_span->startNs + m_span->durationNs : m_span->startNs;
            m_reach = forward ? trace.endNs() - m_edge + 1 : m_edge - trace.startNs() + 1;
        }
    }

    SpanRef find() {
        if (!m_span || m_reach <= 0)
            return {};
        // Widen until the window holds another span, then narrow so that few are left to look at one by one.
        std::int64_t window = 64;
        while (window < m_reach && !occupied(window))
            window *= 4;
        window = std::min(window, m_reach);
        if (!occupied(window))
            return {};
        std::int64_t empty = 0;
        while (window - empty > std::max<std::int64_t>(1, window / 4096)) {
            const std::int64_t middle = empty + (window - empty) / 2;
            (occupied(middle) ? window : empty) = middle;
        }
        load(window, 0.0);
        return nearest();
    }

  private:
    void load(std::int64_t window, double nsPerPixel) {
        m_found.clear();
        const std::int64_t from = m_forward ? m_edge : m_edge - window;
        m_trace.query(m_from.track, m_from.lane, from, from + window, nsPerPixel, m_found);
    }

    /// Spans of no duration may start at the same time: their order of arrival decides.
    bool isOther(const DrawSpan& span) const {
        if (span.count > 1)
            return true;
        const bool later = span.startNs != m_span->startNs ? span.startNs > m_span->startNs
                                                           : span.longest.index > m_from.index;
        return !(span.longest == m_from) && later == m_forward;
    }

    bool occupied(std::int64_t window) {
        load(window, static_cast<double>(std::max<std::int64_t>(1, window)));
        return std::any_of(m_found.begin(), m_found.end(), [this](const DrawSpan& s) { return isOther(s); });
    }

    SpanRef nearest() const {
        const auto other = [this](const DrawSpan& s) { return isOther(s); };
        if (m_forward) {
            const auto found = std::find_if(m_found.begin(), m_found.end(), other);
            return found == m_found.end() ? SpanRef{} : found->longest;
        }
        const auto found = std::find_if(m_found.rbegin(), m_found.rend(), other);
        return found == m_found.rend() ? SpanRef{} : found->longest;
    }

    const profiling::Trace& m_trace;
    SpanRef m_from;
    bool m_forward;
    std::optional<profiling::Span> m_span;
    std::int64_t m_edge = 0, m_reach = 0;
    std::vector<DrawSpan> m_found;
};

} // namespace

SpanRef neighbourSpan(const profiling::Trace& trace, SpanRef from, bool forward) {
    return Walk(trace, from, forward).find();
}

SpanRef nearestSpan(const profiling::Trace& trace, profiling::TrackId track, std::int64_t timeNs) {
    SpanRef best;
    std::int64_t bestDistance = std::numeric_limits<std::int64_t>::max();
    const std::int64_t slack = trace.endNs() - trace.startNs();
    for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane) {
        const SpanRef ref = trace.at(track, lane, timeNs, slack);
        const auto span = ref.valid() ? trace.span(ref) : std::nullopt;
        if (!span)
            continue;
        const std::int64_t end = span->startNs + span->durationNs;
        const std::int64_t distance =
            timeNs < span->startNs ? span->startNs - timeNs : std::max<std::int64_t>(0, timeNs - end);
        if (distance < bestDistance) {
            best = ref;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace heteroscope::ui
