// SPDX-License-Identifier: Apache-2.0
// The output extents of a window that moves over a padded plane: pooling and convolution share them.
#pragma once

#include "compute/base/result.h"
#include "compute/core/shape.h"

#include <string>

namespace heteroscope::compute {

struct WindowParams {
    Extent2d kernel, stride, dilation{1, 1};
    Padding2d padding;
    bool paddingBelowKernel = true; ///< pooling: a window must hold at least one element
};

/// floor((in + before + after - (dilation (kernel - 1) + 1)) / stride) + 1 per axis. BadInput when kernel,
/// stride or dilation is below 1, padding is negative (or, where paddingBelowKernel, not less than the
/// kernel), the window is larger than the padded plane, or a number does not fit 63 bits.
Result<Extent2d> windowOutput(const WindowParams& window, const Extent2d& plane);

/// "p0", "p1x2" or "p0,1,0,1" (top, bottom, left, right).
std::string paddingText(const Padding2d& padding);
/// "3x5"
std::string extentText(const Extent2d& extent);
/// Elements of a tensor; nothing when it is empty, has an extent below 0 or does not fit 63 bits.
std::optional<std::int64_t> tensorElements(const Shape4& shape);
/// The elements of a tensor as a factor of operation counts; 0 where they do not fit 63 bits.
inline double countOf(const Shape4& shape) {
    return static_cast<double>(tensorElements(shape).value_or(0));
}
/// "32x64x112x112"
std::string shapeText(const Shape4& shape);

} // namespace heteroscope::compute
