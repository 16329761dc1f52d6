// SPDX-License-Identifier: Apache-2.0
// Max pooling of blocked images with windows of 2x2 side by side, in both directions, for processors with
// AVX-512. The library's primitive writes the gradient twice and takes an activation's derivative in a pass
// of its own.
#pragma once

#include <cstdint>

namespace heteroscope::compute::onednn {

/// Blocks of 16 channels of an image: each of `height` x `width` pixels of 16 floats. An odd last row or
/// column is in no window.
struct Pool2x2Planes {
    std::int64_t height = 1, width = 1;
};

/// Planes [first, last) of src -> dst and, for each element, which of its window's four was taken: the first
/// of the largest, or the first that is no number.
void pool2x2Forward(const Pool2x2Planes& planes, std::int64_t first, std::int64_t last, const float* src,
                    float* dst, std::uint8_t* indices);

/// The gradient of src in planes [first, last), every element of it. `dst`, where it is given, is what was
/// pooled of a ReLU's results: nothing passes where it is not above 0.
void pool2x2Backward(const Pool2x2Planes& planes, std::int64_t first, std::int64_t last, const float* dst,
                     const float* dstGrad, const std::uint8_t* indices, float* srcGrad);

} // namespace heteroscope::compute::onednn
