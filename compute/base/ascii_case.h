// SPDX-License-Identifier: Apache-2.0
// Letters of ASCII without their case, in every locale. Pure functions; any thread.
#pragma once

namespace heteroscope {

/// 'a' of 'A'; any other character as it is, bytes of UTF-8 too.
constexpr char lowerAscii(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace heteroscope
