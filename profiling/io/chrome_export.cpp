// SPDX-License-Identifier: Apache-2.0
// Writes a trace as Chrome JSON: a process per top track, a thread per track, and more threads for spans that
// overlap without nesting, which the format cannot show on one. A trace may grow meanwhile: each track is
// read as it is when its turn comes, and what rows need is written after all of them. What the format cannot
// hold is counted under "otherData", where the viewers show it.
#include "profiling/io/chrome_json.h"
#include "profiling/io/chrome_text.h"
#include "profiling/io/chrome_threads.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace heteroscope::profiling {

namespace {

/// Threads beyond the first of a track are numbered from here: above all tracks, within 32 bits.
constexpr std::int64_t kFirstExtraThread = std::int64_t{1} << 28;

/// Digits, one point at most, a minus in front: what every JSON reader takes for a number.
bool isPlainNumber(std::string_view text) {
    if (text.starts_with('-'))
        text.remove_prefix(1);
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const auto digits = [](std::string_view part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return text.size() <= 15 && digits(whole) && (whole.size() == 1 || whole[0] != '0') &&
           (point == std::string_view::npos || digits(text.substr(point + 1)));
}

class ChromeWriter {
  public:
    ChromeWriter(const Trace& trace, const std::function<bool(std::string_view)>& write)
        : m_trace(trace), m_out(write) {}

    /// False when writing failed.
    bool run() {
        m_out.raw("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        collectFlows();
        for (TrackId id = 0; id < m_trace.trackCount(); ++id)
            writeSpans(id);
        m_trace.forEachCounter([this](TrackId track, const CounterPoint& point) {
            writePoint(track, point);
            return m_out.flushIfLong();
        });
        for (const auto& [from, to] : m_flows)
            writeFlow(from, to);
        writeRows();
        m_out.raw("\n],\"otherData\":{");
        writeQuality();
        m_out.raw("}}\n");
        return m_out.flush();
    }

  private:
    static std::uint64_t keyOf(SpanRef ref) { return (std::uint64_t{ref.track} << 32) | ref.index; }

    TrackId processOf(TrackId track) const {
        for (TrackId up = m_trace.track(track).parent; up != kNoTrack; up = m_trace.track(up).parent)
            track = up;
        return track;
    }
    void place(TrackId track, std::int64_t thread) {
        m_out.number(",\"pid\":", std::int64_t{processOf(track)} + 1);
        m_out.number(",\"tid\":", thread);
    }

    void collectFlows() {
        m_trace.forEachFlow([this](const Flow& flow) {
            m_flows.emplace_back(flow.from, flow.to);
            m_flowPlaces.try_emplace(keyOf(flow.from));
            m_flowPlaces.try_emplace(keyOf(flow.to));
            return true;
        });
    }

    std::int64_t threadNumber(TrackId track, std::size_t thread) {
        std::vector<std::int64_t>& numbers = m_threads[track];
        while (numbers.size() <= thread)
            numbers.push_back(numbers.empty() ? std::int64_t{track} + 1 : m_nextExtraThread++);
        return numbers[thread];
    }

    void writeSpans(TrackId track) {
        ThreadPlacer placer;
        m_trace.forEachSpanByStart(track, [&](SpanRef ref, const Span& span) {
            const auto found = m_flowPlaces.find(keyOf(ref));
            FlowPlace* const flows = found == m_flowPlaces.end() ? nullptr : &found->second;
            const std::int64_t thread = threadNumber(track, placer.place(span, flows));
            if (flows)
                flows->setSpan(thread, span.startNs, span.startNs + span.durationNs);
            writeSpan(span, thread);
            return m_out.flushIfLong();
        });
    }
    void writeSpan(const Span& span, std::int64_t thread) {
        m_out.beginEvent("X");
        m_out.text(",\"name\":", m_trace.string(span.name));
        if (span.category)
            m_out.text(",\"cat\":", m_trace.string(span.category));
        place(span.track, thread);
        m_out.microseconds(",\"ts\":", span.startNs);
        m_out.microseconds(",\"dur\":", span.durationNs);
        if (span.args)
            writeArgs(span.args);
        m_out.raw("}");
    }
    void writeArgs(std::uint32_t id) {
        const char* separator = ",\"args\":{";
        for (const auto& [key, value] : m_trace.args(id)) {
            m_out.text(separator, key);
            m_out.raw(":");
            if (isPlainNumber(value))
                m_out.raw(value);
            else
                m_out.escaped(value);
            separator = ",";
        }
        m_out.raw(separator[1] ? "" : "}");
    }

    /// Viewers join the counters of a process that have one name, unless they have an id.
    std::int64_t counterNumber(TrackId id, const std::string& name) {
        const auto [known, isNew] = m_counters.try_emplace(id, 0);
        if (isNew)
            known->second = ++m_countersOfName[{processOf(id), name}];
        return known->second;
    }
    void writePoint(TrackId id, const CounterPoint& point) {
        if (!std::isfinite(point.value)) {
            ++m_notFinite;
            return;
        }
        const Track track = m_trace.track(id);
        const std::string name = m_trace.string(track.name);
        m_out.beginEvent("C");
        m_out.text(",\"name\":", name);
        if (const std::int64_t number = counterNumber(id, name); number > 1)
            m_out.text(",\"id\":", std::to_string(number));
        place(id, std::int64_t{id} + 1);
        m_out.microseconds(",\"ts\":", point.timeNs);
        m_out.text(",\"args\":{", track.unit ? m_trace.string(track.unit) : "value");
        m_out.number(":", point.value);
        m_out.raw("}}");
    }

    void writeFlow(SpanRef from, SpanRef to) {
        const FlowPlace &start = m_flowPlaces.at(keyOf(from)), &end = m_flowPlaces.at(keyOf(to));
        if (!start.known() || !end.known())
            return; // writing failed before their track's turn
        const auto times = flowTimes(start, end);
        if (!times) {
            ++m_backwards;
            return;
        }
        ++m_flowNumber;
        writeFlowEnd("s", from.track, start, times->startNs);
        writeFlowEnd("f\",\"bp\":\"e", to.track, end, times->endNs);
        m_out.flushIfLong();
    }
    void writeFlowEnd(const char* phase, TrackId track, const FlowPlace& at, std::int64_t timeNs) {
        m_out.beginEvent(phase);
        m_out.raw(",\"name\":\"flow\",\"cat\":\"flow\"");
        m_out.number(",\"id\":", m_flowNumber);
        place(track, at.thread());
        m_out.microseconds(",\"ts\":", timeNs);
        m_out.raw("}");
    }

    /// Names and order of the rows: processes as the top tracks are ordered, in each its tracks depth first.
    void writeRows() {
        std::map<TrackId, std::vector<TrackId>> children; // kNoTrack: the top
        const std::uint32_t count = m_trace.trackCount();
        for (TrackId id = 0; id < count; ++id)
            children[m_trace.track(id).parent].push_back(id);
        for (auto& [parent, ids] : children)
            std::stable_sort(ids.begin(), ids.end(), [this](TrackId a, TrackId b) {
                return m_trace.track(a).sortKey < m_trace.track(b).sortKey;
            });
        std::vector<TrackId> pending(children[kNoTrack].rbegin(), children[kNoTrack].rend());
        while (!pending.empty()) {
            const TrackId id = pending.back();
            pending.pop_back();
            writeRow(id);
            if (const auto below = children.find(id); below != children.end())
                pending.insert(pending.end(), below->second.rbegin(), below->second.rend());
        }
    }
    void writeRow(TrackId id) {
        const Track track = m_trace.track(id);
        const std::string name = m_trace.string(track.name);
        if (track.parent == kNoTrack)
            writeNameAndOrder("process", id, std::int64_t{id} + 1, name);
        const auto found = m_threads.find(id);
        for (std::size_t i = 0; found != m_threads.end() && i < found->second.size(); ++i)
            writeNameAndOrder("thread", id, found->second[i],
                              i ? name + " (overlap " + std::to_string(i) + ")" : name);
        m_out.flushIfLong();
    }
    void writeNameAndOrder(const std::string& what, TrackId id, std::int64_t thread,
                           const std::string& name) {
        metadata(what + "_name", id, thread);
        m_out.text(",\"args\":{\"name\":", name);
        m_out.raw("}}");
        metadata(what + "_sort_index", id, thread);
        m_out.number(",\"args\":{\"sort_index\":", m_nextPlace++);
        m_out.raw("}}");
    }
    void metadata(const std::string& name, TrackId track, std::int64_t thread) {
        m_out.beginEvent("M");
        m_out.text(",\"name\":", name);
        place(track, thread);
    }

    void writeQuality() {
        const DataQuality quality = m_trace.quality();
        const char* separator = "";
        const auto count = [&](const char* what, std::uint64_t number) {
            if (number == 0)
                return;
            m_out.text(separator, what);
            m_out.number(":", static_cast<std::int64_t>(number));
            separator = ",";
        };
        count("dropped events", quality.droppedEvents);
        count("zero timestamps", quality.zeroTimestamps);
        count("events out of order", quality.outOfOrder);
        count("clipped events", quality.clipped);
        count("effects before their cause", quality.causalViolations);
        count("left out: counter values that are no numbers", m_notFinite);
        count("left out: flows to a span that is over before", m_backwards);
        std::size_t number = 0;
        for (const std::string& note : quality.notes) {
            m_out.text(separator, "note " + std::to_string(++number));
            m_out.text(":", note);
            separator = ",";
        }
    }

    const Trace& m_trace;
    ChromeText m_out;
    std::unordered_map<TrackId, std::vector<std::int64_t>> m_threads; ///< their numbers, of tracks with spans
    std::vector<std::pair<SpanRef, SpanRef>> m_flows;
    std::unordered_map<std::uint64_t, FlowPlace> m_flowPlaces; ///< by keyOf; addresses stay
    std::unordered_map<TrackId, std::int64_t> m_counters;
    std::map<std::pair<TrackId, std::string>, std::int64_t> m_countersOfName;
    std::int64_t m_nextExtraThread = kFirstExtraThread, m_flowNumber = 0, m_nextPlace = 0;
    std::uint64_t m_notFinite = 0, m_backwards = 0;
};

} // namespace

bool writeChromeJson(const Trace& trace, const std::function<bool(std::string_view)>& write) {
    return ChromeWriter(trace, write).run();
}

Status exportChromeJson(const Trace& trace, const std::string& path, const OutputRules& rules) {
    const auto file = OutputFile::open(path, rules);
    if (!file)
        return file.error();
    Status written;
    writeChromeJson(trace, [&](std::string_view text) {
        written = (*file)->write(text);
        return written.ok();
    });
    return written ? (*file)->commit() : written;
}

} // namespace heteroscope::profiling
