// SPDX-License-Identifier: Apache-2.0
// How much a tile of a pooling holds. Host code; needs no GPU.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/core/op.h"

#include <cstdint>
#include <optional>

namespace heteroscope::compute::nvidia {

inline constexpr int kTileBlock = 256;               ///< threads a block
inline constexpr std::int64_t kTileBlocks = 1 << 22; ///< at most; a block then takes several tiles
inline constexpr int kTileFloats = 48 * 256;         ///< of shared memory: what every device grants

struct TilePlan {
    const float* src = nullptr;
    const float* dstGrad = nullptr; ///< backward only
    float* result = nullptr;        ///< dst or srcGrad
    std::int64_t allPlanes = 0, tiles = 0;
    int height = 0, width = 0, outHeight = 0, outWidth = 0;
    int kernelH = 0, kernelW = 0, strideH = 0, strideW = 0, padTop = 0, padLeft = 0;
    int planes = 1, rows = 0,
        bands = 1;                    ///< of a tile (rows of the result); several planes only with one band
    int gradientAt = 0, targetAt = 0; ///< backward: where they begin in shared memory, in floats
    int sharedFloats = 0;
    FastDivision byWidth, byPlane, byOutWidth, byOutPlane, byStrideH, byStrideW;
    bool zeroPad = false, countPad = true;
};

/// What the rows of a tile are: rows of dst going forward, of srcGrad going backward, or going backward again
/// rows of dst with all that is nearer to them than to the next (for windows that do not overlap).
enum class TileKind { Forward, Backward, Cells };

inline bool overlaps(const PoolParams& params) {
    return params.kernel.h > params.stride.h || params.kernel.w > params.stride.w;
}

/// Which tiles compute a pooling.
inline TileKind tileKind(const PoolParams& params, bool backward) {
    return !backward ? TileKind::Forward : overlaps(params) ? TileKind::Backward : TileKind::Cells;
}

/// Nothing where a tile of useful size does not fit.
std::optional<TilePlan> planTiles(const PoolParams& params, const Shape4& src, TileKind kind);

/// Cycles that the tiles of that plan are expected to take on this device.
double tileCycles(const PoolParams& params, const Shape4& src, const TilePlan& plan, bool backward,
                  const DeviceLimits& device);

} // namespace heteroscope::compute::nvidia
