// SPDX-License-Identifier: Apache-2.0
#include "compute/base/csv_cell.h"

#include "compute/base/printable.h"

#include <charconv>

namespace heteroscope {
namespace {

constexpr char kGuard = '\'';

/// "-1.5", "+3", "1e-9", "-inf": what a program writes for a number.
bool isNumberText(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1); // what from_chars does not take
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure != std::errc::invalid_argument && end == text.data() + text.size();
}

bool beginsLikeFormula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
}

/// Whether what follows the apostrophes at the beginning begins like a formula.
bool isGuardable(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kGuard);
    return first != std::string_view::npos && beginsLikeFormula(text.substr(first));
}

/// Also what other programs split cells at, and spaces that readers take off at the ends.
bool needsQuotes(std::string_view text) {
    return text.find_first_of(",;\t\"\r\n") != std::string_view::npos || text.starts_with(' ') ||
           text.ends_with(' ');
}

std::string guarded(std::string_view text) {
    std::string cell;
    if (isGuardable(text) && !isNumberText(text))
        cell = kGuard;
    return cell + withoutControls(text, "\t\r\n");
}

std::string inQuotes(std::string_view cell) {
    std::string text = "\"";
    for (const char c : cell)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

} // namespace

std::string csvCell(std::string_view text) {
    const std::string cell = guarded(text);
    return needsQuotes(cell) ? inQuotes(cell) : cell;
}

std::string tsvCell(std::string_view text) {
    std::string cell = guarded(text);
    for (char& c : cell)
        if (c == '\t' || c == '\r' || c == '\n')
            c = ' ';
    return cell.find('"') == std::string::npos ? cell : inQuotes(cell);
}

std::string_view csvText(std::string_view cell) {
    return cell.starts_with(kGuard) && isGuardable(cell) ? cell.substr(1) : cell;
}

} // namespace heteroscope
