// SPDX-License-Identifier: Apache-2.0
// One event of a Chrome trace, parsed with simdjson. Texts are valid until the next event. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscope::profiling {

constexpr std::size_t kMostChromeArgs = 4096; ///< of one event; one that has more is left out
/// Memory of the parser for each byte of the longest event: its indexes, its texts and a repaired copy.
constexpr std::int64_t kParserBytesPerByte = 10;

struct ChromeEvent {
    char phase = 0;
    bool bindsToEnclosing = false; ///< "bp": "e"
    std::string_view name, category, id;
    std::string_view pid, tid;                      ///< numbers as written, strings without quotes
    std::optional<std::int64_t> timeNs, durationNs; ///< nothing where they are no numbers
    bool hasDuration = false;                       ///< "dur" is there, number or not
    /// Key and value; strings without quotes, everything else as it is written.
    std::vector<std::pair<std::string_view, std::string_view>> args;
};

class ChromeEventParser {
  public:
    ChromeEventParser();
    ~ChromeEventParser();
    /// `text` must be followed by kJsonPadding readable bytes. Returns what is wrong; empty when nothing is.
    std::string parse(std::string_view text, ChromeEvent& event);
    std::uint64_t repaired() const { return m_repaired; } ///< events whose invalid UTF-8 was replaced

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
    std::uint64_t m_repaired = 0;
};

/// Microseconds as a decimal number ("12.345", "1e3") in nanoseconds, exact for up to three decimals, else
/// rounded; nothing when it is no number. Beyond 2.4e18 nanoseconds it is only known to be larger.
std::optional<std::int64_t> nanosecondsOf(std::string_view microseconds);

} // namespace heteroscope::profiling
