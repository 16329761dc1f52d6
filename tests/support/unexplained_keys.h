// SPDX-License-Identifier: Apache-2.0
// Keys of JSON and columns of CSV that the dictionary of figures does not explain.
#pragma once

#include "profiling/analysis/figures.h"

#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace heteroscope::profiling::test {

/// Keys of the document that no figure explains. A figure whose unit is "object" explains all that is in it.
inline void addUnexplained(const Json& value, std::string_view file, const std::string& key,
                           std::set<std::string>& unexplained) {
    const Figure* const found = key.empty() ? nullptr : figureOfKey(file, key);
    const bool holdsObjects =
        value.is_object() || (value.is_array() && !value.empty() && value.front().is_object());
    if (found && (found->unit == "object" || !holdsObjects))
        return;
    if (value.is_array() && holdsObjects) {
        for (const Json& entry : value)
            addUnexplained(entry, file, key, unexplained);
    } else if (value.is_object() && !value.empty()) {
        for (const auto& [name, inner] : value.items())
            addUnexplained(inner, file, key.empty() ? name : key + "." + name, unexplained);
    } else if (!value.is_object() && !(value.is_array() && value.empty())) {
        unexplained.insert(key);
    }
}

inline std::set<std::string> unexplained(const Json& document, std::string_view file) {
    std::set<std::string> keys;
    addUnexplained(document, file, {}, keys);
    return keys;
}

/// Columns of the header line.
inline std::set<std::string> unexplainedColumns(const std::string& csv, std::string_view file) {
    std::istringstream columns(csv.substr(0, csv.find('\n')));
    std::set<std::string> unknown;
    for (std::string column; std::getline(columns, column, ',');)
        if (!figureOfKey(file, column))
            unknown.insert(column);
    return unknown;
}

} // namespace heteroscope::profiling::test
