// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/kernels/pool/pool_tile.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile_plan.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::int64_t kFloats = 32 * 256; ///< of shared memory in a tile: 6 blocks on 228 KiB
constexpr std::int64_t kCopyMore = 6;      ///< a copy of whole aligned words is at most so many floats longer
constexpr std::int64_t kSpare = 2 * kCopyMore; ///< of a tile: input and gradients are copied
/// With an input plane in shared memory, or a piece of it, results of a plane stay below 2^31, padding
/// included.
constexpr std::int64_t kMostTileSide = 1 << 15;

/// Floats of shared memory for the rows of a tile, in each of its planes.
struct Need {
    std::int64_t src, windows;
};

Need needOf(const PoolParams& params, const Shape4& src, const Shape4& out, std::int64_t rows,
            TileKind kind) {
    if (kind == TileKind::Forward)
        return {std::min((rows - 1) * params.stride.h + params.kernel.h, src.h) * src.w, 0};
    if (kind == TileKind::Cells) // the last also holds the rows behind the last window
        return {std::min((rows + 1) * params.stride.h, src.h) * src.w, rows * out.w};
    const std::int64_t windows = std::min((rows + params.kernel.h - 2) / params.stride.h + 1, out.h);
    const std::int64_t covered = (windows - 1) * params.stride.h + params.kernel.h;
    return {std::min(std::max(covered, rows), src.h) * src.w, windows * out.w};
}

/// Averages going backward do not read src, but it bounds a tile's elements.
std::int64_t floatsOf(const Need& need) {
    return need.src + 2 * need.windows + kSpare;
}

/// The most rows whose tile fits, or 0.
std::int64_t rowsThatFit(const PoolParams& params, const Shape4& src, const Shape4& out, TileKind kind,
                         std::int64_t floats) {
    std::int64_t low = 0, high = kind == TileKind::Backward ? src.h : out.h;
    while (low < high) {
        const std::int64_t middle = (low + high + 1) / 2;
        if (floatsOf(needOf(params, src, out, middle, kind)) <= floats)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void fillShape(TilePlan& plan, const PoolParams& params, const Shape4& src, const Shape4& out) {
    const auto small = [](std::int64_t value) { return static_cast<int>(value); };
    plan.allPlanes = src.n * src.c;
    plan.height = small(src.h);
    plan.width = small(src.w);
    plan.outHeight = small(out.h);
    plan.outWidth = small(out.w);
    plan.kernelH = small(params.kernel.h);
    plan.kernelW = small(params.kernel.w);
    plan.strideH = small(std::min(params.stride.h, src.h + params.kernel.h)); // a longer one changes nothing
    plan.strideW = small(std::min(params.stride.w, src.w + params.kernel.w));
    plan.padTop = small(params.padding.top);
    plan.padLeft = small(params.padding.left);
    plan.zeroPad = params.padValue == PadValue::Zero;
    plan.countPad = params.countIncludePad;
    plan.byWidth = FastDivision(plan.width);
    plan.byOutWidth = FastDivision(plan.outWidth);
    plan.byStrideH = FastDivision(plan.strideH);
    plan.byStrideW = FastDivision(plan.strideW);
}

/// Rows of a tile, or 0 where too few fit for what neighbouring tiles both need.
std::int64_t tileRows(const PoolParams& params, const Shape4& src, const Shape4& out, TileKind kind) {
    const std::int64_t all = kind == TileKind::Backward ? src.h : out.h;
    const std::int64_t each = kind == TileKind::Backward ? 1 : params.stride.h;
    const std::int64_t shared = std::max<std::int64_t>(params.kernel.h - params.stride.h, 0);
    std::int64_t rows = rowsThatFit(params, src, out, kind, kFloats);
    if (rows < all && rows * each < 4 * std::max<std::int64_t>(shared, 1))
        rows = rowsThatFit(params, src, out, kind, kTileFloats);
    return rows < all && rows * each < 2 * shared ? 0 : rows;
}

/// Whole planes in a tile, as many as fit and no more results than that either (padding may make planes of
/// the result far larger than those of the input); false where not one fits.
bool holdPlanes(TilePlan& plan, const Shape4& src, const Shape4& out, Need need) {
    if (floatsOf(need) > kTileFloats)
        return false;
    const std::int64_t each = std::max(floatsOf(need) - kSpare, out.h * out.w);
    plan.planes = static_cast<int>(std::clamp<std::int64_t>((kFloats - kSpare) / each, 1, plan.allPlanes));
    plan.byPlane = FastDivision(src.h * src.w);
    plan.byOutPlane = FastDivision(out.h * out.w);
    return true;
}

} // namespace

std::optional<TilePlan> planTiles(const PoolParams& params, const Shape4& src, TileKind kind) {
    const Shape4 out = *poolOutputShape(params, src);
    if (std::max({src.h, src.w, params.kernel.h, params.kernel.w}) >= kMostTileSide)
        return {};
    const std::int64_t rows = tileRows(params, src, out, kind);
    if (rows == 0)
        return {};
    const std::int64_t all = kind == TileKind::Backward ? src.h : out.h;
    TilePlan plan;
    fillShape(plan, params, src, out);
    plan.bands = static_cast<int>((all + rows - 1) / rows);
    plan.rows = static_cast<int>((all + plan.bands - 1) / plan.bands);
    plan.bands = static_cast<int>((all + plan.rows - 1) / plan.rows);
    Need need = needOf(params, src, out, plan.rows, kind);
    if (plan.bands == 1) {
        need = {src.h * src.w, kind == TileKind::Forward ? 0 : out.h * out.w};
        if (!holdPlanes(plan, src, out, need))
            return {};
    }
    const auto padded = [&](std::int64_t floats) { // where the next copy may begin
        return static_cast<int>((floats * plan.planes + kCopyMore) / 4 * 4);
    };
    plan.gradientAt = padded(need.src);
    plan.targetAt = plan.gradientAt + (need.windows > 0 ? padded(need.windows) : 0);
    plan.sharedFloats = plan.targetAt;
    if (kind == TileKind::Backward && params.mode == PoolMode::Max)
        plan.sharedFloats += static_cast<int>(need.windows * plan.planes);
    plan.tiles =
        plan.bands > 1 ? plan.allPlanes * plan.bands : (plan.allPlanes + plan.planes - 1) / plan.planes;
    return plan;
}

namespace {

/// A thread's instructions: for a window, a row of it, an element of it, and an element that is copied; for a
/// window that an element of the result looks at. Then cycles, as in pool_patch_plan.cu, and fitted as there.
struct TileCost {
    double window, row, average, maximum, copy, look, latency, dependent, warpInstructions, start;
};
constexpr TileCost kForward{50, 16, 3.5, 4.5, 4.5, 0, 360, 5.4, 2.5, 2600};
constexpr TileCost kBackward{34, 7.5, 0.2, 13.9, 8.2, 3.2, 115, 5, 2.9, 8200};

/// Rows (columns) of a window inside the plane, on average.
double meanExtent(std::int64_t out, std::int64_t kernel, std::int64_t stride, std::int64_t pad,
                  std::int64_t size) {
    std::int64_t outside = 0;
    for (std::int64_t i = 0; i < out && i * stride < pad; ++i)
        outside += pad - i * stride;
    for (std::int64_t i = out - 1; i >= 0 && i * stride - pad + kernel > size; --i)
        outside += i * stride - pad + kernel - size;
    return static_cast<double>(kernel) - static_cast<double>(outside) / static_cast<double>(out);
}

} // namespace

double tileCycles(const PoolParams& params, const Shape4& src, const TilePlan& plan, bool backward,
                  const DeviceLimits& device) {
    const TileKind kind = tileKind(params, backward);
    const Shape4 out = *poolOutputShape(params, src);
    const TileCost& cost = backward ? kBackward : kForward;
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const Need need = plan.bands > 1 ? needOf(params, src, out, plan.rows, kind)
                                     : Need{src.h * src.w, backward ? out.h * out.w : 0};
    const double high = meanExtent(out.h, params.kernel.h, params.stride.h, params.padding.top, src.h);
    const double wide = meanExtent(out.w, params.kernel.w, params.stride.w, params.padding.left, src.w);
    const double copied = real(need.src * plan.planes);
    const double windows = real((backward ? need.windows : plan.rows * out.w) * plan.planes);
    const double results = kind == TileKind::Backward ? real(plan.rows * src.w * plan.planes) : 0;
    const double element = params.mode == PoolMode::Average ? cost.average : cost.maximum;
    const double down = std::max(high / real(params.stride.h), 1.0);
    const double covering = down * std::max(wide / real(params.stride.w), 1.0);
    const double instructions =
        60 + std::ceil(windows / kTileBlock) * (cost.window + cost.row * high + element * high * wide) +
        copied / kTileBlock * cost.copy +
        std::ceil(results / kTileBlock) * (cost.window + cost.row * down + cost.look * covering);
    const double bytes = 4 * (copied + (backward ? 2 * windows : 0));
    const double resident = std::clamp(std::floor(device.sharedPerBlock / (bytes + 1024)), 1.0,
                                       real(device.threadsPerMultiprocessor) / kTileBlock);
    const double tiles = std::ceil(real(plan.tiles) / device.multiprocessors);
    const double lone = cost.latency + instructions * cost.dependent;
    const double busy = std::max(instructions * (kTileBlock / 32) / cost.warpInstructions,
                                 4 * (copied + windows + results) / 14);
    return std::max(tiles * busy, std::ceil(tiles / resident) * lone) + 0.2 * lone + cost.start;
}

bool hasTileKernel(const PoolParams& params, const Shape4& src, bool backward) {
    return planTiles(params, src, tileKind(params, backward)).has_value();
}

} // namespace heteroscope::compute::nvidia
