// SPDX-License-Identifier: Apache-2.0
// Text from files as a terminal may get it: what a terminal acts upon, and what shows a line in another order
// than it is written, stands as an escape ("\u001b"). Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

namespace heteroscope {

/// Control characters (U+0000 to U+001F, U+007F to U+009F) become \uXXXX, as in JSON; those in `kept` stay.
/// What is no UTF-8 stays as it is.
std::string withoutControls(std::string_view text, std::string_view kept = {});

/// Also the characters that override the direction of writing (U+202A to U+202E, U+2066 to U+2069).
std::string printable(std::string_view text, std::string_view kept = {});

/// At most `bytes` of it, whole characters, and then how much was left out.
std::string shortened(std::string_view text, std::size_t bytes);

} // namespace heteroscope
