// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks, rows and columns of a typed matrix.
#include "ui/build/manual_matrix.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

std::size_t rowCount(const Json& values) {
    return values.is_array() ? values.size() : 0;
}

std::size_t columnCount(const Json& values) {
    std::size_t most = 0;
    for (std::size_t row = 0; row < rowCount(values); ++row)
        most = std::max(most, values[row].is_array() ? values[row].size() : 0);
    return most;
}

std::optional<Json> parseCell(const QString& text) {
    bool isNumber = false;
    const double value = text.trimmed().toDouble(&isNumber);
    if (!isNumber || !std::isfinite(value))
        return std::nullopt;
    if (value == std::floor(value) && std::abs(value) < 9e15)
        return Json(static_cast<std::int64_t>(value));
    return Json(value);
}

std::optional<Json> parseBlock(const QString& text) {
    static const QRegularExpression kCells(QStringLiteral("[\\t ,;]+"));
    static const QRegularExpression kLines(QStringLiteral("[\\r\\n/]+"));
    Json block = Json::array();
    for (const QString& line : text.split(kLines, Qt::SkipEmptyParts)) {
        Json row = Json::array();
        for (const QString& cell : line.split(kCells, Qt::SkipEmptyParts)) {
            const auto value = parseCell(cell);
            if (!value || row.size() == kMostManualSide)
                return std::nullopt;
            row.push_back(*value);
        }
        if (!row.empty())
            block.push_back(std::move(row));
        if (block.size() > kMostManualSide)
            return std::nullopt;
    }
    if (block.empty())
        return std::nullopt;
    return block;
}

Json resized(const Json& values, std::size_t rows, std::size_t columns) {
    Json result = Json::array();
    for (std::size_t r = 0; r < std::clamp<std::size_t>(rows, 1, kMostManualSide); ++r) {
        Json row = Json::array();
        for (std::size_t c = 0; c < std::clamp<std::size_t>(columns, 1, kMostManualSide); ++c) {
            const bool known = r < rowCount(values) && values[r].is_array() && c < values[r].size();
            row.push_back(known ? values[r][c] : Json(0));
        }
        result.push_back(std::move(row));
    }
    return result;
}

Json withBlock(const Json& values, std::size_t row, std::size_t column, const Json& block) {
    Json result = resized(values, std::max(rowCount(values), row + rowCount(block)),
                          std::max(columnCount(values), column + columnCount(block)));
    for (std::size_t r = 0; r < rowCount(block) && row + r < result.size(); ++r)
        for (std::size_t c = 0; c < block[r].size() && column + c < result[row + r].size(); ++c)
            result[row + r][column + c] = block[r][c];
    return result;
}

} // namespace heteroscope::ui
