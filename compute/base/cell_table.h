// SPDX-License-Identifier: Apache-2.0
// The one place where tables become text that a spreadsheet opens: CSV files, and what is copied as CSV or
// TSV. Every cell goes through csvCell() or tsvCell(), so that no text of a file becomes a formula; the lint
// refuses other ways. One thread.
#pragma once

#include <charconv>
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace heteroscope {

class CellTable {
  public:
    enum class Form { Csv, Tsv };
    explicit CellTable(Form form = Form::Csv) : m_form(form) {}

    /// A text, or a number as a text: numbers stay as they are.
    CellTable& cell(std::string_view text);
    template <std::integral Number>
    requires(!std::same_as<Number, bool>) CellTable& cell(Number number) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        return append({digits, static_cast<std::size_t>(end - digits)});
    }
    CellTable& cells(std::initializer_list<std::string_view> texts);
    void endLine();
    /// A whole line.
    void line(std::initializer_list<std::string_view> texts);
    /// Cells that another table has put together, without its line's end: what begins many lines.
    CellTable& cellsOf(const CellTable& begun);

    const std::string& text() const { return m_text; }

  private:
    CellTable& append(std::string_view cell);

    Form m_form;
    bool m_begun = false; ///< the line has a cell
    std::string m_text;
};

} // namespace heteroscope
