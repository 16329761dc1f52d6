// SPDX-License-Identifier: Apache-2.0
// A multiprocessor works through its share of the blocks one after another; the fullest one decides, or the
// memory where that is slower.
#include "compute/backends/nvidia/kernels/gemm/gemm_plan.h"
#include "compute/base/ceil_div.h"

#include <algorithm>
#include <bit>

namespace heteroscope::compute::nvidia {
namespace {

/// Shares of the fp32 peak that a kernel reaches with one block on each multiprocessor and with as many as
/// fit, and cycles of a block before and after its loop over k.
struct Speed {
    double alone, full, blockCycles;
};
/// Of rows of B and C that begin at any multiple of 4 bytes, of 8, and of 16.
struct TileSpeeds {
    Speed floats, pairs, vectors;

    constexpr const Speed& of(std::int64_t n) const {
        return n % 4 == 0 ? vectors : n % 2 == 0 ? pairs : floats;
    }
};
/// Where rows do not begin at multiples of 16 bytes, and where they do: of B and C, with skinny-n of A.
struct Speeds {
    Speed floats, vectors;
};

// What follows was fitted to the times of every plan of drawn products (tests/bench/gpu_gemm/gemm_drawn with
// --plans) on an H200: floats and pairs of the tiles to 200 of seed 20261128, of which what is chosen takes
// 2.2 % more than the best on average; vectors, kSkinnyM and kSkinnyN to 320 others; kSkinnyK and what a
// skinny block gets of the memory to 200 more. Vectors fitted to those 200 as well chose Small at 640 x 2048,
// where a k of 2048 takes 10 % longer than one of 2150.
constexpr std::array<TileSpeeds, kGemmTiles.size()> kTileSpeeds{{
    {{0.67, 0.70, 12000}, {0.70, 0.75, 12000}, {0.73, 0.80, 4100}}, // Large
    {{0.66, 0.69, 11200}, {0.69, 0.72, 9200}, {0.69, 0.74, 3000}},  // Medium
    {{0.53, 0.61, 6500}, {0.56, 0.66, 5700}, {0.50, 0.64, 3000}},   // Small
    {{0.54, 0.57, 6300}, {0.58, 0.61, 5800}, {0.58, 0.61, 3200}},   // Sliced
    {{0.43, 0.49, 3900}, {0.46, 0.54, 3800}, {0.50, 0.54, 1900}},   // Tiny
    {{0.63, 0.64, 11300}, {0.64, 0.65, 9400}, {0.65, 0.68, 3400}},  // Tall
    {{0.57, 0.62, 7400}, {0.59, 0.65, 6400}, {0.59, 0.61, 2200}},   // Square
    {{0.50, 0.55, 7600}, {0.51, 0.58, 7600}, {0.50, 0.54, 4500}},   // TallNarrow
    {{0.49, 0.57, 6700}, {0.49, 0.61, 6500}, {0.53, 0.54, 3600}},   // Narrow
}};
constexpr Speeds kSkinnyM{{0.24, 0.38, 2200}, {0.32, 0.34, 1800}};
constexpr Speeds kSkinnyN{{0.33, 0.29, 3400}, {0.39, 0.40, 3600}};
constexpr Speeds kSkinnyK{{0.20, 0.62, 2600}, {0.25, 0.60, 1900}};
/// Cycles of the kernel that adds slices.
constexpr double kAddCycles = 5300;
/// Bytes in a cycle: that the memory delivers to a multiprocessor when all of them read, and to one alone; of
/// slices to a multiprocessor that adds them.
constexpr double kBytesOfAll = 21.7, kBytesOfOne = 24.1, kBytesOfSlices = 8.3;
/// And to one block of the kernels for few rows or few columns, which has too few loads under way for more,
/// but for the first of them.
constexpr double kBytesOfSkinnyBlock = 10, kFirstBytesOfSkinnyBlock = 32 << 10;
constexpr double kMultiplyAdds = 128; ///< of a multiprocessor in a cycle
/// Slices are taken where they promise to win more than that: with them the expectation is the less certain.
constexpr double kSlicesDoubt = 1.03;

constexpr std::int64_t kMostSlices = 512;
/// Scratch memory of slices is not let grow beyond, unless kernel=split-k asks for two of them.
constexpr double kMostScratchBytes = 64 << 20;
/// Slices that would fill the device more often than that are not looked at.
constexpr std::int64_t kMostWaves = 4;
/// Steps of k: every slice but the last is a multiple, so that rows of A stay aligned to vectors.
constexpr std::int64_t kSliceStep = 32, kLeastSliceSteps = 2;

struct Problem {
    std::int64_t m, n, k, multiprocessors;
};

/// As a number that does not overflow.
double scratchBytes(std::int64_t m, std::int64_t n, std::int64_t slices) {
    return double(m) * double(n) * double(slices) * sizeof(float);
}

/// What a block computes and how fast.
struct BlockWork {
    std::int64_t rows, columns, resident;
    Speed speed;
    bool skinny = false;
};

double expectedCycles(const Problem& p, const BlockWork& block, const GemmPlan& plan) {
    const std::int64_t blocks = ceilDiv(p.m, block.rows) * ceilDiv(p.n, block.columns) * plan.slices;
    const std::int64_t most = ceilDiv(blocks, p.multiprocessors);
    const double depth = plan.depth;
    const double work = depth * double(block.rows * block.columns) / kMultiplyAdds;
    const double bytes =
        depth * double(std::min(block.rows, p.m) + std::min(block.columns, p.n)) * sizeof(float);
    const auto timeOf = [&](std::int64_t together) {
        const double filled = block.resident > 1 ? double(together - 1) / double(block.resident - 1) : 1.0;
        const double rate = block.speed.alone + (block.speed.full - block.speed.alone) * filled;
        const double shared = double(together) * std::max(work / rate, bytes / kBytesOfOne);
        const double alone = block.skinny ? (bytes - kFirstBytesOfSkinnyBlock) / kBytesOfSkinnyBlock : 0;
        return std::max(shared, alone) + block.speed.blockCycles;
    };
    double cycles = double(most / block.resident) * timeOf(block.resident);
    if (most % block.resident > 0)
        cycles += timeOf(most % block.resident);
    const double all = double(p.multiprocessors);
    const double results = double(p.m) * double(p.n) * sizeof(float);
    const double operands = (double(p.m) * double(p.k) + double(p.k) * double(p.n)) * sizeof(float);
    const double moved = operands + results * plan.slices;
    cycles = std::max(cycles, moved / (kBytesOfAll * all) + block.speed.blockCycles);
    if (plan.slices == 1)
        return cycles;
    return kSlicesDoubt * (cycles + kAddCycles + results * (plan.slices + 1) / (kBytesOfSlices * all));
}

struct Best {
    GemmPlan plan;
    double cycles = -1;
};

/// Looks at every number of slices up to `most`.
void lookAt(const Problem& p, const BlockWork& block, GemmPlan plan, std::int64_t least, std::int64_t most,
            Best& best) {
    const std::int64_t tiles = ceilDiv(p.m, block.rows) * ceilDiv(p.n, block.columns);
    for (std::int64_t slices = least; slices <= most; ++slices) {
        const std::int64_t depth = slices == 1 ? p.k : ceilDiv(ceilDiv(p.k, kSliceStep), slices) * kSliceStep;
        plan.depth = int(depth), plan.slices = int(ceilDiv(p.k, depth)); // none without work
        if (slices > least && (scratchBytes(p.m, p.n, plan.slices) > kMostScratchBytes ||
                               depth < kSliceStep * kLeastSliceSteps ||
                               tiles * slices > kMostWaves * block.resident * p.multiprocessors))
            break;
        const double cycles = expectedCycles(p, block, plan);
        if (best.cycles < 0 || cycles < best.cycles)
            best = {plan, cycles};
    }
}

void lookAtTiles(const Problem& p, GemmKernel kernel, Best& best) {
    const bool split = kernel == GemmKernel::SplitK;
    for (std::size_t i = 0; i < kGemmTiles.size(); ++i) {
        const GemmTileSize& tile = kGemmTiles[i];
        if (!offsetsFit(tile.rows, p.k))
            continue;
        lookAt(p, {tile.rows, tile.columns, tile.resident, kTileSpeeds[i].of(p.n)}, {kernel, tile.tile},
               split ? 2 : 1, split ? kMostSlices : 1, best);
    }
}

/// Rows or columns that the skinny kernels are compiled for: powers of two.
std::int64_t skinnyExtent(std::int64_t extent) {
    return std::int64_t(std::bit_ceil(std::uint64_t(extent)));
}

void lookAtSkinny(const Problem& p, GemmKernel kernel, Best& best) {
    const auto speedOf = [](const Speeds& speeds, std::int64_t row) {
        return row % 4 == 0 ? speeds.vectors : speeds.floats;
    };
    if (kernel == GemmKernel::SkinnyM && p.m <= kMostSkinny)
        lookAt(p, {skinnyExtent(p.m), kSkinnyMColumns, kSkinnyMResident, speedOf(kSkinnyM, p.n), true},
               {kernel}, 1, kMostSlices, best);
    const int rows = p.n > 8 ? kSkinnyNRowsOfMany : kSkinnyNRows;
    if (kernel == GemmKernel::SkinnyN && p.n <= kMostSkinny)
        lookAt(p, {rows, skinnyExtent(p.n), kSkinnyNResident, speedOf(kSkinnyN, p.k), true}, {kernel}, 1,
               kMostSlices, best);
    if (kernel == GemmKernel::SkinnyK && p.k <= kMostSkinnyDepth)
        lookAt(p, {kSkinnyKRows, kSkinnyKColumns, kSkinnyKResident, speedOf(kSkinnyK, p.n)}, {kernel}, 1, 1,
               best);
}

} // namespace

GemmPlan planGemm(GemmKernel kernel, std::int64_t m, std::int64_t n, std::int64_t k,
                  const DeviceLimits& device) {
    const Problem problem{m, n, k, device.multiprocessors};
    Best best;
    best.plan.kernel = kernel;
    best.plan.depth = int(k);
    if (kernel == GemmKernel::Register || kernel == GemmKernel::SplitK)
        lookAtTiles(problem, kernel, best);
    else
        lookAtSkinny(problem, kernel, best);
    return best.plan;
}

GemmPlan planGemm(std::int64_t m, std::int64_t n, std::int64_t k, const DeviceLimits& device) {
    const Problem problem{m, n, k, device.multiprocessors};
    Best best;
    lookAtTiles(problem, GemmKernel::Register, best);
    if (k >= kLeastSplitDepth && scratchBytes(m, n, 2) <= kMostScratchBytes)
        lookAtTiles(problem, GemmKernel::SplitK, best);
    for (const GemmKernel kernel : {GemmKernel::SkinnyM, GemmKernel::SkinnyN, GemmKernel::SkinnyK})
        lookAtSkinny(problem, kernel, best);
    return best.plan;
}

std::size_t gemmWorkspaceBytes(const GemmPlan& plan, std::int64_t m, std::int64_t n) {
    return plan.slices == 1 ? 0 : std::size_t(m) * std::size_t(n) * std::size_t(plan.slices) * sizeof(float);
}

} // namespace heteroscope::compute::nvidia
