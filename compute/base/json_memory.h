// SPDX-License-Identifier: Apache-2.0
// JSON from files that somebody else may have written: what its values take is charged before they are made,
// and its depth is bounded, since whoever compares or writes values goes down into them.
#pragma once

#include "compute/base/json.h"
#include "compute/base/memory_budget.h"
#include "compute/base/result.h"

#include <string>
#include <string_view>

namespace heteroscope {

inline constexpr int kMaxJsonDepth = 256;

/// What the values of a text take at most: each follows a comma, a colon or a bracket, and lies in a list
/// that doubles.
std::int64_t jsonMemory(std::string_view text);

/// The text as a value; what it takes stays charged. Errors: OutOfMemory; BadInput where it is no JSON, or
/// lies deeper than kMaxJsonDepth. `where`: the file.
Result<Json> parseJson(std::string_view text, MemoryBudget& budget, const std::string& where);

} // namespace heteroscope
