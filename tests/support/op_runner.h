// SPDX-License-Identifier: Apache-2.0
// Runs one op on one session with given inputs; outputs are poisoned with NaN before.
#pragma once

#include "compute/core/backend.h"

#include <cstdint>
#include <vector>

namespace heteroscope::compute {

/// The first output. Inputs in the order of the op's operands and of their sizes. The op runs twice, so that
/// anything left behind by the first run shows.
Result<std::vector<float>> runOp(Session& session, const Op& op,
                                 const std::vector<std::vector<float>>& inputs);

enum class Data {
    Integers, ///< whole numbers from -9 to 9: sums are exact, ties are frequent
    Reals,    ///< from -1 to 1
    Special   ///< zeros of both signs, infinities, NaN and few others
};

std::vector<float> makeData(Data kind, std::int64_t elements, std::uint32_t seed);

/// One tensor for each input operand of the op.
std::vector<std::vector<float>> makeInputs(Data kind, const Op& op, std::uint32_t seed);

} // namespace heteroscope::compute
