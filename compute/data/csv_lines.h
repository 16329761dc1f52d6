// SPDX-License-Identifier: Apache-2.0
// Cells of comma-separated text, one record after the other. One thread.
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

class CsvLines {
  public:
    /// The text outlives the reader. A byte-order mark is skipped.
    CsvLines(std::string_view text, char separator, std::string name);

    /// The next record that is not empty; false at the end. With a space as separator several are one.
    Result<bool> next(std::vector<std::string>& cells);

    std::int64_t line() const { return m_recordLine; } ///< of the record, from 1
    Error errorAt(std::size_t column, const std::string& message, std::string allowed = {},
                  std::string advice = {}) const;

  private:
    bool atEnd() const { return m_at >= m_text.size(); }
    bool endsCell(char c) const { return c == m_separator || c == '\n' || c == '\r'; }
    Result<std::string> quoted(std::size_t column);
    Result<std::string> plain(std::size_t column);
    void skipLineEnd();
    void skipSpaces();

    std::string_view m_text;
    char m_separator;
    std::string m_name;
    std::size_t m_at = 0;
    std::int64_t m_line = 1, m_recordLine = 0;
};

} // namespace heteroscope::compute
