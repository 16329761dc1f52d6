// SPDX-License-Identifier: Apache-2.0
// Reads Chrome trace JSON: splits, parses and collects event by event.
#include "compute/base/printable.h"
#include "profiling/io/chrome_collector.h"
#include "profiling/io/chrome_json.h"
#include "profiling/io/event_splitter.h"

#include <algorithm>

namespace heteroscope::profiling {

namespace {

/// Why single events were left out; the other losses and notes on the whole file come after them.
constexpr std::size_t kMostReasons = 90;
constexpr std::size_t kMostOfName = 64; ///< bytes of a name in a reason
constexpr std::uint64_t kEventsPerProgress = 16384;
/// So many values that are no events, before the first that is one, are no trace.
constexpr std::uint64_t kMostSkippedFirst = 1000000;

class Import {
  public:
    Import(TextSource& source, Trace& trace, MemoryBudget& budget,
           const std::function<bool(double)>& progress)
        : m_source(source),
          m_trace(trace),
          m_splitter(source),
          m_collector(trace, budget, source.name()),
          m_parsing(budget),
          m_progress(progress) {}

    Result<ImportReport> run() {
        if (Status status = m_splitter.begin(); !status)
            return status.error();
        while (true) {
            const auto event = m_splitter.next();
            if (!event)
                return event.error();
            if (!*event)
                break;
            if (const Status status = take(**event); !status)
                return status.error();
            if (++m_seen % kEventsPerProgress == 0 && m_progress && !m_progress(m_source.fraction()))
                return Error{ErrorCode::Cancelled, "import stopped", m_source.name(), {}, {}};
        }
        if (const Status status = finish(); !status)
            return status.error();
        return std::move(m_report);
    }

  private:
    /// Memory of the parser grows with the longest event.
    Status chargeParsing(std::string_view text) {
        const auto wanted = static_cast<std::int64_t>(text.size()) * kParserBytesPerByte;
        if (wanted <= m_parsing.bytes())
            return {};
        return m_parsing.set(wanted, "an event",
                             m_source.name() + ", byte " + std::to_string(m_splitter.offset()));
    }

    Status take(std::string_view text) {
        if (Status status = chargeParsing(text); !status)
            return status;
        std::string wrong = m_parser.parse(text, m_event);
        bool beyondTracks = false;
        if (wrong.empty())
            if (const char* const reason = m_collector.add(m_event)) {
                beyondTracks = reason == ChromeCollector::kBeyondTracks;
                wrong = reason + kindOfEvent();
            }
        if (m_collector.refusal())
            return *m_collector.refusal();
        if (wrong.empty()) {
            ++m_report.events;
            return {};
        }
        ++m_report.skipped;
        if (!beyondTracks)
            leaveOut(std::move(wrong));
        if (m_report.events == 0 && m_report.skipped == kMostSkippedFirst)
            return m_source.errorAt(m_splitter.offset(), "expected a Chrome trace, found " +
                                                             std::to_string(kMostSkippedFirst) +
                                                             " values that are no events");
        return {};
    }
    /// " (ph X)", of metadata with their name; empty without a phase.
    std::string kindOfEvent() const {
        if (m_event.phase == 0)
            return {};
        const std::string name = m_event.phase == 'M' ? ", " + shortened(m_event.name, kMostOfName) : "";
        return std::string(" (ph ") + m_event.phase + name + ")";
    }
    void leaveOut(std::string reason) {
        const auto same = [&](const ImportLoss& loss) { return loss.what == reason; };
        const auto known = std::find_if(m_report.losses.begin(), m_report.losses.end(), same);
        if (known != m_report.losses.end())
            ++known->count;
        else if (m_report.losses.size() < kMostReasons)
            m_report.losses.push_back({std::move(reason), 1, m_splitter.offset()});
        else
            ++m_otherReasons;
    }
    void note(const std::string& text) { m_report.notes.push_back(text); }
    Status finish() {
        if (Status status = m_collector.finish(); !status)
            return status;
        m_report.events -= m_collector.lostEvents();
        m_report.skipped += m_collector.lostEvents();
        m_report.unfinished = m_collector.unfinishedSpans();
        if (m_otherReasons > 0)
            m_report.losses.push_back({"events were left out for still other reasons", m_otherReasons});
        for (ImportLoss& loss : m_collector.losses())
            m_report.losses.push_back(std::move(loss));
        for (const ImportLoss& loss : m_report.losses)
            note(loss.sentence());
        if (!m_splitter.note().empty())
            note(m_splitter.note());
        if (m_splitter.unreadSamples())
            note("the samples of stacks (\"samples\") were left out: only events are shown");
        if (m_source.cutOff())
            note("the compressed data ends early");
        if (m_parser.repaired() > 0)
            note(std::to_string(m_parser.repaired()) + " events had invalid UTF-8; it was replaced");
        keepQuality();
        if (m_progress)
            m_progress(1.0);
        return {};
    }
    /// What the trace says of itself, wherever it is stored, is what the report says.
    void keepQuality() {
        DataQuality quality;
        quality.droppedEvents = m_report.skipped;
        quality.notes = m_report.notes;
        m_trace.setQuality(std::move(quality));
        m_trace.publish();
    }

    TextSource& m_source;
    Trace& m_trace;
    EventSplitter m_splitter;
    ChromeEventParser m_parser;
    ChromeCollector m_collector;
    HeldMemory m_parsing;
    ChromeEvent m_event;
    const std::function<bool(double)>& m_progress;
    ImportReport m_report;
    std::uint64_t m_seen = 0, m_otherReasons = 0;
};

} // namespace

Result<ImportReport> importChromeJson(const std::string& path, Trace& trace,
                                      const std::function<bool(double)>& progress) {
    MemoryBudget budget;
    auto source = TextSource::open(path, budget);
    if (!source)
        return source.error();
    return Import(**source, trace, budget, progress).run();
}

Result<ImportReport> importChromeJsonText(std::string_view text, Trace& trace,
                                          const std::function<bool(double)>& progress) {
    MemoryBudget budget;
    const auto source = TextSource::ofText(text, "text", budget);
    return Import(*source, trace, budget, progress).run();
}

} // namespace heteroscope::profiling
