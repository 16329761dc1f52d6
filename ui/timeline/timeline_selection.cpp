// SPDX-License-Identifier: GPL-3.0-or-later
// The shared state of a timeline: selection, range and search.
#include "ui/timeline/span_walk.h"
#include "ui/timeline/timeline_state.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>

namespace heteroscope::ui {

using profiling::SpanRef;

std::optional<profiling::Span> TimelineState::selectedSpan() const {
    return m_trace && m_selected.valid() ? m_trace->span(m_selected) : std::nullopt;
}

void TimelineState::select(SpanRef ref, bool reveal) {
    const bool changed = !(ref == m_selected);
    m_selected = m_trace && ref.valid() ? m_trace->locate(ref) : SpanRef{};
    const auto span = selectedSpan();
    if (reveal && span) {
        revealTrack(m_selected.track, m_selected.lane);
        const double left = m_axis.toPixel(span->startNs);
        const double right = m_axis.toPixel(span->startNs + span->durationNs);
        if (right < 0.0 || left > m_axis.width()) {
            setFollowing(false);
            m_axis.place(span->startNs + span->durationNs / 2, m_axis.width() / 2.0);
            userMoved();
        }
    }
    if (changed)
        emit selectionChanged();
}

void TimelineState::selectNeighbour(bool forward) {
    if (!m_trace)
        return;
    if (!m_selected.valid()) { // start with the first row that has a span near the middle of the window
        const std::int64_t middle = m_axis.toNs(m_axis.width() / 2.0);
        for (const Row& row : m_layout.rows()) {
            const SpanRef ref = row.lanes > 0 ? nearestSpan(*m_trace, row.track, middle) : SpanRef{};
            if (ref.valid())
                return select(ref, true);
        }
        return;
    }
    const SpanRef next = neighbourSpan(*m_trace, m_selected, forward);
    if (next.valid())
        select(next, true);
}

void TimelineState::selectVertically(int by) {
    const auto span = selectedSpan();
    if (!span)
        return selectNeighbour(true);
    const std::int64_t middle = span->startNs + span->durationNs / 2;
    const int lanes = m_trace->laneCount(m_selected.track);
    const int lane = m_selected.lane + by;
    if (lane >= 0 && lane < lanes && !m_layout.isCollapsed(m_selected.track)) {
        const SpanRef ref = m_trace->at(m_selected.track, static_cast<std::uint16_t>(lane), middle,
                                        m_axis.limitEndNs() - m_axis.limitStartNs());
        if (ref.valid())
            return select(ref, true);
    }
    const auto& rows = m_layout.rows();
    auto at =
        std::find_if(rows.begin(), rows.end(), [this](const Row& r) { return r.track == m_selected.track; });
    if (at == rows.end())
        return;
    for (auto i = (at - rows.begin()) + by; i >= 0 && i < static_cast<std::ptrdiff_t>(rows.size()); i += by) {
        const Row& row = rows[static_cast<std::size_t>(i)];
        const SpanRef ref = row.lanes > 0 ? nearestSpan(*m_trace, row.track, middle) : SpanRef{};
        if (ref.valid())
            return select(ref, true);
    }
}

bool TimelineState::hasCopies() const {
    const auto& tracks = layout().tracks();
    return std::any_of(tracks.begin(), tracks.end(),
                       [](const TrackInfo& track) { return track.kind == profiling::TrackKind::Copy; });
}

void TimelineState::setRange(std::optional<TimeRange> range) {
    if (range && range->endNs < range->startNs)
        std::swap(range->startNs, range->endNs);
    if (range == m_range)
        return;
    m_range = range;
    emit rangeChanged();
}

void TimelineState::fitSelection() {
    if (m_range)
        return showRange(*m_range);
    if (m_selected.valid())
        return zoomToSpan(m_selected);
    fitAll();
}

void TimelineState::zoomToSpan(SpanRef ref) {
    const auto span = m_trace ? m_trace->span(ref) : std::nullopt;
    if (!span)
        return;
    const std::int64_t margin = std::max<std::int64_t>(1, span->durationNs / 10);
    select(ref, true);
    showRange({span->startNs - margin, span->startNs + span->durationNs + margin});
}

void TimelineState::search(const QString& text) {
    m_searchText = text;
    m_nameMatches.clear();
    const std::uint64_t ticket = ++m_searchTicket;
    m_searching = m_trace && !text.isEmpty();
    m_hits.clear();
    m_currentHit = -1;
    emit searchChanged();
    if (!m_searching)
        return;
    QThreadPool::globalInstance()->start(
        [self = QPointer(this), trace = m_trace, needle = text.toStdString(), ticket] {
            std::vector<SpanRef> hits = trace->search(needle, kMostHits);
            QMetaObject::invokeMethod(
                qApp,
                [self, ticket, hits = std::move(hits)]() mutable {
                    if (self)
                        self->finishSearch(ticket, std::move(hits));
                },
                Qt::QueuedConnection);
        });
}

void TimelineState::finishSearch(std::uint64_t ticket, std::vector<SpanRef> hits) {
    if (ticket != m_searchTicket)
        return; // the text has changed meanwhile
    m_searching = false;
    m_hits = std::move(hits);
    emit searchChanged();
}

void TimelineState::stepHit(int by) {
    if (m_hits.empty())
        return;
    const int count = static_cast<int>(m_hits.size());
    m_currentHit = m_currentHit < 0 ? (by > 0 ? 0 : count - 1) : (m_currentHit + by + count) % count;
    select(m_hits[static_cast<std::size_t>(m_currentHit)], true);
    emit searchChanged();
}

bool TimelineState::matchesSearch(profiling::StringId name) {
    constexpr profiling::StringId kRemembered = 1u << 22;
    const auto look = [&] {
        return QString::fromStdString(m_trace->string(name)).contains(m_searchText, Qt::CaseInsensitive);
    };
    if (name >= kRemembered)
        return look();
    if (name >= m_nameMatches.size())
        m_nameMatches.resize(name + 256, -1);
    signed char& known = m_nameMatches[name];
    if (known < 0)
        known = look() ? 1 : 0;
    return known != 0;
}

} // namespace heteroscope::ui
