// SPDX-License-Identifier: Apache-2.0
// One value against the description of its parameter. Pure; any thread.
#pragma once

#include "compute/experiment/spec/findings.h"
#include "compute/model/parameter_schema.h"

#include <optional>

namespace heteroscope::compute {

/// Cells a typed-in matrix may have; larger ones belong in a .npy file.
inline constexpr std::size_t kMaxManualCells = 1u << 20;

/// A whole number, also when written as 2.0; nothing for everything else.
std::optional<std::int64_t> wholeNumber(const Json& value);
inline std::int64_t wholeOrZero(const Json& value) {
    return wholeNumber(value).value_or(0);
}

void checkParameterValue(const Parameter& parameter, const Json& value, const std::string& pointer,
                         Findings& findings);

} // namespace heteroscope::compute
