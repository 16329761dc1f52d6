// SPDX-License-Identifier: Apache-2.0
// The simple readers of Trace: definitions, counts, single spans, walks.
#include "profiling/trace/trace_impl.h"

namespace heteroscope::profiling {

using Reading = Reclaimer::Reading;

std::uint64_t Trace::revision() const {
    return m_impl->revision.load(std::memory_order_acquire);
}
std::uint32_t Trace::trackCount() const {
    return m_impl->tracks.size();
}
Track Trace::track(TrackId id) const {
    const TrackData* const data = m_impl->find(id);
    return data ? data->info : Track{kNoTrack, kNoTrack, TrackKind::Group, 0, 0, 0};
}
std::uint32_t Trace::stringCount() const {
    return m_impl->strings.size();
}
std::string Trace::string(StringId id) const {
    return std::string(m_impl->strings.text(id));
}
std::uint16_t Trace::laneCount(TrackId track) const {
    const Reading reading(m_impl->reclaimer);
    const TrackView* const view = Impl::viewOf(m_impl->find(track));
    return view ? static_cast<std::uint16_t>(view->lanes.size()) : 0;
}
std::uint64_t Trace::spanCount() const {
    return m_impl->spanCount.load(std::memory_order_relaxed);
}
std::uint64_t Trace::spanCount(TrackId track) const {
    const Reading reading(m_impl->reclaimer);
    const TrackView* const view = Impl::viewOf(m_impl->find(track));
    return view ? view->rows : 0;
}
std::uint64_t Trace::counterCount() const {
    return m_impl->pointCount.load(std::memory_order_relaxed);
}
std::uint64_t Trace::flowCount() const {
    return m_impl->flows.size();
}
std::int64_t Trace::startNs() const {
    return m_impl->start.load(std::memory_order_relaxed);
}
std::int64_t Trace::endNs() const {
    return m_impl->end.load(std::memory_order_relaxed);
}
std::size_t Trace::memoryBytes() const {
    const Reading reading(m_impl->reclaimer);
    return m_impl->bytes.load(std::memory_order_relaxed) + m_impl->strings.bytes() + m_impl->args.bytes() +
           m_impl->flows.bytes();
}
DataQuality Trace::quality() const {
    const Reading reading(m_impl->reclaimer);
    return *m_impl->quality.load(std::memory_order_acquire);
}

namespace {

Span spanAt(const SpanRows& rows, TrackId track, std::uint32_t row) {
    return {track,
            rows.start(row),
            rows.duration(row),
            rows.name(row),
            rows.category(row),
            rows.args(row),
            static_cast<std::int16_t>(rows.lane(row))};
}

} // namespace

std::optional<Span> Trace::span(SpanRef ref) const {
    const Reading reading(m_impl->reclaimer);
    const TrackData* const data = m_impl->find(ref.track);
    const TrackView* const view = Impl::viewOf(data);
    if (!view || ref.index >= view->rows)
        return std::nullopt;
    return spanAt(data->spans.rows(), ref.track, ref.index);
}

SpanRef Trace::locate(SpanRef ref) const {
    const auto found = span(ref);
    return found ? SpanRef{ref.track, static_cast<std::uint16_t>(found->depth), ref.index} : SpanRef{};
}

std::vector<std::pair<std::string, std::string>> Trace::args(std::uint32_t id) const {
    std::vector<std::pair<std::string, std::string>> texts;
    for (auto& [key, value] : m_impl->args.set(id))
        texts.emplace_back(string(key), std::move(value));
    return texts;
}

std::vector<Flow> Trace::flowsOf(SpanRef ref) const {
    const Reading reading(m_impl->reclaimer);
    std::vector<Flow> flows;
    for (const Flow& flow : m_impl->flows.of(ref)) {
        const Flow now{locate(flow.from), locate(flow.to)};
        if (now.from.valid() && now.to.valid())
            flows.push_back(now);
    }
    return flows;
}

void Trace::forEachFlow(const std::function<bool(const Flow&)>& visit) const {
    const std::uint32_t count = m_impl->flows.size();
    for (std::uint32_t i = 0; i < count; ++i) {
        const Flow now{locate(m_impl->flows[i].from), locate(m_impl->flows[i].to)};
        if (now.from.valid() && now.to.valid() && !visit(now))
            return;
    }
}

void Trace::forEachSpan(const std::function<bool(SpanRef, const Span&)>& visit) const {
    const Reading reading(m_impl->reclaimer);
    const std::uint32_t count = trackCount();
    for (TrackId track = 0; track < count; ++track) {
        const TrackData* const data = m_impl->find(track);
        const TrackView* const view = Impl::viewOf(data);
        for (std::size_t lane = 0; view && lane < view->lanes.size(); ++lane)
            for (LanePosition at = 0; at < view->lanes[lane].size(); ++at) {
                const std::uint32_t row = view->lanes[lane].rowAt(at);
                const auto inLane = static_cast<std::uint16_t>(lane);
                Span span = spanAt(data->spans.rows(), track, row);
                span.depth = static_cast<std::int16_t>(lane);
                if (!visit({track, inLane, row}, span))
                    return;
            }
    }
}

void Trace::forEachCounter(const std::function<bool(TrackId, const CounterPoint&)>& visit) const {
    const Reading reading(m_impl->reclaimer);
    const std::uint32_t count = trackCount();
    for (TrackId track = 0; track < count; ++track) {
        const TrackView* const view = Impl::viewOf(m_impl->find(track));
        for (std::uint64_t at = 0; view && at < view->counter.size(); ++at)
            if (!visit(track, view->counter.at(at)))
                return;
    }
}

} // namespace heteroscope::profiling
