// SPDX-License-Identifier: Apache-2.0
#include "profiling/io/event_splitter.h"

#include "compute/base/units.h"

#include <algorithm>
#include <array>

namespace heteroscope::profiling {

namespace {

enum Kind : unsigned char { kOther, kOpen, kClose, kQuote, kEndsScalar };

constexpr std::array<unsigned char, 256> makeKinds() {
    std::array<unsigned char, 256> kinds{};
    kinds['{'] = kinds['['] = kOpen;
    kinds['}'] = kinds[']'] = kClose;
    kinds['"'] = kQuote;
    for (const char c : {',', ' ', '\n', '\t', '\r', ':'})
        kinds[static_cast<unsigned char>(c)] = kEndsScalar;
    return kinds;
}

constexpr std::array<unsigned char, 256> kKinds = makeKinds();

unsigned char kindOf(char c) {
    return kKinds[static_cast<unsigned char>(c)];
}

/// Past the closing quote of a string whose first character is `at`; null when it does not end.
const char* stringEnd(const char* at, const char* end) {
    while (at < end) {
        if (*at == '"')
            return at + 1;
        at += *at == '\\' ? 2 : 1;
    }
    return nullptr;
}

/// Past the value at `at`; null when it does not end before `end`.
const char* valueEnd(const char* at, const char* end) {
    if (kindOf(*at) == kQuote)
        return stringEnd(at + 1, end);
    if (kindOf(*at) != kOpen) {
        while (at < end && kindOf(*at) == kOther)
            ++at;
        return at < end ? at : nullptr;
    }
    std::size_t depth = 0;
    while (at && at < end) {
        const unsigned char kind = kindOf(*at++);
        if (kind == kOpen)
            ++depth;
        else if (kind == kClose && --depth == 0)
            return at;
        else if (kind == kQuote)
            at = stringEnd(at, end);
    }
    return nullptr;
}

bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kEventsKey = "traceEvents";
constexpr std::string_view kSamplesKey = "samples"; ///< of a processor's stacks, which are not shown
constexpr std::size_t kMostOfStart = 16;            ///< of a file, that tells its kind
/// Bytes around lists of events that are looked through for another list and for the checksum of compressed
/// data, of which a few megabytes can go on for hours.
constexpr std::size_t kMostRest = std::size_t{256} << 20;
constexpr char kPerfettoPacket = '\n'; ///< the tag of each packet of a Perfetto trace

/// What to do with a file of another profiler, or of this one; empty where nobody knows what it is.
std::string adviceOnOtherKind(std::string_view start) {
    if (start.starts_with("HSCOPE\r\n"))
        return "it is a run file of this program already: look at it with trace info and trace stats";
    if (start.starts_with("SQLite format 3"))
        return "it is a database, as Nsight Systems exports it: record with a profiler that writes Chrome "
               "traces, or convert it to Chrome's JSON";
    if (start.size() > 1 && start[0] == kPerfettoPacket && static_cast<unsigned char>(start[1]) < ' ' &&
        !isSpace(start[1]))
        return "it looks like a Perfetto trace: convert it with traceconv json";
    if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff"))
        return "it is text in UTF-16: save it again as UTF-8";
    if (start.starts_with("PK\x03\x04"))
        return "it is an archive: unpack it, and give the trace that is in it";
    return {};
}

/// The text after a list of events, character by character: only strings and brackets are looked at.
class Rest {
  public:
    Rest(std::size_t depth, bool& unreadSamples) : m_depth(depth), m_unreadSamples(unreadSamples) {}

    std::size_t depth() const { return m_depth; }
    /// True at the first character of the value of one more "traceEvents" of the outer object.
    bool take(char c) {
        const unsigned char kind = kindOf(c);
        if (m_inText) {
            m_inText = m_escaped || kind != kQuote;
            m_escaped = !m_escaped && c == '\\';
            if (m_inText && m_text.size() <= kEventsKey.size())
                m_text += c;
            return false;
        }
        if (isSpace(c))
            return false;
        m_unreadSamples |= m_inSamples && kind != kClose; // an empty list loses nothing
        m_inSamples = false;
        const bool named = m_depth == 1 && m_text == kEventsKey;
        const bool samples = m_depth == 1 && m_text == kSamplesKey;
        if (named && m_afterColon)
            return true;
        m_inSamples = samples && m_afterColon && kind == kOpen;
        m_afterColon = (named || samples) && c == ':';
        if (!m_afterColon)
            m_text.clear();
        m_inText = kind == kQuote;
        if (kind == kOpen)
            ++m_depth;
        else if (kind == kClose)
            --m_depth;
        return false;
    }

  private:
    std::size_t m_depth;
    bool& m_unreadSamples;
    bool m_inText = false, m_escaped = false, m_afterColon = false, m_inSamples = false;
    std::string m_text; ///< the last string, cut after the length of the key
};

} // namespace

/// False when the text ends before.
Result<bool> EventSplitter::need(std::size_t bytes) {
    while (static_cast<std::size_t>(m_source.end() - m_source.begin()) < bytes) {
        const Result<bool> more = m_source.more();
        if (!more || !*more)
            return more;
    }
    return true;
}

Status EventSplitter::pass(std::size_t bytes) {
    m_source.consume(bytes);
    m_gap += bytes;
    if (m_gap <= kMaxJsonPiece)
        return {};
    return m_source.errorAt(m_source.offset(), "expected a value, found " + std::to_string(m_gap) +
                                                   " bytes of spaces and commas");
}

Result<bool> EventSplitter::skipSpace() {
    while (true) {
        const char* at = m_source.begin();
        while (at < m_source.end() && isSpace(*at))
            ++at;
        if (const Status status = pass(static_cast<std::size_t>(at - m_source.begin())); !status)
            return status.error();
        if (!m_source.empty())
            return true;
        const Result<bool> more = m_source.more();
        if (!more || !*more)
            return more;
    }
}

/// The whole value at the window's beginning; nothing when the text ends inside it.
Result<std::optional<std::string_view>> EventSplitter::value() {
    while (true) {
        if (const char* const end = valueEnd(m_source.begin(), m_source.end()))
            return std::optional(
                std::string_view(m_source.begin(), static_cast<std::size_t>(end - m_source.begin())));
        const Result<bool> more = m_source.more();
        if (!more)
            return more.error();
        if (!*more)
            return std::optional<std::string_view>();
    }
}

Status EventSplitter::begin() {
    if (const auto enough = need(kMostOfStart); !enough)
        return enough.error();
    const auto there = static_cast<std::size_t>(m_source.end() - m_source.begin());
    const std::string start(m_source.begin(), std::min(there, kMostOfStart));
    if (start.starts_with(kByteOrderMark))
        m_source.consume(kByteOrderMark.size());
    const Result<bool> any = skipSpace();
    if (!any)
        return any.error();
    if (!*any)
        return m_source.errorAt(m_source.offset(), "expected a Chrome trace, found an empty file");
    const char first = *m_source.begin();
    if (first != '[' && first != '{') {
        Error error = m_source.errorAt(m_source.offset(),
                                       "expected a Chrome trace that begins with [ or {, found other text");
        error.advice = adviceOnOtherKind(start);
        return error;
    }
    m_source.consume(1);
    m_inObject = first == '{';
    return m_inObject ? findEvents() : Status();
}

/// Inside the outer object: goes past the [ of "traceEvents".
Status EventSplitter::findEvents() {
    const auto missing = [&](const std::string& found) {
        return m_source.errorAt(m_source.offset(), "expected \"traceEvents\": [, found " + found);
    };
    while (true) {
        Result<bool> any = skipSpace();
        if (!any)
            return any.error();
        if (!*any)
            return missing("the end");
        if (*m_source.begin() == ',') {
            if (Status status = pass(1); !status)
                return status;
            continue;
        }
        if (*m_source.begin() != '"')
            return missing("another character");
        const auto key = value();
        if (!key)
            return key.error();
        const bool events = *key && **key == "\"traceEvents\"";
        if (!*key)
            return missing("the end");
        const std::string name((**key).substr(0, kMostOfStart)); // of the window, which moves
        m_source.consume((**key).size());
        if (any = skipSpace(); !any)
            return any.error();
        if (!*any || *m_source.begin() != ':')
            return missing("a key without value");
        m_source.consume(1);
        if (any = skipSpace(); !any)
            return any.error();
        if (!*any)
            return missing("the end");
        if (events && *m_source.begin() != '[')
            return missing("another value");
        if (events) {
            m_source.consume(1);
            return {};
        }
        const auto skipped = value();
        if (!skipped)
            return skipped.error();
        if (!*skipped || (**skipped).empty())
            return missing(*skipped ? "another character" : "the end");
        const bool samples = name == '"' + std::string(kSamplesKey) + '"';
        m_unreadSamples |= samples && (**skipped).find_first_not_of("[] \n\t\r") != std::string_view::npos;
        m_source.consume((**skipped).size());
    }
}

/// After a list: up to the next list of the outer object (true), or to the end, where compressed data have
/// their checksum, but no further than kMostRest.
Result<bool> EventSplitter::passRest() {
    const std::string closing = m_inObject ? "}" : "]";
    Rest rest(m_inObject ? 1 : 0, m_unreadSamples);
    while (true) {
        for (const char* at = m_source.begin(); at < m_source.end() && m_note.empty(); ++at) {
            const auto passed = static_cast<std::size_t>(at - m_source.begin());
            if (rest.depth() == 0 && !isSpace(*at)) {
                m_note = "what follows the closing " + closing + " was left out, from byte " +
                         std::to_string(m_source.offset() + passed) + " on";
            } else if (rest.take(*at)) {
                if (*at == '[') {
                    m_rest += passed + 1;
                    m_source.consume(passed + 1);
                    return true;
                }
                m_note =
                    "one more \"traceEvents\" is no list; it and what follows it were left out, from byte " +
                    std::to_string(m_source.offset() + passed) + " on";
            }
        }
        m_rest += static_cast<std::size_t>(m_source.end() - m_source.begin());
        m_source.consume(static_cast<std::size_t>(m_source.end() - m_source.begin()));
        const Result<bool> more = m_source.more();
        if (!more)
            return more.error();
        if (!*more)
            break;
        if (m_rest > kMostRest) {
            if (m_note.empty())
                m_note = "more than " + formatBytes(kMostRest) + " without an event follow the events";
            m_note += "; from byte " + std::to_string(m_source.offset()) + " on nothing was read";
            return false;
        }
    }
    if (rest.depth() > 0 && m_note.empty())
        m_note = "the closing } is missing: the file was cut off or is still being written";
    return false;
}

Result<std::optional<std::string_view>> EventSplitter::next() {
    m_source.consume(m_taken);
    m_taken = 0;
    const std::optional<std::string_view> nothing;
    while (!m_listEnded) {
        const Result<bool> any = skipSpace();
        if (!any)
            return any.error();
        if (!*any) {
            m_note = "the closing ] is missing: the file was cut off or is still being written";
            return nothing;
        }
        const char c = *m_source.begin();
        if (c == ']') {
            m_source.consume(1);
            const Result<bool> further = passRest();
            if (!further)
                return further.error();
            m_listEnded = !*further;
            continue;
        }
        if (c == '}' || c == ':')
            return m_source.errorAt(m_source.offset(), std::string("expected an event or ], found ") + c);
        if (c != ',')
            break;
        if (const Status status = pass(1); !status)
            return status.error();
    }
    if (m_listEnded)
        return nothing;
    m_gap = 0;
    m_offset = m_source.offset();
    auto found = value();
    if (!found)
        return found;
    if (!*found)
        m_note = "the last event, at byte " + std::to_string(m_offset) + ", is cut off";
    else
        m_taken = (**found).size();
    return found;
}

} // namespace heteroscope::profiling
