// SPDX-License-Identifier: Apache-2.0
// Experiments from the catalogue of parameters, layers and transforms itself: what is added there is drawn
// here without a change. Most are sound or nearly so. One thread.
#pragma once

#include "tests/fuzz/support/json_mutation.h"

namespace heteroscope::fuzz {

/// Every key of the catalogue, its choices, defaults and limits, and those just beyond.
const JsonWords& experimentWords();

Json randomExperiment(Random& random);
Json randomLayer(Random& random, const std::vector<std::string>& earlier, std::size_t number);

} // namespace heteroscope::fuzz
