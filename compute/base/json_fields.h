// SPDX-License-Identifier: Apache-2.0
// Numbers of JSON that a file brought, which may be of any type. Pure functions; any thread.
#pragma once

#include "compute/base/json.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace heteroscope {

/// A whole number from 0 on; nothing where it is none.
inline std::optional<std::int64_t> countOf(const Json& value) {
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return std::nullopt;
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
        return std::nullopt;
    return value.get<std::int64_t>();
}

/// countOf() what a key holds; nothing where the value is no object, or has no such key.
inline std::optional<std::int64_t> countField(const Json& value, const char* key) {
    const auto found = value.find(key);
    return found == value.end() ? std::nullopt : countOf(*found);
}

/// A finite number; nothing where there is none.
inline std::optional<double> numberField(const Json& value, const char* key) {
    const auto found = value.find(key);
    if (found == value.end() || !found->is_number() || !std::isfinite(found->get<double>()))
        return std::nullopt;
    return found->get<double>();
}

} // namespace heteroscope
