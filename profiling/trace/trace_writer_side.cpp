// SPDX-License-Identifier: Apache-2.0
// The writer's half of Trace: defining, appending and publishing.
#include "profiling/trace/trace_impl.h"

#include <algorithm>

namespace heteroscope::profiling {

Trace::Trace() : m_impl(std::make_unique<Impl>()) {}
Trace::~Trace() = default;

StringId Trace::intern(std::string_view text) {
    return m_impl->strings.intern(text);
}

TrackId Trace::addTrack(Track track) {
    track.id = m_impl->tracks.size();
    if (track.parent >= track.id)
        track.parent = kNoTrack;
    m_impl->bytes.fetch_add(sizeof(TrackData), std::memory_order_relaxed);
    return m_impl->tracks.push(std::make_unique<TrackData>(track, m_impl->bytes));
}

std::uint32_t Trace::addArgs(const std::vector<std::pair<StringId, std::string>>& args) {
    return m_impl->args.add(args);
}

TrackData* Trace::Impl::writable(TrackId track) {
    return track < tracks.size() ? tracks.at(track).get() : nullptr;
}

void Trace::Impl::markDirty(TrackData& data) {
    if (!data.dirty)
        dirty.push_back(data.info.id);
    data.dirty = true;
}

Span Trace::Impl::sane(const Span& span) {
    Span cut = span;
    cut.startNs = std::clamp(span.startNs, -kMaxTraceTimeNs, kMaxTraceTimeNs);
    cut.durationNs = std::clamp<std::int64_t>(span.durationNs, 0,
                                              kMaxTraceTimeNs - std::max<std::int64_t>(cut.startNs, 0));
    if (cut.startNs != span.startNs || cut.durationNs != span.durationNs) {
        ++clipped;
        qualityChanged = true;
    }
    return cut;
}

SpanRef Trace::append(const Span& span) {
    TrackData* const data = m_impl->writable(span.track);
    if (!data)
        return {};
    const Span cut = m_impl->sane(span);
    m_impl->markDirty(*data);
    m_impl->written.cover(cut.startNs, cut.startNs + cut.durationNs);
    ++m_impl->spansWritten;
    const std::uint32_t row = data->spans.append(cut, m_impl->reclaimer);
    return {span.track, data->spans.rows().lane(row), row};
}

void Trace::appendBatch(const Span* spans, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        append(spans[i]);
}

void Trace::appendCounter(TrackId track, std::int64_t timeNs, double value) {
    TrackData* const data = m_impl->writable(track);
    if (!data)
        return;
    const std::int64_t time = std::clamp(timeNs, -kMaxTraceTimeNs, kMaxTraceTimeNs);
    m_impl->markDirty(*data);
    m_impl->written.cover(time, time);
    ++m_impl->pointsWritten;
    data->counter.append({time, value}, m_impl->reclaimer, m_impl->bytes);
}

void Trace::appendFlow(const Flow& flow) {
    m_impl->flows.add(flow, m_impl->reclaimer);
}

void Trace::setQuality(DataQuality quality) {
    m_impl->given = std::move(quality);
    m_impl->qualityChanged = true;
}

void Trace::Impl::publishTrack(TrackData& data) {
    data.spans.mergeLate(reclaimer);
    data.counter.mergeLate(reclaimer, bytes);
    auto view = std::make_unique<TrackView>();
    view->rows = data.spans.rows().written();
    view->lanes = data.spans.views();
    view->counter = data.counter.view();
    data.dirty = false;
    if (data.spans.overflowed())
        qualityChanged = true;
    reclaimer.retire(std::unique_ptr<const TrackView>(data.view.exchange(view.release())));
}

void Trace::Impl::publishQuality() {
    auto now = std::make_unique<DataQuality>(given);
    now->clipped += clipped;
    for (std::uint32_t i = 0; i < tracks.size(); ++i)
        if (tracks[i]->spans.overflowed())
            now->notes.push_back(std::string(strings.text(tracks[i]->info.name)) + ": more than " +
                                 std::to_string(kMaxLanes) +
                                 " spans are open at once; the rest share the last row");
    reclaimer.retire(std::unique_ptr<const DataQuality>(quality.exchange(now.release())));
    qualityChanged = false;
}

void Trace::publish() {
    Impl& impl = *m_impl;
    for (const TrackId track : impl.dirty)
        impl.publishTrack(*impl.tracks.at(track));
    impl.dirty.clear();
    if (impl.qualityChanged)
        impl.publishQuality();
    if (impl.spansWritten + impl.pointsWritten > 0) {
        impl.start.store(impl.written.start, std::memory_order_relaxed);
        impl.end.store(impl.written.end, std::memory_order_relaxed);
    }
    impl.spanCount.store(impl.spansWritten, std::memory_order_relaxed);
    impl.pointCount.store(impl.pointsWritten, std::memory_order_relaxed);
    impl.revision.fetch_add(1, std::memory_order_release);
    impl.reclaimer.collect();
}

} // namespace heteroscope::profiling
