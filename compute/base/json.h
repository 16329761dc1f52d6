// SPDX-License-Identifier: Apache-2.0
// The JSON value type used everywhere. Keys keep the order in which they were written, so that saved files
// differ little.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace heteroscope {

using Json = nlohmann::ordered_json;

/// The text of a key; empty where the value is no object, or has no text there. (Json::value() throws when
/// what a file brought is of another type.)
inline std::string textField(const Json& value, const char* key) {
    const auto found = value.find(key);
    return found != value.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace heteroscope
