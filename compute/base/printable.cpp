// SPDX-License-Identifier: Apache-2.0
#include "compute/base/printable.h"

#include <cstdint>

namespace heteroscope {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

unsigned byteAt(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// A character to escape and its bytes; {0, 0} for any other.
struct Special {
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

Special specialAt(std::string_view text, std::size_t at, bool directions) {
    const unsigned first = byteAt(text, at), second = byteAt(text, at + 1), third = byteAt(text, at + 2);
    if (first < 0x20 || first == 0x7f)
        return {first, 1};
    if (first == 0xc2 && second >= 0x80 && second <= 0x9f)
        return {second, 2};
    const bool overrides = first == 0xe2 && ((second == 0x80 && third >= 0xaa && third <= 0xae) ||
                                             (second == 0x81 && third >= 0xa6 && third <= 0xa9));
    if (directions && overrides)
        return {0x2000 + ((second & 0x3fu) << 6) + (third & 0x3fu), 3};
    return {};
}

std::string escaped(std::string_view text, std::string_view kept, bool directions) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Special special = specialAt(text, at, directions);
        if (special.bytes == 0 || kept.find(text[at]) != std::string_view::npos) {
            result += text[at++];
            continue;
        }
        result += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4)
            result += kHexDigits[special.code >> shift & 0xfu];
        at += special.bytes;
    }
    return result;
}

} // namespace

std::string withoutControls(std::string_view text, std::string_view kept) {
    return escaped(text, kept, false);
}

std::string printable(std::string_view text, std::string_view kept) {
    return escaped(text, kept, true);
}

std::string shortened(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes)
        return std::string(text);
    while (bytes > 0 && (byteAt(text, bytes) & 0xc0u) == 0x80u)
        --bytes;
    return std::string(text.substr(0, bytes)) + "... (" + std::to_string(text.size() - bytes) +
           " bytes more)";
}

} // namespace heteroscope
