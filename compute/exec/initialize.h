// SPDX-License-Identifier: Apache-2.0
// Weights before training: functions of seed, layer and index, the same for every implementation. Any thread.
#pragma once

#include "compute/experiment/spec/spec.h"
#include "compute/model/layer_lowering.h"

#include <cstdint>
#include <vector>

namespace heteroscope::compute {

/// He: variance 2 / fanIn (He et al. 2015); Xavier: 2 / (fanIn + fanOut) (Glorot and Bengio 2010); uniform
/// ones lie between plus and minus the root of three variances. Normal ones come from Box and Muller's
/// transform of philox4x32 with the seed as key. `stream` differs for each parameter of a network.
std::vector<float> initialValues(const ParameterTensor& parameter, const TrainingSpec& training,
                                 std::uint32_t stream);

/// Numbers from -1 to below 1.
std::vector<float> uniformValues(std::int64_t elements, std::uint64_t seed, std::uint32_t stream);

} // namespace heteroscope::compute
