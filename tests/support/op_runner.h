// SPDX-License-Identifier: Apache-2.0
// Runs one op on one session with given inputs; outputs of their own are poisoned with NaN before.
#pragma once

#include "compute/core/backend.h"
#include "compute/core/linked_op.h"

#include <cstdint>
#include <map>
#include <vector>

namespace heteroscope::compute {

using Tensors = std::vector<std::vector<float>>;

/// All outputs. Inputs in the order of the op's operands and of their sizes. The op runs twice, so that
/// anything left behind by the first run shows.
Result<Tensors> runOpAll(Session& session, const Op& op, const Tensors& inputs);

/// The first of them.
Result<std::vector<float>> runOp(Session& session, const Op& op, const Tensors& inputs);

/// All outputs of one run in which output i lies in the memory of input sharedWith[i] (-1: in its own).
Result<Tensors> runOpShared(Session& session, const Op& op, const Tensors& inputs,
                            const std::vector<int>& sharedWith);

/// A chain as one operation that reads `inputs`, by their numbers, and writes its last operation's result, of
/// so many elements. Error: the session does not compute it as one.
Result<std::vector<float>> runChain(Session& session, const OpChain& chain,
                                    const std::map<int, std::vector<float>>& inputs, std::size_t elements);

enum class Data {
    Integers, ///< whole numbers from -9 to 9: sums are exact, ties are frequent
    Reals,    ///< from -1 to 1
    Special   ///< zeros of both signs, infinities, NaN and few others
};

std::vector<float> makeData(Data kind, std::int64_t elements, std::uint32_t seed);

/// One tensor for each input operand of the op.
std::vector<std::vector<float>> makeInputs(Data kind, const Op& op, std::uint32_t seed);

} // namespace heteroscope::compute
