// SPDX-License-Identifier: Apache-2.0
// UTF-8 as JSON wants it. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heteroscope::profiling {

/// Bytes of the valid character at the beginning of `text`; 0 when it is none (RFC 3629: no surrogates, no
/// overlong forms).
std::size_t utf8Length(std::string_view text);
/// Each byte that is part of no valid character becomes U+FFFD.
std::string validUtf8(std::string_view text);
/// Appends `text` as a JSON string with its quotes: control characters escaped, invalid bytes as U+FFFD.
void appendJsonString(std::string& out, std::string_view text);

} // namespace heteroscope::profiling
