// SPDX-License-Identifier: Apache-2.0
// Cells of CSV files that we write and read, and of tables that are copied. Pure functions, any thread.
// Whoever writes a table uses CellTable (cell_table.h).
//
// A text that a spreadsheet would take for a formula (its first character is = + - @, a tab or a line end)
// gets an apostrophe before it, as OWASP's "CSV Injection" advises; so does one that has apostrophes there
// already, so that reading gives every text back. Other control characters, which no table needs and a
// terminal acts upon, become \uXXXX and are not given back. Whole numbers and decimals are no formulas and
// stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace heteroscope {

/// As it stands in a line of the file: guarded, and in RFC 4180 quotes where it needs them.
std::string csvCell(std::string_view text);

/// The same where tabs separate cells: tabs and line ends in it become spaces. Quotes around it only when it
/// holds quotation marks, which spreadsheets take for such.
std::string tsvCell(std::string_view text);

/// What csvCell() was given, from a cell whose quotes are taken off already.
std::string_view csvText(std::string_view cell);

} // namespace heteroscope
