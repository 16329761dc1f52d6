// SPDX-License-Identifier: Apache-2.0
// Which strip kernel, cut how, on how many blocks.
#pragma once

#include "compute/backends/nvidia/kernels/pool/pool_strip.cuh"

#include <algorithm>
#include <limits>

namespace heteroscope::compute::nvidia {

/// How the planes are cut: fills in everything but the pointers. `bandSteps` 0: chosen here.
struct StripCut {
    int kernel, stride, end; ///< as in StripShape
    bool backward, aligned;
    int together; ///< rows of a band are a multiple of this
};
StripPlan planStrips(const PoolParams& params, const Shape4& src, const StripCut& cut, int bandSteps);

struct StripOperands {
    const float* src;
    const float* dstGrad;
    float* result;
};

inline bool alignedTo(const void* at, std::uintptr_t bytes) {
    return at == nullptr || reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
}

template <class Shape, class Direction>
cudaError_t launchStrip(const PoolParams& params, const Shape4& src, int end, const StripOperands& operands,
                        cudaStream_t stream, int bandSteps) {
    const StripCut cut{Shape::kKernel,       Shape::kStride,  end,
                       Direction::kBackward, Shape::kAligned, Direction::template kTogether<Shape>};
    StripPlan plan = planStrips(params, src, cut, bandSteps);
    plan.src = operands.src;
    plan.dstGrad = operands.dstGrad;
    plan.result = operands.result;
    plan.pairAligned =
        plan.pairAligned && alignedTo(Direction::kBackward ? operands.dstGrad : operands.result, 8);
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(plan.blocks, 1 << 24));
    Direction::template kernel<Shape>()<<<blocks, kStripBlock, 0, stream>>>(plan);
    return cudaGetLastError();
}

template <int K, int S, int E, class Direction>
cudaError_t launchSize(const PoolParams& params, const Shape4& src, const StripOperands& operands,
                       cudaStream_t stream, int bandSteps) {
    const bool aligned = src.w % 4 == 0 && alignedTo(operands.src, 16) &&
                         (!Direction::kBackward || alignedTo(operands.result, 16));
    const auto launch = [&](auto shape) {
        return launchStrip<decltype(shape), Direction>(params, src, E, operands, stream, bandSteps);
    };
    if (params.mode == PoolMode::Max)
        return aligned ? launch(StripShape<K, S, E, PoolMode::Max, true>{})
                       : launch(StripShape<K, S, E, PoolMode::Max, false>{});
    return aligned ? launch(StripShape<K, S, E, PoolMode::Average, true>{})
                   : launch(StripShape<K, S, E, PoolMode::Average, false>{});
}

/// Where, modulo the stride, windows end.
inline int windowEnd(const PoolParams& params) {
    return static_cast<int>((params.kernel.w - 1 - params.padding.left) % params.stride.w);
}

/// Requires hasStripKernel().
template <class Direction>
cudaError_t launchStrips(const PoolParams& params, const Shape4& src, const StripOperands& operands,
                         cudaStream_t stream, int bandSteps) {
    const auto is = [&](int kernel, int stride) {
        return params.kernel.w == kernel && params.stride.w == stride;
    };
    if (is(2, 1))
        return launchSize<2, 1, 0, Direction>(params, src, operands, stream, bandSteps);
    if (is(3, 1))
        return launchSize<3, 1, 0, Direction>(params, src, operands, stream, bandSteps);
    if (is(5, 1))
        return launchSize<5, 1, 0, Direction>(params, src, operands, stream, bandSteps);
    if (is(2, 2))
        return windowEnd(params) == 1
                   ? launchSize<2, 2, 1, Direction>(params, src, operands, stream, bandSteps)
                   : launchSize<2, 2, 0, Direction>(params, src, operands, stream, bandSteps);
    return windowEnd(params) == 1 ? launchSize<3, 2, 1, Direction>(params, src, operands, stream, bandSteps)
                                  : launchSize<3, 2, 0, Direction>(params, src, operands, stream, bandSteps);
}

} // namespace heteroscope::compute::nvidia
