// SPDX-License-Identifier: Apache-2.0
// The text of a Chrome trace, piece by piece, handed on a megabyte at a time. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace heteroscope::profiling {

class ChromeText {
  public:
    /// `write` returns false when it cannot; it is not called again then.
    explicit ChromeText(std::function<bool(std::string_view)> write) : m_write(std::move(write)) {}

    void beginEvent(const char* phase);
    void raw(std::string_view text) { m_text += text; }
    /// `key` with what stands around it: `,"pid":`.
    void number(std::string_view key, std::int64_t value);
    void number(std::string_view key, double value); ///< finite
    void text(std::string_view key, std::string_view value);
    /// Nanoseconds as microseconds with three decimals, so that nothing is lost.
    void microseconds(std::string_view key, std::int64_t ns);
    void escaped(std::string_view value); ///< a JSON string; what is not UTF-8 is replaced

    bool flushIfLong();
    bool flush(); ///< false when writing has failed

  private:
    std::function<bool(std::string_view)> m_write;
    std::string m_text;
    bool m_first = true, m_good = true;
};

} // namespace heteroscope::profiling
