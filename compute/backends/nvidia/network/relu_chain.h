// SPDX-License-Identifier: Apache-2.0
// An operation with a ReLU after it, which NVIDIA's libraries compute as one. Any thread.
#pragma once

#include "compute/core/linked_op.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// Why the chain is more than one operation and a ReLU of its result; empty: it is not. `results`: numbers of
/// what is written.
std::string reluChainRefusal(const OpChain& chain, std::span<const int> results);

/// Where in `src`, the numbers of what the chain reads, the operands of its first operation are.
std::vector<std::size_t> firstOperands(const OpChain& chain, std::span<const int> src);

} // namespace heteroscope::compute::nvidia
