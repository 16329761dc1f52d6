// SPDX-License-Identifier: Apache-2.0
// Transforms of images: planes of channels x height x width, in the order that the experiment lists them.
// What a random one does to an image depends on seed, epoch, number of the image and place in the list
// alone. Pure functions; any thread.
#pragma once

#include "compute/core/shape.h"
#include "compute/experiment/spec/data_spec.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heteroscope::compute {

/// One plane to another size, by a triangle filter of one source pixel where it grows, of in / out pixels
/// where it shrinks; pixel centres lie at .5, weights outside the image are left out. As Pillow's bilinear.
void resizePlane(std::span<const float> src, Extent2d from, std::span<float> dst, Extent2d to);

/// All channels of one image.
std::vector<float> resized(std::span<const float> image, const Shape4& shape, Extent2d to);

/// (value - mean) / deviation of each channel; one mean for all or one each.
void normalizeChannels(std::span<float> image, const Shape4& shape, std::span<const double> mean,
                       std::span<const double> deviation);

void flipColumns(std::span<float> image, const Shape4& shape);

/// About the middle, to the left for positive degrees; bilinear, 0 from outside.
void rotateImage(std::span<float> image, const Shape4& shape, double degrees);

/// The image moved down by dy and right by dx; what comes in is 0.
void shiftImage(std::span<float> image, const Shape4& shape, std::int64_t dy, std::int64_t dx);

/// Which draw of a random transform.
struct DrawKey {
    std::uint64_t seed = 0;
    std::int64_t epoch = 0, example = 0;
};

/// All transforms but resizes, on one image in place; measured values have been put in.
void applyTransforms(std::span<const TransformSpec> transforms, const Shape4& shape, const DrawKey& key,
                     std::span<float> image);

} // namespace heteroscope::compute
