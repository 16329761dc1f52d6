// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/trace_frames.h"

#include <map>

namespace heteroscope::profiling {

namespace {

constexpr std::size_t kBatch = 65536;
constexpr std::uint32_t kTextBatch = 16384;

class TraceFrames {
  public:
    TraceFrames(const Trace& trace, StreamWriter& writer) : m_trace(trace), m_writer(writer) {}

    Status run() {
        Status status = strings();
        for (auto step :
             {&TraceFrames::tracks, &TraceFrames::spans, &TraceFrames::counters, &TraceFrames::flows})
            if (status)
                status = (this->*step)();
        return status ? m_writer.dataQuality(m_trace.quality()) : status;
    }

  private:
    Status strings() {
        const std::uint32_t count = m_trace.stringCount();
        for (StringId first = 1; first < count; first += kTextBatch) {
            StringsChunk chunk{first, {}};
            for (StringId id = first; id < count && id < first + kTextBatch; ++id) {
                chunk.texts.push_back(m_trace.string(id));
                m_ids.emplace(chunk.texts.back(), id);
            }
            if (Status status = m_writer.strings(chunk); !status)
                return status;
        }
        return {};
    }
    Status tracks() {
        std::vector<Track> all;
        for (TrackId id = 0; id < m_trace.trackCount(); ++id)
            all.push_back(m_trace.track(id));
        return m_writer.tracks(all);
    }
    /// In the order of arrival, which flows count in.
    Status spans() {
        for (TrackId track = 0; track < m_trace.trackCount(); ++track) {
            const auto count = static_cast<std::uint32_t>(m_trace.spanCount(track));
            for (std::uint32_t index = 0; index < count; ++index) {
                Span span = *m_trace.span({track, 0, index});
                span.args = streamArgs(span.args);
                m_batch.push_back(span);
                if (m_batch.size() == kBatch)
                    if (Status status = flushSpans(); !status)
                        return status;
            }
        }
        return flushSpans();
    }
    Status flushSpans() {
        Status status;
        if (!m_sets.empty())
            status = m_writer.args(m_firstSet, m_sets);
        m_firstSet += static_cast<std::uint32_t>(m_sets.size());
        m_sets.clear();
        if (status)
            status = m_writer.spans(m_batch);
        m_batch.clear();
        return status;
    }
    /// The id in the stream of a set of the store: sets are numbered as they are met.
    std::uint32_t streamArgs(std::uint32_t id) {
        if (id == 0)
            return 0;
        const auto next = m_firstSet + static_cast<std::uint32_t>(m_sets.size());
        const auto [known, fresh] = m_setIds.try_emplace(id, next);
        if (fresh) {
            std::vector<std::pair<StringId, std::string>> set;
            for (auto& [key, value] : m_trace.args(id))
                set.emplace_back(m_ids[key], std::move(value));
            m_sets.push_back(std::move(set));
        }
        return known->second;
    }
    Status counters() {
        std::map<TrackId, std::vector<CounterPoint>> points;
        m_trace.forEachCounter([&](TrackId track, const CounterPoint& point) {
            points[track].push_back(point);
            return true;
        });
        for (const auto& [track, list] : points)
            if (Status status = m_writer.counters(track, list); !status)
                return status;
        return {};
    }
    Status flows() {
        std::vector<Flow> all;
        m_trace.forEachFlow([&](const Flow& flow) {
            all.push_back(flow);
            return true;
        });
        return m_writer.flows(all);
    }

    const Trace& m_trace;
    StreamWriter& m_writer;
    std::map<std::string, StringId> m_ids{{"", 0}};
    std::map<std::uint32_t, std::uint32_t> m_setIds;
    std::vector<std::vector<std::pair<StringId, std::string>>> m_sets;
    std::uint32_t m_firstSet = 1;
    std::vector<Span> m_batch;
};

} // namespace

Status writeTrace(const Trace& trace, StreamWriter& writer) {
    return TraceFrames(trace, writer).run();
}

} // namespace heteroscope::profiling
