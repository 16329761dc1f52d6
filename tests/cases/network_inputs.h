// SPDX-License-Identifier: Apache-2.0
// Operands that make sense for an operation of networks: labels that are classes, variances that are none
// below zero, forward results where a gradient asks for them.
#pragma once

#include "tests/cases/network_cases.h"
#include "tests/support/op_runner.h"

namespace heteroscope::compute {

/// All outputs by the plain loops; what an operation leaves untouched is NaN.
Tensors specification(const Op& op, const Tensors& inputs);

/// `kind` Integers or Reals: of the values that may be any.
Tensors networkInputs(const NetworkCase& one, Data kind, std::uint32_t seed);

} // namespace heteroscope::compute
