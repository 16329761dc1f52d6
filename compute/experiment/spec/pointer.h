// SPDX-License-Identifier: Apache-2.0
// JSON pointers (RFC 6901) without exceptions. Pure functions; any thread.
#pragma once

#include "compute/base/axis_name.h"
#include "compute/base/json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

/// "/a~1b/2" -> {"a/b", "2"}; nothing when the text is no pointer. "" is the whole document: no parts.
std::optional<std::vector<std::string>> pointerParts(std::string_view pointer);
std::string escapePointerPart(std::string_view part);
std::string childPointer(const std::string& parent, std::string_view key);
std::string childPointer(const std::string& parent, std::size_t index);

/// The value there, or nullptr.
const Json* valueAt(const Json& document, std::string_view pointer);
/// Puts the value there, making objects on the way; false when the way leads through a scalar or past the end
/// of a list, or when the pointer is the whole document or no pointer.
bool setValueAt(Json& document, std::string_view pointer, const Json& value);

/// Whether one pointer is the other or lies inside it.
bool pointersOverlap(std::string_view a, std::string_view b);

} // namespace heteroscope::compute
