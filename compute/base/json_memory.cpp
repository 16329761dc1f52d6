// SPDX-License-Identifier: Apache-2.0
#include "compute/base/json_memory.h"

#include <algorithm>

namespace heteroscope {
namespace {

/// Of lists and objects, brackets in texts left out.
int depthOf(std::string_view text) {
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{'))
            deepest = std::max(deepest, ++depth);
        else if (!quoted && (c == ']' || c == '}'))
            --depth;
    }
    return deepest;
}

} // namespace

std::int64_t jsonMemory(std::string_view text) {
    constexpr std::int64_t kValueBytes = 96;
    const auto values = std::count_if(text.begin(), text.end(),
                                      [](char c) { return c == ',' || c == ':' || c == '[' || c == '{'; });
    return values * kValueBytes + static_cast<std::int64_t>(text.size());
}

Result<Json> parseJson(std::string_view text, MemoryBudget& budget, const std::string& where) {
    if (depthOf(text) > kMaxJsonDepth)
        return badInput(where, "its lists and objects lie deeper than they may",
                        "at most " + std::to_string(kMaxJsonDepth) + " levels");
    if (const Status status = budget.charge(jsonMemory(text), "the values of the JSON text", where); !status)
        return status.error();
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) // the parser would end there
        return badInput(where, "it is not valid JSON: a NUL byte at byte " + std::to_string(nul));
    Json value = Json::parse(text.begin(), text.end(), nullptr, false);
    if (value.is_discarded())
        return badInput(where, "it is not valid JSON");
    return value;
}

} // namespace heteroscope
