// SPDX-License-Identifier: Apache-2.0
// Gathers the events of a Chrome trace and puts them into a store at the end: only then are names and order
// of the rows known, begins and ends matched, and flows bound. One thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "profiling/io/chrome_event.h"
#include "profiling/io/import_report.h"
#include "profiling/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heteroscope::profiling {

class ChromeCollector {
  public:
    /// The reason add() gives for events that would need more than kMaxTracks tracks; they are a loss of
    /// their own.
    static constexpr std::string_view kBeyondTracks = "a run file cannot hold its track";

    /// What is gathered and what the store takes is charged to `budget`; `name` of the file, for messages.
    ChromeCollector(Trace& trace, MemoryBudget& budget, std::string name)
        : m_trace(trace), m_name(std::move(name)), m_store(budget), m_gathered(budget) {}

    /// Returns why the event was not taken; null when it was, or when refusal() says that memory ended.
    const char* add(const ChromeEvent& event);
    const std::optional<Error>& refusal() const { return m_refusal; }
    /// Appends everything to the store and publishes it. Errors: OutOfMemory.
    Status finish();
    /// Of events that were taken and are not in the store all the same, or not all of them. After finish().
    std::vector<ImportLoss> losses() const;
    std::uint64_t lostEvents() const { return m_unmatchedEnds + m_unboundFlows; } ///< taken, and not there
    std::uint64_t unfinishedSpans() const { return m_unmatchedBegins; }

  private:
    struct Mark { ///< a begin or an end
        std::int64_t timeNs;
        bool begins;
        StringId name, category;
        std::uint32_t args;
    };
    struct Row {
        std::size_t process;
        std::string fallbackName, name, unit;
        TrackKind kind = TrackKind::Thread;
        std::int32_t sort = 0;
        TrackId track = kNoTrack;
        std::vector<Span> spans;
        std::vector<Mark> marks;
        std::vector<CounterPoint> points;
        std::map<std::string, std::vector<Mark>, std::less<>> async; ///< by id
    };
    struct Process {
        std::string fallbackName, name, labels;
        std::int32_t sort = 0;
        TrackId track = kNoTrack;
    };
    struct FlowEnd {
        char phase;
        bool enclosing;
        std::size_t row;
        std::int64_t timeNs;
        std::string key;
    };
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    template <class T>
    using ByText = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

    /// Null when the process or the row would be a track beyond the limit.
    Process* processOf(std::string_view pid);
    Row* rowOf(std::string_view kind, std::string_view pid, std::string_view tid);
    bool tracksLeft(std::size_t wanted) const;
    const char* beyondTracks();
    const char* addMetadata(const ChromeEvent& event);
    const char* addThreadMetadata(const ChromeEvent& event);
    const char* addCounter(const ChromeEvent& event);
    const char* addAsync(const ChromeEvent& event);
    const char* addSpan(const ChromeEvent& event);
    const char* addMark(const ChromeEvent& event);
    const char* addFlowEnd(const ChromeEvent& event);
    std::uint32_t argsOf(const ChromeEvent& event);
    std::uint32_t joinedArgs(std::uint32_t begin, std::uint32_t end);

    /// Charges what `bytes` more of the gathered things take; false and a refusal when that is too much.
    bool charge(std::size_t bytes);
    template <class T>
    bool push(std::vector<T>& list, T value);
    const char* addTimed(const ChromeEvent& event);
    Status chargeStore(std::int64_t more);

    void defineTracks();
    void matchMarks(std::vector<Mark>& marks, std::vector<Span>& spans);
    void appendRow(Row& row);
    SpanRef bind(const FlowEnd& end) const;
    void appendFlows();

    Trace& m_trace;
    std::string m_name;
    HeldMemory m_store, m_gathered;
    std::optional<Error> m_refusal;
    std::vector<Process> m_processes;
    std::vector<Row> m_rows;
    ByText<std::size_t> m_processIds, m_rowIds;
    std::vector<FlowEnd> m_flowEnds;
    std::string m_key; ///< reused
    std::vector<std::pair<StringId, std::string>> m_args;
    std::int64_t m_lastNs = 0; ///< latest time seen: where spans without end are cut
    std::uint64_t m_unmatchedEnds = 0, m_unmatchedBegins = 0, m_unboundFlows = 0, m_beyondTracks = 0;
    std::uint64_t m_otherValues = 0; ///< of counters, that are no numbers
};

} // namespace heteroscope::profiling
