// SPDX-License-Identifier: Apache-2.0
// Pooling as the definition says it: one window after the other, one element after the other.
#include "compute/backends/sequential/sequential_ops.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute::sequential {
namespace {

/// The part of a window that lies inside the input, and how many elements the whole window has.
struct Window {
    std::int64_t top, bottom, left, right; ///< half-open, clipped to the input
    std::int64_t area;                     ///< with padding
    std::int64_t inside() const { return (bottom - top) * (right - left); }
    bool touchesPadding() const { return inside() < area; }
};

Window windowAt(const PoolParams& p, const Shape4& src, std::int64_t row, std::int64_t column) {
    const std::int64_t top = row * p.stride.h - p.padding.top;
    const std::int64_t left = column * p.stride.w - p.padding.left;
    return {std::max<std::int64_t>(top, 0), std::min(top + p.kernel.h, src.h),
            std::max<std::int64_t>(left, 0), std::min(left + p.kernel.w, src.w), p.kernel.h * p.kernel.w};
}

/// The first maximum in row-major order, or the first NaN.
struct Maximum {
    float value;
    std::int64_t index; ///< in the plane
};

Maximum maximumOf(const Window& window, const float* plane, std::int64_t width) {
    Maximum best{plane[window.top * width + window.left], window.top * width + window.left};
    for (std::int64_t row = window.top; row < window.bottom; ++row) {
        for (std::int64_t column = window.left; column < window.right; ++column) {
            const std::int64_t index = row * width + column;
            const float value = plane[index];
            if (!std::isnan(best.value) && (value > best.value || std::isnan(value)))
                best = {value, index};
        }
    }
    return best;
}

/// Whether a padded zero is larger than everything inside; elements equal to zero win over the padding.
bool zeroPadWins(const PoolParams& p, const Window& window, float maximum) {
    return p.padValue == PadValue::Zero && window.touchesPadding() && maximum < 0.0F;
}

float divisorOf(const PoolParams& p, const Window& window) {
    return static_cast<float>(p.countIncludePad ? window.area : window.inside());
}

float averageOf(const PoolParams& p, const Window& window, const float* plane, std::int64_t width) {
    double sum = 0.0;
    for (std::int64_t row = window.top; row < window.bottom; ++row) {
        for (std::int64_t column = window.left; column < window.right; ++column)
            sum += static_cast<double>(plane[row * width + column]);
    }
    return static_cast<float>(sum / static_cast<double>(divisorOf(p, window)));
}

float pooled(const PoolParams& p, const Window& window, const float* plane, std::int64_t width) {
    if (p.mode == PoolMode::Average)
        return averageOf(p, window, plane, width);
    const float maximum = maximumOf(window, plane, width).value;
    return zeroPadWins(p, window, maximum) ? 0.0F : maximum;
}

void spread(const PoolParams& p, const Window& window, const float* plane, float gradient, float* srcGrad,
            std::int64_t width) {
    if (p.mode == PoolMode::Max) {
        const Maximum maximum = maximumOf(window, plane, width);
        if (!zeroPadWins(p, window, maximum.value))
            srcGrad[maximum.index] += gradient;
        return;
    }
    const float share = gradient / divisorOf(p, window);
    for (std::int64_t row = window.top; row < window.bottom; ++row) {
        for (std::int64_t column = window.left; column < window.right; ++column)
            srcGrad[row * width + column] += share;
    }
}

} // namespace

void compute(const PoolForward& op, const HostOperands& operands) {
    const float* src = operands.src[0];
    float* dst = operands.dst[0];
    const Shape4 out = *poolOutputShape(op.params, op.src);
    for (std::int64_t plane = 0; plane < out.n * out.c; ++plane) {
        const float* input = src + plane * op.src.h * op.src.w;
        for (std::int64_t row = 0; row < out.h; ++row) {
            for (std::int64_t column = 0; column < out.w; ++column)
                *dst++ = pooled(op.params, windowAt(op.params, op.src, row, column), input, op.src.w);
        }
    }
}

void compute(const PoolBackward& op, const HostOperands& operands) {
    const float *src = operands.src[0], *dstGrad = operands.src[1];
    float* srcGrad = operands.dst[0];
    const Shape4 out = *poolOutputShape(op.params, op.src);
    const std::int64_t planeSize = op.src.h * op.src.w;
    std::fill(srcGrad, srcGrad + out.n * out.c * planeSize, 0.0F);
    for (std::int64_t plane = 0; plane < out.n * out.c; ++plane) {
        const float* input = src + plane * planeSize;
        float* gradient = srcGrad + plane * planeSize;
        for (std::int64_t row = 0; row < out.h; ++row) {
            for (std::int64_t column = 0; column < out.w; ++column)
                spread(op.params, windowAt(op.params, op.src, row, column), input, *dstGrad++, gradient,
                       op.src.w);
        }
    }
}

} // namespace heteroscope::compute::sequential
