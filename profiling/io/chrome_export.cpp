// SPDX-License-Identifier: Apache-2.0
// Writes a trace as Chrome JSON: a process per top track, a thread per track (per lane where spans overlap
// without nesting, which the format cannot show on one thread). Times are microseconds with three decimals,
// so nothing is lost. Counter values that are no numbers are left out: JSON has none.
#include "profiling/io/chrome_json.h"
#include "profiling/io/utf8.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace heteroscope::profiling {

namespace {

constexpr std::size_t kFlushFrom = 1 << 20;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

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
    ChromeWriter(const Trace& trace, std::FILE* file) : m_trace(trace), m_file(file) {}

    /// False when writing failed; errno says why.
    bool run() {
        m_text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
        for (TrackId id = 0; id < m_trace.trackCount(); ++id)
            defineTrack(id);
        m_trace.forEachSpan([this](SpanRef ref, const Span& span) {
            writeSpan(ref, span);
            return flushIfLong();
        });
        m_trace.forEachCounter([this](TrackId track, const CounterPoint& point) {
            writePoint(track, point);
            return flushIfLong();
        });
        m_trace.forEachFlow([this](const Flow& flow) {
            writeFlow(flow);
            return flushIfLong();
        });
        m_text += "\n]}\n";
        return m_good && flush() && std::fflush(m_file) == 0;
    }

  private:
    void beginEvent(const char* phase) {
        m_text.append(m_first ? "\n{\"ph\":\"" : ",\n{\"ph\":\"").append(phase).append("\"");
        m_first = false;
    }
    void number(const char* key, std::int64_t value) {
        std::array<char, 24> digits{};
        m_text.append(key).append(digits.data(),
                                  std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    }
    void microseconds(const char* key, std::int64_t ns) {
        m_text += key;
        if (ns < 0)
            m_text += '-';
        const std::int64_t size = std::abs(ns);
        number("", size / 1000);
        for (const std::int64_t place : {100, 10, 1})
            m_text += place == 100 ? std::string{'.', digit(size, place)} : std::string{digit(size, place)};
    }
    static char digit(std::int64_t ns, std::int64_t place) {
        return static_cast<char>('0' + ns / place % 10);
    }
    void text(const char* key, std::string_view value) {
        m_text += key;
        appendJsonString(m_text, value);
    }

    TrackId processOf(TrackId track) const {
        for (TrackId up = m_trace.track(track).parent; up != kNoTrack; up = m_trace.track(up).parent)
            track = up;
        return track;
    }
    std::int64_t threadOf(TrackId track, std::uint16_t lane) const {
        return m_threads[track].size() > 1 ? m_threads[track][lane] : m_threads[track][0];
    }
    void place(TrackId track, std::uint16_t lane) {
        number(",\"pid\":", std::int64_t{processOf(track)} + 1);
        number(",\"tid\":", threadOf(track, lane));
    }

    /// Whether each span below the first lane lies within one of the lane above.
    bool nests(TrackId track) const {
        std::vector<DrawSpan> spans;
        for (std::uint16_t lane = 1; lane < m_trace.laneCount(track); ++lane) {
            spans.clear();
            m_trace.query(track, lane, m_trace.startNs(), m_trace.endNs() + 1, 0.0, spans);
            for (const DrawSpan& span : spans) {
                const auto outer =
                    m_trace.span(m_trace.at(track, static_cast<std::uint16_t>(lane - 1), span.startNs, 0));
                if (!outer || outer->startNs > span.startNs ||
                    outer->startNs + outer->durationNs < span.endNs)
                    return false;
            }
        }
        return true;
    }

    void defineTrack(TrackId id) {
        const Track track = m_trace.track(id);
        const std::string name = m_trace.string(track.name);
        m_threads.push_back({std::int64_t{id} + 1});
        if (!nests(id))
            for (std::uint16_t lane = 1; lane < m_trace.laneCount(id); ++lane)
                m_threads.back().push_back(m_extraThread++);
        if (track.parent == kNoTrack) {
            metadata("process_name", id, 0);
            text(",\"args\":{\"name\":", name);
            m_text += "}}";
            metadata("process_sort_index", id, 0);
            number(",\"args\":{\"sort_index\":", track.sortKey);
            m_text += "}}";
        }
        if (m_trace.spanCount(id) == 0)
            return;
        for (std::uint16_t lane = 0; lane < m_threads.back().size(); ++lane) {
            metadata("thread_name", id, lane);
            text(",\"args\":{\"name\":", lane ? name + " (overlap " + std::to_string(lane) + ")" : name);
            m_text += "}}";
            metadata("thread_sort_index", id, lane);
            number(",\"args\":{\"sort_index\":", track.sortKey);
            m_text += "}}";
        }
    }
    void metadata(const char* name, TrackId track, std::uint16_t lane) {
        beginEvent("M");
        text(",\"name\":", name);
        place(track, lane);
    }

    void writeSpan(SpanRef ref, const Span& span) {
        beginEvent("X");
        text(",\"name\":", m_trace.string(span.name));
        if (span.category)
            text(",\"cat\":", m_trace.string(span.category));
        place(ref.track, ref.lane);
        microseconds(",\"ts\":", span.startNs);
        microseconds(",\"dur\":", span.durationNs);
        if (span.args) {
            const char* separator = ",\"args\":{";
            for (const auto& [key, value] : m_trace.args(span.args)) {
                text(separator, key);
                m_text += ':';
                if (isPlainNumber(value))
                    m_text += value;
                else
                    appendJsonString(m_text, value);
                separator = ",";
            }
            m_text += separator[1] ? "" : "}";
        }
        m_text += '}';
    }

    void writePoint(TrackId id, const CounterPoint& point) {
        if (!std::isfinite(point.value))
            return;
        const Track track = m_trace.track(id);
        beginEvent("C");
        text(",\"name\":", m_trace.string(track.name));
        place(id, 0);
        microseconds(",\"ts\":", point.timeNs);
        text(",\"args\":{", track.unit ? m_trace.string(track.unit) : "value");
        std::array<char, 32> digits{};
        m_text.append(":").append(
            digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), point.value).ptr);
        m_text += "}}";
    }

    /// A time at which the span is the innermost one if there is one: flows bind to that.
    std::int64_t ownTime(SpanRef ref) const {
        constexpr int kMostTries = 100;
        const Span span = *m_trace.span(ref);
        std::int64_t time = span.startNs;
        for (int i = 0; i < kMostTries && time < span.startNs + span.durationNs; ++i) {
            const auto inner =
                m_trace.span(m_trace.at(ref.track, static_cast<std::uint16_t>(ref.lane + 1), time, 0));
            if (!inner || inner->startNs > time || inner->startNs + inner->durationNs <= time)
                return time;
            time = inner->startNs + inner->durationNs;
        }
        return span.startNs;
    }
    void writeFlow(const Flow& flow) {
        ++m_flows;
        for (const bool start : {true, false}) {
            const SpanRef ref = start ? flow.from : flow.to;
            beginEvent(start ? "s" : "f\",\"bp\":\"e");
            m_text += ",\"name\":\"flow\",\"cat\":\"flow\"";
            number(",\"id\":", m_flows);
            place(ref.track, ref.lane);
            microseconds(",\"ts\":", ownTime(ref));
            m_text += '}';
        }
    }

    bool flushIfLong() { return m_text.size() < kFlushFrom || flush(); }
    bool flush() {
        m_good = m_good && std::fwrite(m_text.data(), 1, m_text.size(), m_file) == m_text.size();
        m_text.clear();
        return m_good;
    }

    const Trace& m_trace;
    std::FILE* m_file;
    std::string m_text;
    std::vector<std::vector<std::int64_t>> m_threads; ///< per track; several: one per lane
    std::int64_t m_extraThread = 1000001;
    std::int64_t m_flows = 0;
    bool m_first = true, m_good = true;
};

} // namespace

Status exportChromeJson(const Trace& trace, const std::string& path) {
    const std::string temporary = path + ".part" + std::to_string(::getpid());
    const auto failed = [&](const char* what) {
        const std::string reason = std::strerror(errno);
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        return Error{ErrorCode::Io, std::string(what) + ": " + reason, path, {}, {}};
    };
    std::unique_ptr<std::FILE, Close> file(std::fopen(temporary.c_str(), "wb"));
    if (!file)
        return failed("cannot be created");
    if (!ChromeWriter(trace, file.get()).run())
        return failed("cannot be written");
    if (std::fclose(file.release()) != 0)
        return failed("cannot be written");
    if (std::rename(temporary.c_str(), path.c_str()) != 0)
        return failed("cannot be renamed into place");
    return {};
}

} // namespace heteroscope::profiling
