// SPDX-License-Identifier: Apache-2.0
// Reading a target's options.
#include "compute/core/target_options.h"

#include "compute/core/cpu.h"

#include <algorithm>
#include <charconv>

namespace heteroscope::compute {
namespace {

constexpr int kMaxThreads = 1024;

std::string listText(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "no option" : text;
}

std::string place(const Target& target) {
    return "target '" + target.text() + "'";
}

} // namespace

Status checkOptionNames(const Target& target, const std::vector<std::string>& known) {
    for (const auto& [name, value] : target.options) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            return badInput(place(target), "unknown option '" + name + "'", listText(known));
    }
    return {};
}

Result<int> threadOption(const Target& target) {
    const auto option = target.options.find("threads");
    if (option == target.options.end())
        return usableCores();
    const std::string& text = option->second;
    int threads = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), threads);
    const bool whole = code == std::errc() && end == text.data() + text.size();
    if (!whole || threads < 0 || threads > kMaxThreads)
        return badInput(place(target), "threads is '" + text + "'",
                        "whole numbers from 1 to " + std::to_string(kMaxThreads) + ", or 0 for all cores");
    return threads == 0 ? usableCores() : threads;
}

Result<std::string> choiceOption(const Target& target, const std::string& name,
                                 const std::vector<std::string>& allowed, const std::string& fallback) {
    const auto option = target.options.find(name);
    if (option == target.options.end())
        return fallback;
    if (std::find(allowed.begin(), allowed.end(), option->second) == allowed.end())
        return badInput(place(target), name + " is '" + option->second + "'", listText(allowed));
    return option->second;
}

} // namespace heteroscope::compute
