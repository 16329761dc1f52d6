// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a typed matrix ("values": rows of numbers). Pure functions; any thread.
#pragma once

#include "compute/base/json.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace heteroscope::ui {

/// Rows and columns a person may type; larger inputs belong in a file.
inline constexpr std::size_t kMostManualSide = 512;

/// A block from the clipboard: rows by line, cells by tab, space, comma or semicolon. Nothing when a cell is
/// no number or there is none.
std::optional<Json> parseBlock(const QString& text);
/// Puts a block in with its first cell at (row, column); the matrix grows with zeros where it has to.
Json withBlock(const Json& values, std::size_t row, std::size_t column, const Json& block);
Json resized(const Json& values, std::size_t rows, std::size_t columns);
std::optional<Json> parseCell(const QString& text);

std::size_t rowCount(const Json& values);
std::size_t columnCount(const Json& values);

} // namespace heteroscope::ui
