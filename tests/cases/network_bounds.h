// SPDX-License-Identifier: Apache-2.0
// How far a correct float implementation may be from the plain loops: rounding errors of so many terms, each
// at most half a unit in the last place of what is added. The order of additions is left open.
#pragma once

#include "tests/cases/network_inputs.h"

namespace heteroscope::compute {

/// For each output a bound for each element; 0: the value itself is asked for (zeros of either sign).
using Bounds = std::vector<std::vector<double>>;

/// `expected` are the plain loops' outputs for `inputs`.
Bounds networkBounds(const Op& op, const Tensors& inputs, const Tensors& expected);

/// Whether whole numbers from -9 to 9 must come out exactly: only sums and products of them are taken.
bool exactForIntegers(const Op& op);

} // namespace heteroscope::compute
