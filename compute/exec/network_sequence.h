// SPDX-License-Identifier: Apache-2.0
// A network's plan as a session is given it, and where the memory lies that the session adds. Pure functions.
#pragma once

#include "compute/core/op_sequence.h"
#include "compute/model/network_plan.h"

#include <cstdint>
#include <vector>

namespace heteroscope::compute {

/// Memory has the numbers of the plan's tensors, steps those of its steps; views are what they view.
OpSequence sequenceOf(const NetworkPlan& plan);

/// Where each added memory lies in one block: multiples of kTensorAlignment elements. What one phase writes and
/// another reads shares its memory with nothing after it, so that the other phase can be repeated alone.
struct AddedPlaces {
    std::vector<std::int64_t> offsets; ///< in elements
    std::int64_t elements = 0;         ///< of the block
};
AddedPlaces placeAddedMemory(const NetworkPlan& plan, const SequencePlan& sequence);

} // namespace heteroscope::compute
