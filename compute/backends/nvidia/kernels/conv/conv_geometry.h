// SPDX-License-Identifier: Apache-2.0
// A convolution as the kernels see it.
#pragma once

#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/core/ops/convolution.h"

#include <algorithm>
#include <string_view>

namespace heteroscope::compute::nvidia {

/// Reasons of several kernels not to compute a convolution, for people.
inline constexpr std::string_view kMoreThanAGrid = "its blocks are more than a grid has";
inline constexpr std::string_view kNoSharedMemory = "what a block needs does not fit shared memory";

struct ConvGeometry {
    int channels, height, width, filters, outHeight, outWidth, batch;
    int kernelH, kernelW, strideH, strideW, dilationH, dilationW, top, left;
    int groups, groupChannels, groupFilters;
    bool bias; ///< whether there is one
    FastDivision outPlane, outRow, plane, row, window, windowRow, overStrideH, overStrideW;

    /// Parameters are those that networkRefusal() lets pass.
    ConvGeometry(const ConvParams& p, const Shape4& src);

    std::int64_t outPixels() const { return std::int64_t{batch} * outHeight * outWidth; }
    std::int64_t pixels() const { return std::int64_t{batch} * height * width; }
    /// Of input and output, in megabytes.
    double operandMegabytes() const {
        return double(pixels() * channels + outPixels() * filters) * sizeof(float) * 1e-6;
    }
    std::int64_t windowElements() const { return std::int64_t{kernelH} * kernelW; }
    /// Whether the kernels of window_conv.h compute it: 3x3 or 5x5, stride 1, no dilation, one group,
    /// paddings smaller than the window.
    bool isSmallWindow() const {
        const int bottom = outHeight - height - top + kernelH - 1,
                  right = outWidth - width - left + kernelW - 1;
        return kernelH == kernelW && (kernelH == 3 || kernelH == 5) && strideH == 1 && strideW == 1 &&
               dilationH == 1 && dilationW == 1 && groups == 1 &&
               std::max({top, left, bottom, right}) < kernelH;
    }

#ifdef __CUDACC__
    /// The output row over input row `offset` - padding, or -1.
    static __device__ int outputOver(int offset, const FastDivision& stride, int outputs) {
        if (offset < 0)
            return -1;
        unsigned rest = unsigned(offset);
        const int index = int(stride.split(rest));
        return rest == 0 && index < outputs ? index : -1;
    }
#endif
};

} // namespace heteroscope::compute::nvidia
