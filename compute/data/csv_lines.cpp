// SPDX-License-Identifier: Apache-2.0
#include "compute/data/csv_lines.h"

#include "compute/base/csv_cell.h"
#include "compute/data/csv.h"

namespace heteroscope::compute {

CsvLines::CsvLines(std::string_view text, char separator, std::string name)
    : m_text(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text),
      m_separator(separator),
      m_name(std::move(name)) {}

Error CsvLines::errorAt(std::size_t column, const std::string& message, std::string allowed,
                        std::string advice) const {
    return badInput(m_name + ", line " + std::to_string(m_recordLine) + ", column " +
                        std::to_string(column + 1),
                    message, std::move(allowed), std::move(advice));
}

void CsvLines::skipLineEnd() {
    if (atEnd())
        return;
    const bool windows = m_text[m_at] == '\r' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '\n';
    m_at += windows ? 2 : 1;
    ++m_line;
}

void CsvLines::skipSpaces() {
    while (!atEnd() && (m_text[m_at] == ' ' || m_text[m_at] == '\t') &&
           (m_text[m_at] != m_separator || m_separator == ' '))
        ++m_at;
}

Result<std::string> CsvLines::quoted(std::size_t column) {
    std::string cell;
    for (++m_at; !atEnd(); ++m_at) {
        if (m_text[m_at] == '"') {
            ++m_at;
            if (atEnd() || m_text[m_at] != '"') {
                skipSpaces();
                if (atEnd() || endsCell(m_text[m_at]) || m_separator == ' ')
                    return cell;
                return errorAt(column, "text follows a closing quotation mark",
                               "a separator or the end of the line; \"\" for a quotation mark");
            }
        }
        if (cell.size() == kMostCsvCellBytes)
            return errorAt(column, "the cell is too long", "at most 1 MiB");
        m_line += m_text[m_at] == '\n' ? 1 : 0;
        cell += m_text[m_at];
    }
    return errorAt(column, "the quotation mark is never closed");
}

Result<std::string> CsvLines::plain(std::size_t column) {
    const std::size_t first = m_at;
    while (!atEnd() && !endsCell(m_text[m_at]))
        ++m_at;
    if (m_at - first > kMostCsvCellBytes)
        return errorAt(column, "the cell is too long", "at most 1 MiB");
    std::string_view cell = m_text.substr(first, m_at - first);
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t'))
        cell.remove_suffix(1);
    return std::string(cell);
}

Result<bool> CsvLines::next(std::vector<std::string>& cells) {
    constexpr std::string_view kGzip = "\x1f\x8b";
    if (m_at == 0 && m_text.starts_with(kGzip))
        return badInput(m_name, "the table is compressed with gzip", "a table as text",
                        "unpack it first: gunzip");
    while (!atEnd() && (m_text[m_at] == '\n' || m_text[m_at] == '\r'))
        skipLineEnd();
    cells.clear();
    m_recordLine = m_line;
    const std::size_t start = m_at;
    if (atEnd())
        return false;
    for (;;) {
        skipSpaces();
        const bool lineOver = atEnd() || m_text[m_at] == '\n' || m_text[m_at] == '\r';
        if (lineOver && m_separator == ' ' && !cells.empty())
            break; // spaces at the end of a line separate nothing
        if (cells.size() == kMostCsvColumns)
            return errorAt(cells.size(), "the line has too many cells",
                           "at most " + std::to_string(kMostCsvColumns));
        if (m_at - start > kMostCsvLineBytes)
            return errorAt(cells.size(), "the line is too long", "at most 16 MiB");
        if (!atEnd() && m_text[m_at] == '"') {
            auto cell = quoted(cells.size());
            if (!cell)
                return cell.error();
            cells.emplace_back(csvText(*cell));
        } else {
            auto cell = plain(cells.size());
            if (!cell)
                return cell.error();
            cells.emplace_back(csvText(*cell));
        }
        if (atEnd() || m_text[m_at] != m_separator) {
            if (m_separator != ' ' || atEnd() || m_text[m_at] == '\n' || m_text[m_at] == '\r')
                break;
            continue; // a quoted cell that another one follows
        }
        ++m_at;
    }
    skipLineEnd();
    return true;
}

} // namespace heteroscope::compute
