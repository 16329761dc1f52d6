// SPDX-License-Identifier: Apache-2.0
// Finds the events of a Chrome trace in a text: both forms, [..] and {"traceEvents": [..]}, also when the end
// is missing; of several lists in an object each is read. It looks at brackets and quotes only; what lies
// between is the event parser's business.
#pragma once

#include "profiling/io/text_source.h"

#include <optional>
#include <string>
#include <string_view>

namespace heteroscope::profiling {

class EventSplitter {
  public:
    explicit EventSplitter(TextSource& source) : m_source(source) {}

    /// Goes to the first event. Error when the text is no trace.
    Status begin();
    /// The next value of the list, valid until the next call; nothing at the end of the list.
    Result<std::optional<std::string_view>> next();
    std::uint64_t offset() const { return m_offset; } ///< of the value that next() gave
    /// What was wrong with the end of the text; empty when it was complete.
    const std::string& note() const { return m_note; }
    /// The document has "samples" (of a processor's stacks), which are no events.
    bool unreadSamples() const { return m_unreadSamples; }

  private:
    Result<bool> skipSpace();
    Result<bool> need(std::size_t bytes);
    Result<std::optional<std::string_view>> value();
    Status findEvents();
    /// Goes past what stands between values: an error when there is no end of it.
    Status pass(std::size_t bytes);
    Result<bool> passRest();

    TextSource& m_source;
    std::uint64_t m_offset = 0;
    std::size_t m_gap = 0;   ///< bytes since the last value that belong to none
    std::size_t m_rest = 0;  ///< bytes after lists of events
    std::size_t m_taken = 0; ///< bytes of the last value, consumed by the next call
    bool m_inObject = false, m_listEnded = false, m_unreadSamples = false;
    std::string m_note;
};

} // namespace heteroscope::profiling
