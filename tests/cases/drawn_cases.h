// SPDX-License-Identifier: Apache-2.0
// Problems drawn at random: small and odd sizes, strides and paddings of all sides, groups, dilations. Every
// kind of operation has a drawing of its own; one without does not compile.
#pragma once

#include "tests/cases/network_cases.h"

#include <cstddef>
#include <random>
#include <variant>

namespace heteroscope::compute {

/// Kinds of operations, in the order of Op.
inline constexpr std::size_t kOpKinds = std::variant_size_v<Op>;

/// An operation of that kind that operandElements() accepts. The same generator state gives the same one on
/// every machine. The name of the case is the operation's detail.
NetworkCase drawnCase(std::size_t kind, std::mt19937& random);

} // namespace heteroscope::compute
