// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_frames.h"

#include <map>
#include <tuple>
#include <unordered_map>

namespace heteroscope::cli {
namespace {

using namespace profiling;

using RefKey = std::tuple<TrackId, std::uint16_t, std::uint32_t>;
RefKey keyOf(const SpanRef& ref) {
    return {ref.track, ref.lane, ref.index};
}

class TraceFrames {
  public:
    TraceFrames(const Trace& trace, StreamWriter& writer) : m_trace(trace), m_writer(writer) {}

    Status write() {
        collectFlows();
        writeTracks();
        m_trace.forEachSpan([this](SpanRef ref, const Span& span) { return takeSpan(ref, span); });
        flushSpans();
        m_trace.forEachCounter(
            [this](TrackId track, const CounterPoint& point) { return takePoint(track, point); });
        flushPoints();
        if (m_status && !m_flows.empty())
            note(m_writer.flows(writtenFlows()));
        note(m_writer.dataQuality(m_trace.quality()));
        return m_status;
    }

  private:
    static constexpr std::size_t kBatch = 32768;
    static constexpr std::size_t kTextBytes = std::size_t{8} << 20; ///< of texts before they are written

    void note(const Status& status) {
        if (m_status && !status)
            m_status = status;
    }

    /// What many long texts add up to would be too much for one record.
    void keep(std::string text) {
        m_newTextBytes += text.size();
        m_newTexts.push_back(std::move(text));
        if (m_newTextBytes >= kTextBytes)
            flushTexts();
    }

    StringId stringId(StringId old) {
        if (old == 0)
            return 0;
        const auto [entry, isNew] = m_strings.try_emplace(old, m_nextString);
        if (isNew) {
            ++m_nextString;
            keep(m_trace.string(old));
        }
        return entry->second;
    }

    /// Argument names are texts of the store's argument sets: they get ids of their own.
    StringId nameId(const std::string& text) {
        const auto [entry, isNew] = m_names.try_emplace(text, m_nextString);
        if (isNew) {
            ++m_nextString;
            keep(text);
        }
        return entry->second;
    }

    std::uint32_t argsId(std::uint32_t old) {
        if (old == 0)
            return 0;
        const auto [entry, isNew] = m_args.try_emplace(old, m_nextArgs);
        if (isNew) {
            ++m_nextArgs;
            std::vector<std::pair<StringId, std::string>> set;
            for (auto& [name, value] : m_trace.args(old)) {
                m_newArgBytes += value.size();
                set.emplace_back(nameId(name), std::move(value));
            }
            m_newArgs.push_back(std::move(set));
        }
        return entry->second;
    }

    void flushTexts() {
        if (!m_newTexts.empty())
            note(m_writer.strings({m_nextString - static_cast<StringId>(m_newTexts.size()), m_newTexts}));
        m_newTexts.clear();
        m_newTextBytes = 0;
    }

    void flushNames() {
        flushTexts();
        if (!m_newArgs.empty())
            note(m_writer.args(m_nextArgs - static_cast<std::uint32_t>(m_newArgs.size()), m_newArgs));
        m_newArgs.clear();
        m_newArgBytes = 0;
    }

    void writeTracks() {
        std::vector<Track> tracks;
        for (TrackId id = 0; id < m_trace.trackCount(); ++id) {
            Track track = m_trace.track(id);
            track.name = stringId(track.name);
            track.unit = stringId(track.unit);
            tracks.push_back(track);
        }
        flushNames();
        note(m_writer.tracks(tracks));
    }

    bool takeSpan(SpanRef ref, const Span& span) {
        const std::uint32_t index = m_writtenOn[span.track]++;
        if (const auto linked = m_linked.find(keyOf(ref)); linked != m_linked.end())
            linked->second = index;
        Span copy = span;
        copy.name = stringId(span.name);
        copy.category = stringId(span.category);
        copy.args = argsId(span.args);
        m_spans.push_back(copy);
        if (m_spans.size() >= kBatch || m_newArgBytes >= kTextBytes)
            flushSpans();
        return m_status.ok();
    }

    void flushSpans() {
        flushNames();
        if (!m_spans.empty())
            note(m_writer.spans(m_spans));
        m_spans.clear();
    }

    bool takePoint(TrackId track, const CounterPoint& point) {
        if (track != m_pointTrack || m_points.size() >= kBatch)
            flushPoints();
        m_pointTrack = track;
        m_points.push_back(point);
        return m_status.ok();
    }

    void flushPoints() {
        if (!m_points.empty())
            note(m_writer.counters(m_pointTrack, m_points));
        m_points.clear();
    }

    void collectFlows() {
        m_trace.forEachSpan([this](SpanRef ref, const Span&) {
            for (const Flow& flow : m_trace.flowsOf(ref)) {
                if (!(flow.from == ref))
                    continue;
                m_flows.push_back(flow);
                m_linked.try_emplace(keyOf(flow.from), 0);
                m_linked.try_emplace(keyOf(flow.to), 0);
            }
            return true;
        });
    }

    /// In the stream a span is known by its place among the spans written on its track.
    std::vector<Flow> writtenFlows() const {
        std::vector<Flow> flows = m_flows;
        for (Flow& flow : flows) {
            flow.from.index = m_linked.at(keyOf(flow.from));
            flow.to.index = m_linked.at(keyOf(flow.to));
        }
        return flows;
    }

    const Trace& m_trace;
    StreamWriter& m_writer;
    Status m_status;
    std::unordered_map<StringId, StringId> m_strings;
    std::unordered_map<std::string, StringId> m_names;
    std::unordered_map<std::uint32_t, std::uint32_t> m_args;
    StringId m_nextString = 1;
    std::uint32_t m_nextArgs = 1;
    std::vector<std::string> m_newTexts;
    std::size_t m_newTextBytes = 0, m_newArgBytes = 0; ///< of them, and of the values of m_newArgs
    std::vector<std::vector<std::pair<StringId, std::string>>> m_newArgs;
    std::unordered_map<TrackId, std::uint32_t> m_writtenOn;
    std::map<RefKey, std::uint32_t> m_linked;
    std::vector<Flow> m_flows;
    std::vector<Span> m_spans;
    TrackId m_pointTrack = kNoTrack;
    std::vector<CounterPoint> m_points;
};

} // namespace

Status writeTraceFrames(const Trace& trace, StreamWriter& writer) {
    return TraceFrames(trace, writer).write();
}

} // namespace heteroscope::cli
