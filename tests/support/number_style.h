// SPDX-License-Identifier: Apache-2.0
// How numbers stand in texts for people: at most four significant digits before a unit or with decimals,
// groups of three digits with a no-break space and nothing else, one prefix a unit, and ratios as "12.3×".
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::number_style {

inline std::size_t significantDigits(const std::string& number) {
    std::string digits;
    for (const char c : number)
        if (std::isdigit(static_cast<unsigned char>(c)) != 0)
            digits += c;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    return digits.size();
}

/// "12345.6 ms", "1,024", "1.98 kMHz" and "12.3x", each with what stands around it.
inline std::vector<std::string> badNumbers(const std::string& text) {
    constexpr std::size_t kMostDigits = 4;
    // What is before and after keeps names (sm80_x), versions (0.1.0), dates and shapes (128x1x1) out.
    static const std::regex withUnit(
        "(^|[^A-Za-z0-9_.=-])([0-9]+(\\.[0-9]+)?) ?(ns|\u00b5s|ms|s|[KMGTPE]iB|B|"
        "[kMGTP]?B/s|[kMGTP]?FLOP/s|%|[MG]Hz)(?![A-Za-z0-9_])");
    static const std::regex ratio("(^|[^A-Za-z0-9_.=-])([0-9]+(\\.[0-9]+)?)\u00d7");
    static const std::regex decimals("(^|[^A-Za-z0-9_.=-])([0-9]+\\.[0-9]+)(?![A-Za-z0-9_.])");
    static const std::regex otherGroups("[0-9][,'][0-9]{3}(?![0-9])");
    static const std::regex otherRatios(
        "(^|[^A-Za-z0-9_.=-])[0-9]+(\\.[0-9]+)?(x(?![A-Za-z0-9_])|[ \u00a0]\u00d7(?![ \u00a0]))");
    static const std::regex twoPrefixes("[kMGT][kMGT](Hz|B/s|FLOP/s)");
    std::vector<std::string> bad;
    const auto note = [&](const std::smatch& found) {
        const auto at = static_cast<std::size_t>(found.position(0));
        bad.push_back(text.substr(at > 20 ? at - 20 : 0, found.length(0) + 40));
    };
    for (const std::regex* form : {&withUnit, &ratio, &decimals})
        for (auto at = std::sregex_iterator(text.begin(), text.end(), *form); at != std::sregex_iterator();
             ++at)
            if (significantDigits((*at)[2]) > kMostDigits)
                note(*at);
    for (const std::regex* form : {&otherGroups, &otherRatios, &twoPrefixes})
        for (auto at = std::sregex_iterator(text.begin(), text.end(), *form); at != std::sregex_iterator();
             ++at)
            note(*at);
    return bad;
}

} // namespace heteroscope::number_style
