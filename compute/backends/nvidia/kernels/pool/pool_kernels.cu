// SPDX-License-Identifier: Apache-2.0
// Which kernel runs for which window.
#include "compute/backends/nvidia/kernels/pool/pool_any.h"
#include "compute/backends/nvidia/kernels/pool/pool_kernels.h"
#include "compute/backends/nvidia/kernels/pool/pool_patch.h"
#include "compute/backends/nvidia/kernels/pool/pool_separable.h"
#include "compute/backends/nvidia/kernels/pool/pool_strip.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile_plan.h"
#include "compute/backends/nvidia/kernels/pool/pool_wide.h"

#include <optional>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

enum class Way { Strips, Tiles, Wide, Patches, Separable, Any };

struct Choice {
    Way way;
    std::optional<PatchPlan> patches = {}; ///< where these are the way
};

/// Strips read each row once, in registers, but have few threads; gradients of 5x5 windows take them too
/// long.
bool takesStrips(const PoolParams& params, const Shape4& src, bool backward) {
    if (!hasStripKernel(params, src) || (backward && params.kernel.w == 5))
        return false;
    const bool gradientOfMaxima = backward && params.mode == PoolMode::Max;
    const bool narrow = src.w < 24, unaligned = src.w % 4 != 0;
    return params.kernel.w > params.stride.w || !backward || !(narrow || (unaligned && gradientOfMaxima));
}

/// Between tiles and patches, which take any window, expected cycles decide. Where too many windows overlap
/// for patches, tiles compare all elements of each.
Choice choose(const PoolParams& params, const Shape4& src, bool backward, const DeviceLimits& device) {
    if (hasWideKernel(params, src))
        return {Way::Wide};
    if (takesStrips(params, src, backward))
        return {Way::Strips};
    const TileKind kind = tileKind(params, backward);
    const auto tiles = planTiles(params, src, kind);
    if (tiles && kind == TileKind::Cells)
        return {Way::Tiles}; // gradients are made in place
    auto patches = planPatches(params, src, backward, device);
    if (patches && tiles && tileCycles(params, src, *tiles, backward, device) < patches->cycles)
        return {Way::Tiles};
    if (patches)
        return {Way::Patches, std::move(patches)};
    if (backward && hasSeparableKernel(params, src))
        return {Way::Separable};
    return {tiles ? Way::Tiles : Way::Any};
}

} // namespace

cudaError_t launchPoolForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              const DeviceLimits& device, cudaStream_t stream) {
    if (!poolOutputShape(params, src))
        return cudaErrorInvalidValue;
    const Choice choice = choose(params, src, false, device);
    switch (choice.way) {
    case Way::Strips:
        return launchStripForward(params, src, srcData, dst, stream);
    case Way::Tiles:
        return launchTileForward(params, src, srcData, dst, stream);
    case Way::Wide:
        return launchWideForward(params, src, srcData, dst, stream);
    case Way::Patches:
        return launchPatchForward(*choice.patches, srcData, dst, stream);
    default:
        return launchAnyForward(params, src, srcData, dst, stream);
    }
}

cudaError_t launchPoolBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, const DeviceLimits& device,
                               cudaStream_t stream) {
    if (!poolOutputShape(params, src))
        return cudaErrorInvalidValue;
    const Choice choice = choose(params, src, true, device);
    switch (choice.way) {
    case Way::Strips:
        return launchStripBackward(params, src, srcData, dstGrad, srcGrad, stream);
    case Way::Tiles:
        return launchTileBackward(params, src, srcData, dstGrad, srcGrad, stream);
    case Way::Wide:
        return launchWideBackward(params, src, srcData, dstGrad, srcGrad, stream);
    case Way::Patches:
        return launchPatchBackward(*choice.patches, srcData, dstGrad, srcGrad, stream);
    case Way::Separable:
        return launchSeparableBackward(params, src, srcData, dstGrad, srcGrad, stream);
    default:
        return launchAnyBackward(params, src, srcData, dstGrad, srcGrad, stream);
    }
}

std::string poolKernelName(const PoolParams& params, const Shape4& src, bool backward,
                           const DeviceLimits& device) {
    if (!poolOutputShape(params, src))
        return "cuda:pool";
    switch (choose(params, src, backward, device).way) {
    case Way::Strips:
        return "cuda:pool:k" + std::to_string(params.kernel.w) + "s" + std::to_string(params.stride.w);
    case Way::Tiles:
        return "cuda:pool:tiles";
    case Way::Wide:
        return "cuda:pool:wide";
    case Way::Patches:
        return "cuda:pool:patches";
    case Way::Separable:
        return "cuda:pool:separable";
    default:
        return "cuda:pool:any";
    }
}

} // namespace heteroscope::compute::nvidia
