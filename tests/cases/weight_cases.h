// SPDX-License-Identifier: Apache-2.0
// The part of networkCases() with weights: convolutions and fully connected layers, in all directions.
#pragma once

#include "tests/cases/network_cases.h"

namespace heteroscope::compute {

struct ConvCase {
    std::string name;
    ConvParams params;
    Shape4 src;
};

const std::vector<ConvCase>& convCases();

/// Each of convCases() and the fully connected layers forward and backward.
std::vector<NetworkCase> weightCases();

} // namespace heteroscope::compute
