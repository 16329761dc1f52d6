// SPDX-License-Identifier: Apache-2.0
// The numbers that a point's runs work on, made once and shared by all targets. Host memory.
#pragma once

#include "compute/base/result.h"
#include "compute/core/op.h"
#include "compute/data/dataset.h"
#include "compute/experiment/spec/spec.h"

#include <memory>
#include <vector>

namespace heteroscope::compute {

struct PointData {
    Shape4 srcShape; ///< pooling: the input; matmul: 1 x 1 x m x k
    Shape4 dstShape;
    std::vector<float> src;   ///< pooling: the input; matmul: A
    std::vector<float> right; ///< matmul: B
    std::vector<float>
        dstGrad; ///< pooling backward: seeded whole weights from -4 to 4, so that sums stay exact
    std::shared_ptr<const Dataset> dataset = {}; ///< network: of a training on one
};

/// Errors name the file and offset, or the JSON pointer. Sizes are those of a checked point.
Result<PointData> loadPointData(const ExperimentSpec& pointSpec);

} // namespace heteroscope::compute
