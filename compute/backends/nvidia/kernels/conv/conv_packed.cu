// SPDX-License-Identifier: Apache-2.0
// As they lie, the weights of one place of the window are as far apart as the window is large: each costs a
// sector of the caches. A first kernel packs them, so that a tile of them is copied 16 bytes at a time. k
// goes through a chunk of channels for one place of the window, then for the next place, and so on: what is
// checked and divided is so for a chunk as a whole. The gradient of the input is the same correlation with
// the window flipped.
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/conv/conv_operands.cuh"
#include "compute/backends/nvidia/kernels/conv/conv_packed.h"

#include <algorithm>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kSmallChunk = 4;
constexpr int kPackThreads = 256, kPackResults = 32, kPackRun = 128;
constexpr int kMostWindow = 256; ///< places whose weights the packing kernel keeps in shared memory
constexpr std::int64_t kMostInGrid = 65535;

/// "Operands" are the planes that are read, "results" those that are written.
struct PackedProblem {
    FastDivision resultPlane, resultRow, plane, window, windowRow;
    int batch, height, width, resultHeight, resultWidth;
    int strideH, strideW, dilationH, dilationW, top, left;
    unsigned operandsOfImage, resultsOfImage, operands, results, groups; ///< the second two: of a group
    unsigned operandStride, resultStride;                                ///< in the weights
    bool flipped;
};

PackedProblem forwardProblem(const ConvGeometry& g) {
    return {g.outPlane,
            g.outRow,
            g.plane,
            g.window,
            g.windowRow,
            g.batch,
            g.height,
            g.width,
            g.outHeight,
            g.outWidth,
            g.strideH,
            g.strideW,
            g.dilationH,
            g.dilationW,
            g.top,
            g.left,
            unsigned(g.channels),
            unsigned(g.filters),
            unsigned(g.groupChannels),
            unsigned(g.groupFilters),
            unsigned(g.groups),
            g.window.divisor,
            unsigned(g.groupChannels) * g.window.divisor,
            false};
}

PackedProblem dataProblem(const ConvGeometry& g) {
    return {g.plane,
            g.row,
            g.outPlane,
            g.window,
            g.windowRow,
            g.batch,
            g.outHeight,
            g.outWidth,
            g.height,
            g.width,
            1,
            1,
            g.dilationH,
            g.dilationW,
            (g.kernelH - 1) * g.dilationH - g.top,
            (g.kernelW - 1) * g.dilationW - g.left,
            unsigned(g.filters),
            unsigned(g.channels),
            unsigned(g.groupFilters),
            unsigned(g.groupChannels),
            unsigned(g.groups),
            unsigned(g.groupChannels) * g.window.divisor,
            g.window.divisor,
            true};
}

/// rows: pixels of the results; k: operand and place in the window, as said above.
template <int Chunk>
struct OperandsUnderPixels {
    static constexpr bool kFast = false, kWhole = true, kEnds = Chunk < kTileSteps, kCheap = false;
    static constexpr int kChunk = Chunk;
    using Row = Place;
    struct Step {
        unsigned operand;
        int i, j;
    };
    PackedProblem p;
    const float* src;

    __device__ void select(unsigned group) { src += std::size_t(group) * p.operands * p.plane.divisor; }
    __device__ Row row(unsigned pixel) const {
        const unsigned image = p.resultPlane.split(pixel), y = p.resultRow.split(pixel);
        const int top = int(y) * p.strideH - p.top, left = int(pixel) * p.strideW - p.left;
        return {int(image * p.operandsOfImage * p.plane.divisor) + top * p.width + left, top, left};
    }
    __device__ Step tile(unsigned k) const {
        unsigned place = k / Chunk;
        const unsigned operand = p.window.split(place) * Chunk;
        const unsigned i = p.windowRow.split(place);
        return {operand, int(i), int(place)};
    }
    __device__ unsigned stepsOf(const Step& tile) const {
        return p.operands > tile.operand ? p.operands - tile.operand : 0;
    }
    __device__ std::size_t stride() const { return p.plane.divisor; }
    __device__ Source at(const Row& row, const Step& step) const {
        const int down = step.i * p.dilationH, right = step.j * p.dilationW;
        const bool inside =
            unsigned(row.y + down) < unsigned(p.height) && unsigned(row.x + right) < unsigned(p.width);
        return {src + (row.offset + int(step.operand * p.plane.divisor) + down * p.width + right), inside};
    }
};

struct PackedWeights {
    static constexpr bool kPacked = true;
    const float* base;
    unsigned rowStride;
    std::size_t groupStride;

    __device__ void select(unsigned group) { base += group * groupStride; }
};

/// Where the weights lie, and where they go.
struct Packing {
    unsigned results, operands, rounded;               ///< of a group; rounded: up to a chunk
    unsigned operandStride, resultStride, groupStride; ///< of the weights
    unsigned rows, rowStride;                          ///< of the packed ones of a group
    unsigned chunk, operandsOfBlock;
    bool flipped;
    FastDivision window;
};

/// A block takes the weights of 32 results and some operands, which it turns over in shared memory: both
/// sides of it go through memory in order. Zeros beyond the last of either.
__global__ void __launch_bounds__(kPackThreads) pack(Packing p, const float* weights, float* packed) {
    __shared__ float shared[kPackResults * (kMostWindow + 1)];
    const unsigned window = p.window.divisor, run = p.operandsOfBlock * window, stride = run | 1U;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    constexpr unsigned kWarps = kPackThreads / 32;
    const unsigned firstResult = blockIdx.x * kPackResults, firstOperand = blockIdx.y * p.operandsOfBlock;
    const unsigned results =
        p.results > firstResult ? min(p.results - firstResult, unsigned(kPackResults)) : 0;
    const unsigned operands =
        p.operands > firstOperand ? min(p.operands - firstOperand, p.operandsOfBlock) : 0;
    weights += std::size_t(blockIdx.z) * p.groupStride + std::size_t(firstResult) * p.resultStride +
               std::size_t(firstOperand) * p.operandStride;
    packed += std::size_t(blockIdx.z) * p.rows * p.rowStride + firstResult;
    if (p.operandStride == window) { // a result's operands lie together
        for (unsigned result = warp; result < kPackResults; result += kWarps)
            for (unsigned i = lane; i < run; i += 32)
                shared[result * stride + i] = result < results && i < operands * window
                                                  ? weights[std::size_t(result) * p.resultStride + i]
                                                  : 0.0F;
    } else { // an operand's results do
        for (unsigned operand = warp; operand < p.operandsOfBlock; operand += kWarps)
            for (unsigned i = lane; i < kPackResults * window; i += 32) {
                unsigned place = i;
                const unsigned result = p.window.split(place);
                shared[result * stride + operand * window + place] =
                    result < results && operand < operands
                        ? weights[std::size_t(operand) * p.operandStride + i]
                        : 0.0F;
            }
    }
    __syncthreads();
    for (unsigned i = warp; i < run; i += kWarps) {
        unsigned place = i;
        const unsigned operand = firstOperand + p.window.split(place);
        if (operand >= p.rounded)
            break;
        if (p.flipped)
            place = window - 1 - place;
        const unsigned k = (operand / p.chunk * window + place) * p.chunk + operand % p.chunk;
        packed[std::size_t(k) * p.rowStride + lane] = shared[lane * stride + i];
    }
    if (blockIdx.y == 0) // up to a whole tile of k
        for (unsigned k = p.rounded * window + warp; k < p.rows; k += kWarps)
            packed[std::size_t(k) * p.rowStride + lane] = 0.0F;
}

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

std::int64_t roundedOperands(const PackedProblem& p, int chunk) {
    return parts(p.operands, chunk) * chunk;
}

/// The smaller chunk costs more to look up.
constexpr double kSmallChunkCost = 1.185;

struct PackedPlan {
    int chunk;
    ProductSize size;
    ProductPlan product;
    std::int64_t rows, rowStride; ///< of the packed weights of a group

    std::size_t packedBytes() const {
        return (std::size_t(rows) * std::size_t(rowStride) * std::size_t(size.groups) * sizeof(float) + 255) /
               256 * 256;
    }
    double productCycles() const { return product.cycles * (chunk == kSmallChunk ? kSmallChunkCost : 1.0); }
};

PackedPlan planWith(const PackedProblem& p, int chunk, const DeviceLimits& device) {
    PackedPlan plan{};
    plan.chunk = chunk;
    plan.size = {p.results, std::int64_t{p.batch} * p.resultPlane.divisor,
                 roundedOperands(p, chunk) * p.window.divisor, p.groups};
    plan.size.half = true;
    plan.product = planProduct(plan.size, device);
    plan.rows = parts(plan.size.k, kTileSteps) * kTileSteps;
    plan.rowStride = std::int64_t{plan.product.cut.tilesM} * rowsOfTile(plan.product.tile);
    return plan;
}

PackedPlan planOf(const PackedProblem& p, const DeviceLimits& device) {
    const PackedPlan whole = planWith(p, kTileSteps, device);
    if (p.operands % kTileSteps == 0)
        return whole;
    const PackedPlan small = planWith(p, kSmallChunk, device);
    return small.productCycles() < whole.productCycles() ? small : whole;
}

unsigned operandsOfBlock(const PackedProblem& p) {
    return std::max(1U, kPackRun / p.window.divisor);
}

cudaError_t launchPack(const PackedProblem& p, const PackedPlan& plan, const KernelOperands& o) {
    const auto rounded = unsigned(roundedOperands(p, plan.chunk));
    const Packing packing{p.results,
                          p.operands,
                          rounded,
                          p.operandStride,
                          p.resultStride,
                          p.results * p.operands * p.window.divisor,
                          unsigned(plan.rows),
                          unsigned(plan.rowStride),
                          unsigned(plan.chunk),
                          operandsOfBlock(p),
                          p.flipped,
                          p.window};
    const dim3 grid(unsigned(plan.rowStride / kPackResults), unsigned(parts(rounded, operandsOfBlock(p))),
                    p.groups);
    pack<<<grid, kPackThreads, 0, o.stream>>>(packing, o.src[1], static_cast<float*>(o.workspace));
    return cudaGetLastError();
}

template <int Chunk>
cudaError_t launchProductOf(const PackedProblem& p, const PackedPlan& plan, const Epilogue& epilogue,
                            const KernelOperands& o) {
    auto* const packed = static_cast<float*>(o.workspace);
    auto* const partial = reinterpret_cast<float*>(static_cast<char*>(o.workspace) + plan.packedBytes());
    const PackedWeights a{packed, unsigned(plan.rowStride), std::size_t(plan.rows * plan.rowStride)};
    const OperandsUnderPixels<Chunk> b{p, o.src[0]};
    const PlanesOfBatch store{o.dst[0], epilogue, p.resultPlane, p.resultsOfImage * p.resultPlane.divisor,
                              p.results};
    const Product<PackedWeights, OperandsUnderPixels<Chunk>, PlanesOfBatch> product{
        unsigned(plan.size.m),
        unsigned(plan.size.n),
        unsigned(plan.size.k),
        unsigned(plan.size.groups),
        a,
        b,
        store};
    switch (plan.product.tile) {
    case TileChoice::Large:
        return launchTiles<LargeTile>(product, plan.product.cut, partial, o.stream);
    case TileChoice::Half:
        return launchTiles<HalfTile>(product, plan.product.cut, partial, o.stream);
    case TileChoice::Middle:
        return launchTiles<MiddleTile>(product, plan.product.cut, partial, o.stream);
    case TileChoice::Small:
        return launchTiles<SmallTile>(product, plan.product.cut, partial, o.stream);
    }
    return cudaErrorInvalidConfiguration;
}

cudaError_t launchPacked(const PackedProblem& p, const Epilogue& epilogue, const KernelOperands& o) {
    const PackedPlan plan = planOf(p, o.device);
    if (const cudaError_t code = launchPack(p, plan, o); code != cudaSuccess)
        return code;
    return plan.chunk == kTileSteps ? launchProductOf<kTileSteps>(p, plan, epilogue, o)
                                    : launchProductOf<kSmallChunk>(p, plan, epilogue, o);
}

std::string_view refusalOf(const PackedProblem& p) {
    if (p.groups > kMostGroups)
        return kTooManyGroups;
    if (p.window.divisor > kMostWindow)
        return "it takes windows of at most 256 places";
    if (double(p.operands + kTileSteps) * p.window.divisor * double(p.results + LargeTile::BM) * p.groups *
            sizeof(float) >
        kMostScratchMatrix)
        return "it takes weights of at most 128 MiB";
    return parts(p.operands + kTileSteps, operandsOfBlock(p)) > kMostInGrid ? kMoreThanAGrid
                                                                            : std::string_view();
}

std::size_t workspaceOf(const PackedProblem& p, const DeviceLimits& device) {
    const PackedPlan plan = planOf(p, device);
    return plan.packedBytes() + productWorkspace(plan.size, device);
}

/// Fitted to 276 convolutions and gradients on an H100, drawn at random and of networks (root mean square of
/// the logarithm of the ratio 0.10).
double expectedCycles(const PackedProblem& p, double megabytes, const DeviceLimits& device) {
    if (!refusalOf(p).empty())
        return std::numeric_limits<double>::infinity();
    const PackedPlan plan = planOf(p, device);
    const double results = double(plan.size.m) * double(plan.size.n) * double(plan.size.groups);
    return 0.811 * plan.productCycles() + 184 * plan.product.blocks + 307 * megabytes +
           (holdsVec4(p.resultPlane) ? 2130e-6 : 6960e-6) * results + 1070e-6 * double(plan.packedBytes()) +
           10800;
}

constexpr std::string_view kOtherStride = "it takes strides of 1";

bool hasUnitStride(const ConvGeometry& g) {
    return g.strideH == 1 && g.strideW == 1;
}

} // namespace

std::string_view packedForwardRefusal(const ConvGeometry& g) {
    return refusalOf(forwardProblem(g));
}

std::string_view packedDataRefusal(const ConvGeometry& g) {
    return hasUnitStride(g) ? refusalOf(dataProblem(g)) : kOtherStride;
}

double packedForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(forwardProblem(g), g.operandMegabytes(), device);
}

double packedDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return hasUnitStride(g) ? expectedCycles(dataProblem(g), g.operandMegabytes(), device)
                            : std::numeric_limits<double>::infinity();
}

std::size_t packedForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return workspaceOf(forwardProblem(g), device);
}

std::size_t packedDataWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return workspaceOf(dataProblem(g), device);
}

cudaError_t packedForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchPacked(forwardProblem(g), epilogue, o);
}

cudaError_t packedBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchPacked(dataProblem(g), epilogue, o);
}

} // namespace heteroscope::compute::nvidia
