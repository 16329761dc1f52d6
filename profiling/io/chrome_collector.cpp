// SPDX-License-Identifier: Apache-2.0
#include "profiling/io/chrome_collector.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heteroscope::profiling {

namespace {

std::string_view argOf(const ChromeEvent& event, std::string_view key) {
    for (const auto& [name, value] : event.args)
        if (name == key)
            return value;
    return {};
}

// What lies beside the values: nodes and buckets of tables, and texts twice.
constexpr std::size_t kNodeBytes = 96, kTextCopies = 3;
/// Of a row in the store with its first spans or points, and of each span or point, chunks and lanes
/// included.
constexpr std::int64_t kStoredRowBytes = 8192, kStoredItemBytes = 64;

/// Nanoseconds; only whole spans have a length.
std::int64_t lengthOf(const ChromeEvent& event) {
    return event.phase == 'X' ? event.durationNs.value_or(0) : 0;
}

/// Why the event's times mean nothing; null when they do. A span without "dur" has no length.
const char* wrongTimes(const ChromeEvent& event) {
    const std::int64_t time = *event.timeNs, length = lengthOf(event);
    if (time < -kMaxTraceTimeNs || time > kMaxTraceTimeNs)
        return "its time (\"ts\") is more than 73 years from 0";
    if (event.phase == 'X' && event.hasDuration && !event.durationNs)
        return "its length (\"dur\") is no number";
    if (length < 0)
        return "its length (\"dur\") is negative";
    if (length > kMaxTraceTimeNs - std::max<std::int64_t>(time, 0))
        return "it ends (\"ts\" + \"dur\") more than 73 years after 0";
    return nullptr;
}

std::optional<double> finiteNumber(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::int32_t sortIndexOf(const ChromeEvent& event) {
    const std::string_view text = argOf(event, "sort_index");
    std::int32_t index = 0;
    std::from_chars(text.data(), text.data() + text.size(), index);
    return index;
}

} // namespace

bool ChromeCollector::charge(std::size_t bytes) {
    if (m_refusal)
        return false;
    const Status status = m_gathered.add(static_cast<std::int64_t>(bytes), "the events", m_name);
    if (!status)
        m_refusal = status.error();
    return status.ok();
}

/// While a full list moves, its old memory counts as well; it is given back with the list's own growth.
template <class T>
bool ChromeCollector::push(std::vector<T>& list, T value) {
    if (list.size() == list.capacity()) {
        const std::size_t before = list.capacity(), after = std::max<std::size_t>(2 * before, 4);
        if (!charge((after + before) * sizeof(T)))
            return false;
        list.reserve(after);
        const auto freed = static_cast<std::int64_t>(2 * before * sizeof(T));
        (void)m_gathered.set(m_gathered.bytes() - freed, {}, {})
            .ok(); // nothing is ever refused that gives back
    }
    list.push_back(std::move(value));
    return true;
}

/// What the store holds now and `more` that is on its way there.
Status ChromeCollector::chargeStore(std::int64_t more) {
    return m_store.set(static_cast<std::int64_t>(m_trace.memoryBytes()) + more, "the rows and spans", m_name);
}

bool ChromeCollector::tracksLeft(std::size_t wanted) const {
    return m_processes.size() + m_rows.size() + wanted <= kMaxTracks;
}

const char* ChromeCollector::beyondTracks() {
    ++m_beyondTracks;
    return kBeyondTracks.data();
}

ChromeCollector::Process* ChromeCollector::processOf(std::string_view pid) {
    const auto found = m_processIds.find(pid);
    if (found != m_processIds.end())
        return &m_processes[found->second];
    if (!tracksLeft(1))
        return nullptr;
    charge(3 * sizeof(Process) + kNodeBytes +
           kTextCopies * pid.size()); // a refusal ends the import behind this
    m_processIds.emplace(pid, m_processes.size());
    return &m_processes.emplace_back(Process{"process " + std::string(pid), {}, {}, 0, kNoTrack});
}

ChromeCollector::Row* ChromeCollector::rowOf(std::string_view kind, std::string_view pid,
                                             std::string_view tid) {
    m_key.assign(kind).append(1, '\0').append(pid).append(1, '\0').append(tid);
    const auto found = m_rowIds.find(m_key);
    if (found != m_rowIds.end())
        return &m_rows[found->second];
    if (!tracksLeft(m_processIds.contains(pid) ? 1 : 2))
        return nullptr;
    charge(3 * sizeof(Row) + kNodeBytes + kTextCopies * m_key.size()); // likewise
    m_rowIds.emplace(m_key, m_rows.size());
    Row row;
    row.process = static_cast<std::size_t>(processOf(pid) - m_processes.data());
    row.fallbackName = (kind == "thread" ? "thread " : "") + std::string(tid);
    row.kind = kind == "counter" ? TrackKind::Counter : TrackKind::Thread;
    return &m_rows.emplace_back(std::move(row));
}

std::uint32_t ChromeCollector::argsOf(const ChromeEvent& event) {
    if (event.args.empty())
        return 0;
    m_args.resize(event.args.size());
    for (std::size_t i = 0; i < event.args.size(); ++i) {
        m_args[i].first = m_trace.intern(event.args[i].first);
        m_args[i].second.assign(event.args[i].second);
    }
    return m_trace.addArgs(m_args);
}

const char* ChromeCollector::add(const ChromeEvent& event) {
    if (event.phase == 'M')
        return addMetadata(event);
    if (event.phase == 0)
        return "it has no phase (\"ph\")";
    if (!event.timeNs)
        return "it has no time (\"ts\")";
    if (const char* const wrong = wrongTimes(event))
        return wrong;
    m_lastNs = std::max(m_lastNs, *event.timeNs + lengthOf(event));
    const char* const reason = addTimed(event);
    if (const Status status = chargeStore(0); !status && !m_refusal)
        m_refusal = status.error();
    return reason;
}

const char* ChromeCollector::addTimed(const ChromeEvent& event) {
    switch (event.phase) {
    case 'X':
    case 'i':
    case 'I':
    case 'R':
        return addSpan(event);
    case 'B':
    case 'E':
        return addMark(event);
    case 'C':
        return addCounter(event);
    case 'b':
    case 'e':
    case 'n':
    case 'S':
    case 'F':
        return addAsync(event);
    case 's':
    case 't':
    case 'f':
        return addFlowEnd(event);
    default:
        return "events of its phase are not shown";
    }
}

const char* ChromeCollector::addSpan(const ChromeEvent& event) {
    Row* const row = rowOf("thread", event.pid, event.tid);
    if (!row)
        return beyondTracks();
    push(row->spans, Span{0, *event.timeNs, lengthOf(event), m_trace.intern(event.name),
                          m_trace.intern(event.category), argsOf(event), -1});
    return nullptr;
}

const char* ChromeCollector::addMark(const ChromeEvent& event) {
    Row* const row = rowOf("thread", event.pid, event.tid);
    if (!row)
        return beyondTracks();
    push(row->marks, Mark{*event.timeNs, event.phase == 'B', m_trace.intern(event.name),
                          m_trace.intern(event.category), argsOf(event)});
    return nullptr;
}

const char* ChromeCollector::addFlowEnd(const ChromeEvent& event) {
    const Row* const row = rowOf("thread", event.pid, event.tid);
    if (!row)
        return beyondTracks();
    if (charge(event.category.size() + event.name.size() + event.id.size() + kNodeBytes))
        push(m_flowEnds, FlowEnd{event.phase, event.bindsToEnclosing || event.phase != 'f',
                                 static_cast<std::size_t>(row - m_rows.data()), *event.timeNs,
                                 std::string(event.category) + '\0' + std::string(event.name) + '\0' +
                                     std::string(event.id)});
    return nullptr;
}

const char* ChromeCollector::addMetadata(const ChromeEvent& event) {
    Process* const process = processOf(event.pid);
    if (!process)
        return beyondTracks();
    if (!charge(kTextCopies * (argOf(event, "name").size() + argOf(event, "labels").size())))
        return nullptr;
    if (event.name == "process_name")
        process->name = argOf(event, "name");
    else if (event.name == "process_labels")
        process->labels = argOf(event, "labels");
    else if (event.name == "process_sort_index")
        process->sort = sortIndexOf(event);
    else
        return addThreadMetadata(event);
    return nullptr;
}

const char* ChromeCollector::addThreadMetadata(const ChromeEvent& event) {
    const bool namesThread = event.name == "thread_name";
    if (!namesThread && event.name != "thread_sort_index")
        return "metadata of its name is not shown";
    Row* const row = rowOf("thread", event.pid, event.tid);
    if (!row)
        return beyondTracks();
    if (namesThread)
        row->name = argOf(event, "name");
    else
        row->sort = sortIndexOf(event);
    return nullptr;
}

const char* ChromeCollector::addCounter(const ChromeEvent& event) {
    if (event.args.empty())
        return "a counter without values";
    bool any = false, beyond = false;
    std::uint64_t others = 0;
    for (const auto& [series, text] : event.args) {
        const auto value = finiteNumber(text);
        if (!value) {
            ++others;
            continue;
        }
        // one value: its name is the unit; several: a row each
        const bool single = event.args.size() == 1;
        std::string name(event.name);
        if (!single)
            name += " " + std::string(series);
        if (!event.id.empty())
            name += " " + std::string(event.id);
        Row* const row = rowOf("counter", event.pid, name + '\0' + std::string(series));
        beyond = beyond || !row;
        if (!row)
            continue;
        if (row->points.empty()) {
            row->fallbackName = name;
            row->unit = single && series != "value" && series != event.name ? series : "";
        }
        push(row->points, CounterPoint{*event.timeNs, *value});
        any = true;
    }
    if (beyond)
        return beyondTracks();
    if (!any)
        return "a counter whose values are no numbers";
    m_otherValues += others;
    return nullptr;
}

const char* ChromeCollector::addAsync(const ChromeEvent& event) {
    const std::string_view title = event.category.empty() ? event.name : event.category;
    Row* const row = rowOf("async", event.pid, title);
    if (!row)
        return beyondTracks();
    const StringId name = m_trace.intern(event.name), category = m_trace.intern(event.category);
    if (event.phase == 'n') {
        push(row->spans, Span{0, *event.timeNs, 0, name, category, argsOf(event), -1});
        return nullptr;
    }
    const bool begins = event.phase == 'b' || event.phase == 'S';
    if (charge(kNodeBytes + kTextCopies * event.id.size()))
        push(row->async[std::string(event.id)], Mark{*event.timeNs, begins, name, category, argsOf(event)});
    return nullptr;
}

/// Those of the end behind those of the begin; where both have one of a name, the end's.
std::uint32_t ChromeCollector::joinedArgs(std::uint32_t begin, std::uint32_t end) {
    if (begin == 0 || end == 0)
        return begin == 0 ? end : begin;
    const auto later = m_trace.args(end);
    m_args.clear();
    for (const auto& earlier : m_trace.args(begin))
        if (std::none_of(later.begin(), later.end(),
                         [&](const auto& each) { return each.first == earlier.first; }))
            m_args.emplace_back(m_trace.intern(earlier.first), earlier.second);
    for (const auto& [name, value] : later)
        m_args.emplace_back(m_trace.intern(name), value);
    return m_trace.addArgs(m_args);
}

void ChromeCollector::matchMarks(std::vector<Mark>& marks, std::vector<Span>& spans) {
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& a, const Mark& b) { return a.timeNs < b.timeNs; });
    std::vector<const Mark*> open;
    const auto close = [&](const Mark& begin, std::int64_t end, std::uint32_t endArgs) {
        spans.push_back({0, begin.timeNs, end - begin.timeNs, begin.name, begin.category,
                         joinedArgs(begin.args, endArgs), -1});
    };
    for (const Mark& mark : marks) {
        if (mark.begins) {
            open.push_back(&mark);
        } else if (open.empty()) {
            ++m_unmatchedEnds;
        } else {
            close(*open.back(), mark.timeNs, mark.args);
            open.pop_back();
        }
    }
    m_unmatchedBegins += open.size();
    for (const Mark* mark : open)
        close(*mark, m_lastNs, 0);
    marks = {};
}

/// Processes by sort index, in each its rows by kind and sort index.
void ChromeCollector::defineTracks() {
    std::vector<std::size_t> order(m_processes.size()), rows(m_rows.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return m_processes[a].sort < m_processes[b].sort; });
    std::int32_t place = 0;
    for (const std::size_t index : order) {
        Process& process = m_processes[index];
        std::string name = process.name.empty() ? process.fallbackName : process.name;
        if (!process.labels.empty())
            name += " (" + process.labels + ")";
        process.track = m_trace.addTrack({0, kNoTrack, TrackKind::Group, m_trace.intern(name), 0, place++});
    }
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        const Row &x = m_rows[a], &y = m_rows[b];
        const bool counterX = x.kind == TrackKind::Counter, counterY = y.kind == TrackKind::Counter;
        return counterX != counterY ? counterX < counterY : x.sort < y.sort;
    });
    for (const std::size_t index : rows) {
        Row& row = m_rows[index];
        const std::string& name = row.name.empty() ? row.fallbackName : row.name;
        row.track = m_trace.addTrack({0, m_processes[row.process].track, row.kind, m_trace.intern(name),
                                      m_trace.intern(row.unit), place++});
    }
}

void ChromeCollector::appendRow(Row& row) {
    matchMarks(row.marks, row.spans);
    for (auto& [id, marks] : row.async)
        matchMarks(marks, row.spans);
    const auto inOrder = [](const Span& a, const Span& b) {
        return a.startNs != b.startNs ? a.startNs < b.startNs : a.durationNs > b.durationNs;
    };
    if (!std::is_sorted(row.spans.begin(), row.spans.end(), inOrder))
        std::stable_sort(row.spans.begin(), row.spans.end(), inOrder);
    for (Span& span : row.spans) {
        span.track = row.track;
        m_trace.append(span);
    }
    row.spans = {};
    for (const CounterPoint& point : row.points)
        m_trace.appendCounter(row.track, point.timeNs, point.value);
    row.points = {};
}

/// The innermost span around the flow's end; for an end that binds to the next span, one that begins there
/// or shortly after.
SpanRef ChromeCollector::bind(const FlowEnd& end) const {
    constexpr std::int64_t kNearNs = 1000000;
    const TrackId track = m_rows[end.row].track;
    const std::uint16_t lanes = m_trace.laneCount(track);
    SpanRef touched; // a span that ends just there counts when no other one is open
    for (std::uint16_t lane = lanes; lane-- > 0;) {
        const SpanRef hit = m_trace.at(track, lane, end.timeNs, 0);
        const auto span = m_trace.span(hit);
        if (span && (span->startNs + span->durationNs > end.timeNs || span->startNs == end.timeNs))
            return hit;
        touched = touched.valid() ? touched : hit;
    }
    if (touched.valid())
        return touched;
    return lanes > 0 && !end.enclosing ? m_trace.at(track, 0, end.timeNs, kNearNs) : SpanRef{};
}

/// Steps of one flow are linked one after the other in time.
void ChromeCollector::appendFlows() {
    std::stable_sort(m_flowEnds.begin(), m_flowEnds.end(), [](const FlowEnd& a, const FlowEnd& b) {
        if (a.key != b.key)
            return a.key < b.key;
        return a.timeNs != b.timeNs ? a.timeNs < b.timeNs : (a.phase == 's') > (b.phase == 's');
    });
    std::size_t linked = 0;
    const FlowEnd* before = nullptr;
    SpanRef from;
    bool fromLinked = false;
    for (const FlowEnd& end : m_flowEnds) {
        const SpanRef here = bind(end);
        const bool continues = before && before->key == end.key && before->phase != 'f' && end.phase != 's';
        const bool links = continues && from.valid() && here.valid();
        if (links) {
            m_trace.appendFlow({from, here});
            linked += fromLinked ? 1 : 2;
        }
        before = &end;
        from = here;
        fromLinked = links;
    }
    m_unboundFlows = m_flowEnds.size() - linked;
}

Status ChromeCollector::finish() {
    const auto rows = static_cast<std::int64_t>(m_rows.size() + m_processes.size());
    if (Status status = chargeStore(rows * kStoredRowBytes); !status)
        return status;
    defineTracks();
    for (Row& row : m_rows) {
        std::size_t items = row.spans.size() + row.marks.size() + row.points.size();
        for (const auto& [id, marks] : row.async)
            items += marks.size();
        if (Status status = chargeStore(static_cast<std::int64_t>(items) * kStoredItemBytes); !status)
            return status;
        appendRow(row);
    }
    m_trace.publish();
    if (Status status = chargeStore(static_cast<std::int64_t>(m_flowEnds.size()) * kStoredItemBytes); !status)
        return status;
    appendFlows();
    m_trace.publish();
    return chargeStore(0);
}

std::vector<ImportLoss> ChromeCollector::losses() const {
    std::vector<ImportLoss> all;
    const auto add = [&](std::uint64_t count, const std::string& one, const std::string& many) {
        if (count > 0)
            all.push_back({count == 1 ? one : many, count});
    };
    const std::string beyond = " left out, as a whole or in part: a run file holds " +
                               std::to_string(kMaxTracks) +
                               " tracks (processes, threads, counters and asynchronous ones), and theirs are "
                               "beyond; split the trace by process or thread to see them";
    add(m_beyondTracks, "event was" + beyond, "events were" + beyond);
    add(m_otherValues, "value of a counter is no number and was left out",
        "values of counters are no numbers and were left out");
    add(m_unmatchedEnds, "end without a begin was left out", "ends without a begin were left out");
    add(m_unmatchedBegins, "begin without an end: its span was cut at the end of the trace",
        "begins without an end: their spans were cut at the end of the trace");
    add(m_unboundFlows, "flow event touches no span or has no counterpart, and was left out",
        "flow events touch no span or have no counterpart, and were left out");
    return all;
}

} // namespace heteroscope::profiling
