// SPDX-License-Identifier: Apache-2.0
#include "tests/support/chrome_rules.h"

#include "compute/base/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace heteroscope::test {
namespace {

constexpr std::size_t kMostProblems = 20;

/// "12.345" in nanoseconds; nothing unless there are exactly three decimals.
std::optional<std::int64_t> exactNs(const std::string& text) {
    if (text.size() < 5 || text[text.size() - 4] != '.')
        return std::nullopt;
    const std::string digits = text.substr(0, text.size() - 4) + text.substr(text.size() - 3);
    std::int64_t ns = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ns);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return ns;
}

struct Event {
    std::string phase, name, bindPoint, id, argName;
    std::optional<std::int64_t> pid, tid, timeNs, durationNs, sortIndex;
    int args = 0, numberArgs = 0;
};

/// Collects the events while parsing, times as they are written.
class Reader : public nlohmann::json_sax<Json> {
  public:
    std::vector<Event> events;
    std::vector<std::string> problems;
    bool hasEvents = false;
    std::string timeUnit;

    void problem(const std::string& text) {
        if (problems.size() < kMostProblems)
            problems.push_back("event " + std::to_string(events.size()) + ": " + text);
    }

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t number) override { return integer(number); }
    bool number_unsigned(number_unsigned_t number) override {
        return integer(static_cast<std::int64_t>(number));
    }
    bool number_float(number_float_t number, const string_t& text) override {
        if (m_depth == kEvent && (m_key == "ts" || m_key == "dur")) {
            const auto ns = exactNs(text);
            if (!ns)
                problem(m_key + " " + text + " has not three decimals");
            (m_key == "ts" ? m_event.timeNs : m_event.durationNs) = ns;
        } else if (m_depth == kEvent) {
            problem("a number with decimals in " + m_key);
        }
        m_event.numberArgs += m_depth == kArgs && std::isfinite(number) ? 1 : 0;
        return value();
    }
    bool string(string_t& text) override {
        if (m_depth == kTop && m_key == "displayTimeUnit")
            timeUnit = text;
        if (m_depth == kEvent)
            eventText(text);
        if (m_depth == kArgs && m_key == "name")
            m_event.argName = text;
        return value();
    }
    bool binary(binary_t&) override { return value(); }
    bool start_object(std::size_t) override {
        if (m_depth == kList)
            m_event = {};
        ++m_depth;
        return true;
    }
    bool key(string_t& text) override {
        m_event.args += m_depth == kArgs ? 1 : 0;
        m_key = text;
        m_keyAt[std::min(m_depth, kArgs)] = text;
        return true;
    }
    bool end_object() override {
        if (--m_depth == kList && inEvents())
            events.push_back(m_event);
        return true;
    }
    bool start_array(std::size_t) override {
        hasEvents = hasEvents || (m_depth == kTop && m_key == "traceEvents");
        ++m_depth;
        return true;
    }
    bool end_array() override {
        --m_depth;
        return true;
    }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception& error) override {
        problem("byte " + std::to_string(at) + ": " + error.what());
        return false;
    }

  private:
    static constexpr int kTop = 1, kList = 2, kEvent = 3, kArgs = 4;

    bool inEvents() { return m_keyAt[kTop] == "traceEvents"; }
    bool value() { return true; }
    bool integer(std::int64_t number) {
        if (m_depth == kEvent && m_key == "pid")
            m_event.pid = number;
        else if (m_depth == kEvent && m_key == "tid")
            m_event.tid = number;
        else if (m_depth == kEvent && m_key == "id")
            m_event.id = std::to_string(number);
        else if (m_depth == kEvent)
            problem("a whole number in " + m_key);
        if (m_depth == kArgs && m_key == "sort_index")
            m_event.sortIndex = number;
        m_event.numberArgs += m_depth == kArgs ? 1 : 0;
        return true;
    }
    void eventText(const std::string& text) {
        if (m_key == "ph")
            m_event.phase = text;
        else if (m_key == "name")
            m_event.name = text;
        else if (m_key == "bp")
            m_event.bindPoint = text;
        else if (m_key == "id")
            m_event.id = text;
        else if (m_key != "cat")
            problem("a text in " + m_key);
    }

    int m_depth = 0;
    std::string m_key;
    std::map<int, std::string> m_keyAt;
    Event m_event;
};

using Thread = std::pair<std::int64_t, std::int64_t>;

class Rules {
  public:
    explicit Rules(std::string_view json) {
        Json::sax_parse(json.begin(), json.end(), &m_reader);
        m_problems = std::move(m_reader.problems);
    }

    std::vector<std::string> check() {
        if (!m_reader.hasEvents)
            problem("no list of events");
        if (m_reader.timeUnit != "ns" && m_reader.timeUnit != "ms")
            problem("displayTimeUnit is '" + m_reader.timeUnit + "'");
        for (const Event& event : m_reader.events)
            take(event);
        for (auto& [thread, spans] : m_spans)
            checkNesting(thread, spans);
        checkNames();
        for (const auto& [id, ends] : m_flows)
            checkFlow(id, ends);
        return m_problems;
    }

  private:
    struct Interval {
        std::int64_t start, end;
    };

    void problem(const std::string& text) {
        if (m_problems.size() < kMostProblems)
            m_problems.push_back(text);
    }
    static std::string nameOf(const Thread& thread) {
        return "process " + std::to_string(thread.first) + " thread " + std::to_string(thread.second);
    }

    void take(const Event& event) {
        if (!event.pid || !event.tid)
            return problem("'" + event.name + "' without process or thread");
        const Thread thread{*event.pid, *event.tid};
        if (m_processOf.try_emplace(thread.second, thread.first).first->second != thread.first)
            problem(nameOf(thread) + ": the thread is in another process as well");
        if (event.phase == "M")
            return takeMetadata(event, thread);
        if (!event.timeNs)
            return problem("'" + event.name + "' without time");
        if (event.phase == "X")
            takeSpan(event, thread);
        else if (event.phase == "C")
            takeCounter(event);
        else if (event.phase == "s" || event.phase == "f")
            m_flows[event.id].emplace_back(event, thread);
        else
            problem("phase '" + event.phase + "' is never written");
    }
    void takeSpan(const Event& event, const Thread& thread) {
        if (!event.durationNs || *event.durationNs < 0)
            return problem("'" + event.name + "' without duration");
        m_spans[thread].push_back({*event.timeNs, *event.timeNs + *event.durationNs});
        m_processes.insert(thread.first);
    }
    void takeCounter(const Event& event) {
        if (event.args == 0 || event.args != event.numberArgs)
            problem("counter '" + event.name + "' with a value that is no number");
        m_processes.insert(*event.pid);
    }
    void takeMetadata(const Event& event, const Thread& thread) {
        const bool ofProcess = event.name.starts_with("process_");
        const std::string key = ofProcess ? std::to_string(thread.first) : nameOf(thread);
        if (event.name == "process_name" || event.name == "thread_name") {
            if (!m_names.emplace(event.name + key, event.argName).second)
                problem(key + " has two names");
        } else if (event.name == "process_sort_index" || event.name == "thread_sort_index") {
            if (!event.sortIndex || !m_places.emplace(event.name + key, *event.sortIndex).second)
                problem(key + " has two places or none");
            else if (!m_taken.emplace(ofProcess ? -1 : thread.first, *event.sortIndex).second)
                problem(key + " shares its place");
        } else {
            problem("metadata '" + event.name + "' is never written");
        }
    }

    void checkNesting(const Thread& thread, std::vector<Interval>& spans) {
        std::stable_sort(spans.begin(), spans.end(), [](const Interval& a, const Interval& b) {
            return a.start != b.start ? a.start < b.start : a.end > b.end;
        });
        std::vector<Interval> open;
        for (const Interval& span : spans) {
            while (!open.empty() && open.back().end <= span.start)
                open.pop_back();
            if (!open.empty() && span.end > open.back().end)
                problem(nameOf(thread) + ": spans overlap at " + std::to_string(span.start) + " ns");
            open.push_back(span);
        }
    }
    void checkNames() {
        for (const auto& [thread, spans] : m_spans)
            for (const char* what : {"thread_name", "thread_sort_index"})
                if (!m_names.contains(what + nameOf(thread)) && !m_places.contains(what + nameOf(thread)))
                    problem(nameOf(thread) + " without " + what);
        for (const std::int64_t process : m_processes)
            for (const std::string what : {"process_name", "process_sort_index"})
                if (!m_names.contains(what + std::to_string(process)) &&
                    !m_places.contains(what + std::to_string(process)))
                    problem("process " + std::to_string(process) + " without " + what);
    }

    /// Whether a span of the thread is open at the time, or begins there and has no duration.
    bool insideSpan(const Thread& thread, std::int64_t timeNs) const {
        const auto found = m_spans.find(thread);
        if (found == m_spans.end())
            return false;
        return std::any_of(found->second.begin(), found->second.end(), [timeNs](const Interval& span) {
            return span.start <= timeNs && timeNs < std::max(span.end, span.start + 1);
        });
    }
    void checkFlow(const std::string& id, const std::vector<std::pair<Event, Thread>>& ends) {
        const std::string what = "flow '" + id + "' ";
        if (ends.size() != 2 || ends[0].first.phase != "s" || ends[1].first.phase != "f")
            return problem(what + "is not one start and one end");
        if (*ends[0].first.timeNs > *ends[1].first.timeNs)
            problem(what + "ends before it starts");
        if (ends[1].first.bindPoint != "e")
            problem(what + "does not bind to what encloses it");
        for (const auto& [event, thread] : ends)
            if (!insideSpan(thread, *event.timeNs))
                problem(what + event.phase + " lies in no span");
    }

    Reader m_reader;
    std::vector<std::string> m_problems;
    std::map<std::int64_t, std::int64_t> m_processOf; ///< of a thread
    std::map<Thread, std::vector<Interval>> m_spans;
    std::set<std::int64_t> m_processes; ///< with spans or counters
    std::map<std::string, std::string> m_names;
    std::map<std::string, std::int64_t> m_places;
    std::set<std::pair<std::int64_t, std::int64_t>> m_taken; ///< process (-1: of processes) and place
    std::map<std::string, std::vector<std::pair<Event, Thread>>> m_flows;
};

} // namespace

std::vector<std::string> brokenChromeRules(std::string_view json) {
    return Rules(json).check();
}

} // namespace heteroscope::test
