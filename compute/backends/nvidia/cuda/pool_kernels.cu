// SPDX-License-Identifier: Apache-2.0
// Which kernel runs for which window.
#include "compute/backends/nvidia/cuda/pool_any.h"
#include "compute/backends/nvidia/cuda/pool_kernels.h"
#include "compute/backends/nvidia/cuda/pool_separable.h"
#include "compute/backends/nvidia/cuda/pool_strip.h"
#include "compute/backends/nvidia/cuda/pool_tile.h"
#include "compute/backends/nvidia/cuda/pool_wide.h"

namespace heteroscope::compute::nvidia {
namespace {

enum class Way { Strips, Tiles, Wide, Separable, Any };

/// Elements of an overlapping window from which on its gradients are found along rows and columns in turn.
constexpr std::int64_t kSeparableArea = 49;

/// What was the fastest on an H200. Tiles read each row once more, from shared memory, for each row of a
/// window, but do not care how wide rows are and how they are aligned.
Way wayOf(const PoolParams& params, const Shape4& src, bool backward) {
    if (hasWideKernel(params, src))
        return Way::Wide;
    const bool strips = hasStripKernel(params, src), tiles = hasTileKernel(params, src, backward);
    const bool gradientOfMaxima = backward && params.mode == PoolMode::Max;
    const bool narrow = src.w < 24, unaligned = src.w % 4 != 0;
    if (strips &&
        (!tiles || params.kernel.w > params.stride.w || !(narrow || (unaligned && gradientOfMaxima))))
        return Way::Strips;
    const bool large = params.kernel.h * params.kernel.w >= kSeparableArea;
    if (gradientOfMaxima && (large || !tiles) && hasSeparableKernel(params, src))
        return Way::Separable;
    return tiles ? Way::Tiles : Way::Any;
}

} // namespace

cudaError_t launchPoolForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              cudaStream_t stream) {
    if (!poolOutputShape(params, src))
        return cudaErrorInvalidValue;
    switch (wayOf(params, src, false)) {
    case Way::Strips:
        return launchStripForward(params, src, srcData, dst, stream);
    case Way::Tiles:
        return launchTileForward(params, src, srcData, dst, stream);
    case Way::Wide:
        return launchWideForward(params, src, srcData, dst, stream);
    default:
        return launchAnyForward(params, src, srcData, dst, stream);
    }
}

cudaError_t launchPoolBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, cudaStream_t stream) {
    if (!poolOutputShape(params, src))
        return cudaErrorInvalidValue;
    switch (wayOf(params, src, true)) {
    case Way::Strips:
        return launchStripBackward(params, src, srcData, dstGrad, srcGrad, stream);
    case Way::Tiles:
        return launchTileBackward(params, src, srcData, dstGrad, srcGrad, stream);
    case Way::Wide:
        return launchWideBackward(params, src, srcData, dstGrad, srcGrad, stream);
    case Way::Separable:
        return launchSeparableBackward(params, src, srcData, dstGrad, srcGrad, stream);
    default:
        return launchAnyBackward(params, src, srcData, dstGrad, srcGrad, stream);
    }
}

std::string poolKernelName(const PoolParams& params, const Shape4& src, bool backward) {
    if (!poolOutputShape(params, src))
        return "cuda:pool";
    switch (wayOf(params, src, backward)) {
    case Way::Strips:
        return "cuda:pool:k" + std::to_string(params.kernel.w) + "s" + std::to_string(params.stride.w);
    case Way::Tiles:
        return "cuda:pool:tiles";
    case Way::Wide:
        return "cuda:pool:wide";
    case Way::Separable:
        return "cuda:pool:separable";
    default:
        return "cuda:pool:any";
    }
}

} // namespace heteroscope::compute::nvidia
