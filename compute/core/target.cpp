// SPDX-License-Identifier: Apache-2.0
// Reading and writing target texts.
#include "compute/core/target.h"

#include <algorithm>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kMaxTextLength = 256;
constexpr const char* kGrammar = "device/implementation[?option=value&...], e.g. cpu/openmp?threads=4";

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool isName(std::string_view text, bool colonAllowed = false) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [colonAllowed](char c) {
        return isNameCharacter(c) || (colonAllowed && c == ':');
    });
}

/// Names of implementations have ':', capitals (nChw16c) and are joined by '+'.
bool isValue(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return isNameCharacter(c) || (c >= 'A' && c <= 'Z') || c == ':' || c == '+';
    });
}

Error refuse(std::string_view text, std::string what) {
    return badInput("target '" + std::string(text.substr(0, kMaxTextLength)) + "'", std::move(what),
                    kGrammar);
}

Status parseOption(std::string_view whole, std::string_view option, Target& target) {
    const std::size_t equals = option.find('=');
    const std::string_view name = option.substr(0, equals);
    if (equals == std::string_view::npos || !isName(name))
        return refuse(whole,
                      "'" + std::string(option) + "' is not option=value, with the option in lower case");
    if (!isValue(option.substr(equals + 1)))
        return refuse(
            whole,
            "the value of '" + std::string(option) +
                "' is empty or has a character other than letters, digits, '_', '-', '.', ':' and '+'");
    const bool added = target.options.emplace(name, option.substr(equals + 1)).second;
    if (!added)
        return refuse(whole, "option '" + std::string(name) + "' is given twice");
    return {};
}

Status parseOptions(std::string_view whole, std::string_view rest, Target& target) {
    while (true) {
        const std::size_t ampersand = rest.find('&');
        if (const Status status = parseOption(whole, rest.substr(0, ampersand), target); !status)
            return status;
        if (ampersand == std::string_view::npos)
            return {};
        rest.remove_prefix(ampersand + 1);
    }
}

} // namespace

bool namesGpu(std::string_view deviceOrTarget) {
    return deviceOrTarget.starts_with("cuda:");
}

std::string Target::text() const {
    std::string result = device + "/" + implementation;
    char separator = '?';
    for (const auto& [name, value] : options) {
        result += separator + name + "=" + value;
        separator = '&';
    }
    return result;
}

Result<Target> parseTarget(std::string_view text) {
    if (text.size() > kMaxTextLength)
        return refuse(text, "longer than " + std::to_string(kMaxTextLength) + " characters");
    const std::size_t question = text.find('?');
    const std::string_view place = text.substr(0, question);
    const std::size_t slash = place.find('/');
    if (slash == std::string_view::npos)
        return refuse(text, "there is no '/' between device and implementation");
    Target target{std::string(place.substr(0, slash)), std::string(place.substr(slash + 1)), {}};
    if (!isName(target.device, true))
        return refuse(text, "'" + target.device + "' is not a device name");
    if (!isName(target.implementation))
        return refuse(text, "'" + target.implementation + "' is not an implementation name");
    if (question != std::string_view::npos) {
        if (const Status status = parseOptions(text, text.substr(question + 1), target); !status)
            return status.error();
    }
    return target;
}

} // namespace heteroscope::compute
