// SPDX-License-Identifier: Apache-2.0
// What is done to all examples once, when they have been read. One thread.
#pragma once

#include "compute/data/dataset.h"

namespace heteroscope::compute {

/// Changes the examples, and leaves what has to be done in each epoch in `dataset.augmentations`. A resize
/// that the reader did (of image files, the first transform) is skipped. Errors name the transform. What the
/// examples take is charged to `budget`, which holds them already.
Status applyFixedTransforms(const DataSpec& data, Dataset& dataset, MemoryBudget& budget);

/// Of an image after all of them: random crops give back the size that they take.
Shape4 transformedShape(Shape4 image, const std::vector<TransformSpec>& transforms);

} // namespace heteroscope::compute
