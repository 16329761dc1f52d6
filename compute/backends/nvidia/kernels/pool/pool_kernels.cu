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

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace heteroscope::compute::nvidia {
namespace {

enum class Way { Strips, Patches, Tiles, Wide, Separable, Any };

/// In the order of Way: the reason where it does not compute a pooling.
struct WayText {
    std::string_view name, limits;
};
constexpr std::array<WayText, 6> kTexts{
    {{"strips",
      "it takes square windows of 2, 3 or 5 with stride 1 and of 2 or 3 with stride 2, on planes of "
      "at most 2^30 rows and columns"},
     {"patches", "it takes windows of which at most 17 overlap in a column and that fit shared memory, on "
                 "planes below 2^28 rows and columns"},
     {"tiles", "it takes planes and windows below 32,768 rows and columns of which so many rows fit shared "
               "memory that neighbouring tiles share few"},
     {"wide", "it takes windows of at least 256 elements that do not overlap, on planes below 2^31 elements "
              "and 2^28 rows and columns"},
     {"separable", "it takes maxima of overlapping windows of at most 128 rows and columns that fit shared "
                   "memory, on planes below 2^31 elements"},
     {"any", ""}}};

/// Strips read each row once, in registers, but have few threads: gradients of 5x5 windows take them too long
/// where the device is not full of long bands. Measured on an H100 with 65 shapes of 64 to 16,384 planes of
/// 12x12 to 224x224 elements: 0.58 to 0.91 of the time of patches from there on, 1.04 to 2.2 below.
bool takesStrips(const PoolParams& params, const Shape4& src, bool backward, const DeviceLimits& device) {
    if (!hasStripKernel(params, src))
        return false;
    const bool gradientOfMaxima = backward && params.mode == PoolMode::Max;
    const bool narrow = src.w < 24, unaligned = src.w % 4 != 0;
    if (backward && params.kernel.w == 5) {
        constexpr double kElementsOfAThread = 32;
        return gradientOfMaxima && !narrow &&
               static_cast<double>(*src.elements()) >=
                   kElementsOfAThread * device.threadsPerMultiprocessor * device.multiprocessors;
    }
    if (params.kernel.w > params.stride.w)
        return true;
    if (backward)
        return !narrow && !(unaligned && gradientOfMaxima);
    // A lane takes four elements of a row: of windows that do not overlap, on short rows that are no multiple
    // of four, many lanes have nothing to do. Measured for maxima.
    return src.w >= 16 || !unaligned || params.mode != PoolMode::Max;
}

/// A maximum along rows and then along columns takes fewer comparisons than patches where windows are large
/// and next to each other, on planes that fill its tiles of up to 32x32. Measured on an H100 with windows of
/// 7 to 17 and planes of 28x28 to 224x224: from 11 on 0.54 to 0.99 of the time of patches, for 9 0.67 to
/// 1.19.
bool takesSeparable(const PoolParams& params, const Shape4& src) {
    return std::min(params.kernel.h, params.kernel.w) >= 11 &&
           std::max(params.stride.h, params.stride.w) == 1 && std::min(src.h, src.w) >= 24;
}

/// One pooling; what is planned for it is planned once.
class Ways {
  public:
    Ways(const PoolParams& params, const Shape4& src, bool backward, const DeviceLimits& device)
        : m_params(params), m_src(src), m_backward(backward), m_device(device) {}

    /// Between tiles and patches, which take any window, expected cycles decide. Where too many windows
    /// overlap for patches, tiles compare all elements of each.
    Way fastest() {
        if (has(Way::Wide))
            return Way::Wide;
        if (takesStrips(m_params, m_src, m_backward, m_device))
            return Way::Strips;
        if (!m_backward && m_params.kernel == m_params.stride && hasStripKernel(m_params, m_src) && tiles())
            return Way::Tiles;
        if (m_backward && takesSeparable(m_params, m_src) && has(Way::Separable))
            return Way::Separable;
        if (tileKind(m_params, m_backward) == TileKind::Cells && tiles())
            return Way::Tiles; // gradients are made in place
        if (patches())
            return tiles() && tileCycles(m_params, m_src, *tiles(), m_backward, m_device) < patches()->cycles
                       ? Way::Tiles
                       : Way::Patches;
        if (m_backward && has(Way::Separable))
            return Way::Separable;
        return tiles() ? Way::Tiles : Way::Any;
    }

    PoolKernel kernel(Way way) {
        PoolKernel made;
        made.name = kTexts[static_cast<std::size_t>(way)].name;
        if (!has(way))
            made.refusal = kTexts[static_cast<std::size_t>(way)].limits;
        else
            made.launch = launchOf(way);
        const bool isMade = way == Way::Strips && made.refusal.empty();
        made.implementation = "cuda:pool:" + (isMade ? "k" + std::to_string(m_params.kernel.w) + "s" +
                                                           std::to_string(m_params.stride.w)
                                                     : made.name);
        return made;
    }

  private:
    bool has(Way way) {
        switch (way) {
        case Way::Strips:
            return hasStripKernel(m_params, m_src);
        case Way::Patches:
            return patches().has_value();
        case Way::Tiles:
            return tiles().has_value();
        case Way::Wide:
            return hasWideKernel(m_params, m_src);
        case Way::Separable:
            return hasSeparableKernel(m_params, m_src);
        case Way::Any:
            break;
        }
        return true;
    }

    std::function<cudaError_t(const PoolOperands&, cudaStream_t)> launchOf(Way way) {
        if (way == Way::Patches)
            return [plan = *patches(), backward = m_backward](const PoolOperands& o, cudaStream_t stream) {
                return backward ? launchPatchBackward(plan, o.src, o.dstGrad, o.result, stream)
                                : launchPatchForward(plan, o.src, o.result, stream);
            };
        if (way == Way::Tiles)
            return [params = m_params, plan = *tiles(), backward = m_backward](const PoolOperands& o,
                                                                               cudaStream_t stream) {
                return backward ? launchTileBackward(params, plan, o.src, o.dstGrad, o.result, stream)
                                : launchTileForward(params, plan, o.src, o.result, stream);
            };
        if (m_backward)
            return [params = m_params, src = m_src, start = backwardOf(way)](const PoolOperands& o,
                                                                             cudaStream_t stream) {
                return start(params, src, o.src, o.dstGrad, o.result, stream);
            };
        return [params = m_params, src = m_src, start = forwardOf(way)](const PoolOperands& o,
                                                                        cudaStream_t stream) {
            return start(params, src, o.src, o.result, stream);
        };
    }

    using Forward = cudaError_t (*)(const PoolParams&, const Shape4&, const float*, float*, cudaStream_t);
    using Backward = cudaError_t (*)(const PoolParams&, const Shape4&, const float*, const float*, float*,
                                     cudaStream_t);

    /// Of what is planned in a few instructions.
    static Forward forwardOf(Way way) {
        if (way == Way::Strips)
            return [](const PoolParams& params, const Shape4& src, const float* from, float* to,
                      cudaStream_t stream) { return launchStripForward(params, src, from, to, stream); };
        return way == Way::Wide ? &launchWideForward : &launchAnyForward;
    }
    static Backward backwardOf(Way way) {
        if (way == Way::Strips)
            return [](const PoolParams& params, const Shape4& src, const float* from, const float* gradient,
                      float* to, cudaStream_t stream) {
                return launchStripBackward(params, src, from, gradient, to, stream);
            };
        return way == Way::Wide        ? &launchWideBackward
               : way == Way::Separable ? &launchSeparableBackward
                                       : &launchAnyBackward;
    }

    const std::optional<TilePlan>& tiles() {
        if (!m_tiles)
            m_tiles = planTiles(m_params, m_src, tileKind(m_params, m_backward));
        return *m_tiles;
    }
    const std::optional<PatchPlan>& patches() {
        if (!m_patches)
            m_patches = planPatches(m_params, m_src, m_backward, m_device);
        return *m_patches;
    }

    PoolParams m_params;
    Shape4 m_src;
    bool m_backward;
    DeviceLimits m_device;
    std::optional<std::optional<TilePlan>> m_tiles;
    std::optional<std::optional<PatchPlan>> m_patches;
};

/// Without a launch where there is no result.
PoolKernel fastestKernel(const PoolParams& params, const Shape4& src, bool backward,
                         const DeviceLimits& device) {
    if (!poolOutputShape(params, src))
        return {{}, "cuda:pool", {}, {}};
    Ways ways(params, src, backward, device);
    return ways.kernel(ways.fastest());
}

} // namespace

void visitPoolKernels(const PoolParams& params, const Shape4& src, bool backward, const DeviceLimits& device,
                      const std::function<bool(PoolKernel)>& visit) {
    if (!poolOutputShape(params, src))
        return;
    Ways ways(params, src, backward, device);
    const Way fastest = ways.fastest();
    if (!visit(ways.kernel(fastest)))
        return;
    for (const Way way : {Way::Strips, Way::Patches, Way::Tiles, Way::Wide, Way::Separable, Way::Any})
        if (way != fastest && (backward || way != Way::Separable) && !visit(ways.kernel(way)))
            return;
}

cudaError_t launchPoolForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              const DeviceLimits& device, cudaStream_t stream) {
    const PoolKernel kernel = fastestKernel(params, src, false, device);
    return kernel.launch ? kernel.launch({srcData, nullptr, dst}, stream) : cudaErrorInvalidValue;
}

cudaError_t launchPoolBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, const DeviceLimits& device,
                               cudaStream_t stream) {
    const PoolKernel kernel = fastestKernel(params, src, true, device);
    return kernel.launch ? kernel.launch({srcData, dstGrad, srcGrad}, stream) : cudaErrorInvalidValue;
}

std::string poolKernelName(const PoolParams& params, const Shape4& src, bool backward,
                           const DeviceLimits& device) {
    return fastestKernel(params, src, backward, device).implementation;
}

} // namespace heteroscope::compute::nvidia
