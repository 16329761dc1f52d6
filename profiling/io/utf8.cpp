// SPDX-License-Identifier: Apache-2.0
#include "profiling/io/utf8.h"

namespace heteroscope::profiling {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool inRange(char c, unsigned char low, unsigned char high) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= low && byte <= high;
}

bool continues(std::string_view text, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
        if (!inRange(text[i], 0x80, 0xbf))
            return false;
    return true;
}

void appendEscape(std::string& out, char c) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
    case '"':
    case '\\':
        out += '\\';
        out += c;
        return;
    case '\n':
        out += "\\n";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        out += "\\u00";
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
    }
}

} // namespace

std::size_t utf8Length(std::string_view text) {
    if (text.empty())
        return 0;
    const char first = text[0];
    if (inRange(first, 0x00, 0x7f))
        return 1;
    const std::size_t length = inRange(first, 0xc2, 0xdf)   ? 2
                               : inRange(first, 0xe0, 0xef) ? 3
                               : inRange(first, 0xf0, 0xf4) ? 4
                                                            : 0;
    if (length == 0 || text.size() < length || !continues(text, 1, length))
        return 0;
    const auto second = static_cast<unsigned char>(text[1]);
    const auto lead = static_cast<unsigned char>(first);
    const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool outside = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
    return overlong || outside ? 0 : length;
}

std::string validUtf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        out += length ? text.substr(0, length) : kReplacement;
        text.remove_prefix(length ? length : 1);
    }
    return out;
}

void appendJsonString(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const char c = text[0];
        const std::size_t length = utf8Length(text);
        if (c == '"' || c == '\\' || inRange(c, 0x00, 0x1f) || c == 0x7f)
            appendEscape(out, c);
        else
            out += length ? text.substr(0, length) : kReplacement;
        text.remove_prefix(length ? length : 1);
    }
    out += '"';
}

} // namespace heteroscope::profiling
