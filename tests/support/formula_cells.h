// SPDX-License-Identifier: Apache-2.0
// Which cells of a table a spreadsheet would compute: an own reading of CSV and TSV, not the product's.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

namespace heteroscope::spreadsheet {

/// Cells line by line, quotes taken off as RFC 4180 says; spreadsheets do the same where tabs separate cells.
inline std::vector<std::string> cellsOf(const std::string& table, char separator = ',') {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const char c = table[i];
        if (quoted && c == '"' && i + 1 < table.size() && table[i + 1] == '"')
            cells.back() += table[++i];
        else if (c == '"' && (quoted || cells.back().empty()))
            quoted = !quoted;
        else if (!quoted && (c == separator || c == '\n'))
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

/// Those that begin like a formula and are no number.
inline std::vector<std::string> formulasIn(const std::string& table, char separator = ',') {
    std::vector<std::string> formulas;
    for (const std::string& cell : cellsOf(table, separator)) {
        if (cell.empty() || std::string("=+-@\t\r\n").find(cell.front()) == std::string::npos)
            continue;
        char* end = nullptr;
        std::strtod(cell.c_str(), &end);
        if (end == cell.c_str() || *end != '\0')
            formulas.push_back(cell);
    }
    return formulas;
}

/// How often the text stands in a cell of its own with the apostrophe that makes it a text.
inline int guardedCells(const std::string& table, const std::string& text, char separator = ',') {
    int count = 0;
    for (const std::string& cell : cellsOf(table, separator))
        count += cell == "'" + text ? 1 : 0;
    return count;
}

} // namespace heteroscope::spreadsheet
