// SPDX-License-Identifier: Apache-2.0
// Search by name: first over the interned texts, then over the name column of each track.
#include "compute/base/ascii_case.h"
#include "profiling/trace/trace_impl.h"

#include <algorithm>

namespace heteroscope::profiling {

using Reading = Reclaimer::Reading;

namespace {

struct Hit {
    std::int64_t start;
    SpanRef ref;
    bool operator<(const Hit& other) const {
        if (start != other.start)
            return start < other.start;
        return ref.track != other.ref.track ? ref.track < other.ref.track : ref.index < other.ref.index;
    }
};

/// Keeps the `limit` earliest hits.
class EarliestHits {
  public:
    explicit EarliestHits(std::size_t limit) : m_limit(limit) {}
    void add(const Hit& hit) {
        if (m_heap.size() == m_limit) {
            if (!(hit < m_heap.front()))
                return;
            std::pop_heap(m_heap.begin(), m_heap.end());
            m_heap.pop_back();
        }
        m_heap.push_back(hit);
        std::push_heap(m_heap.begin(), m_heap.end());
    }
    std::vector<SpanRef> take() {
        std::sort_heap(m_heap.begin(), m_heap.end());
        std::vector<SpanRef> refs;
        for (const Hit& hit : m_heap)
            refs.push_back(hit.ref);
        return refs;
    }

  private:
    std::size_t m_limit;
    std::vector<Hit> m_heap;
};

} // namespace

bool containsIgnoringCase(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return lowerAscii(a) == lowerAscii(b); }) != text.end() ||
           part.empty();
}

std::vector<SpanRef> Trace::search(std::string_view text, std::size_t limit) const {
    if (limit == 0)
        return {};
    const Reading reading(m_impl->reclaimer);
    std::vector<bool> matches(stringCount());
    bool any = false;
    for (StringId id = 0; id < matches.size(); ++id) {
        matches[id] = containsIgnoringCase(m_impl->strings.text(id), text);
        any = any || matches[id];
    }
    EarliestHits hits(limit);
    const std::uint32_t tracks = any ? trackCount() : 0;
    for (TrackId track = 0; track < tracks; ++track) {
        const TrackData* const data = m_impl->find(track);
        const TrackView* const view = Impl::viewOf(data);
        const std::uint32_t count = view ? view->rows : 0;
        for (std::uint32_t row = 0; row < count; ++row) {
            const SpanRows& rows = data->spans.rows();
            const StringId name = rows.name(row);
            if (name < matches.size() && matches[name])
                hits.add({rows.start(row), {track, rows.lane(row), row}});
        }
    }
    return hits.take();
}

} // namespace heteroscope::profiling
