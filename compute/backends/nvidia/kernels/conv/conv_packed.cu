// SPDX-License-Identifier: Apache-2.0
// As they lie, the weights of one place of the window are as far apart as the
// window is large: each costs a sector of the caches. A first kernel packs
// them, so that a tile of them is copied 16 bytes at a time. k goes through a
// chunk of channels for one place of the window, then for the next place, and
// so on: what is checked and divided is so for a chunk as a whole. The gradient
// of the input is a correlation with the window flipped; with a stride each
// phase of the pixels (conv_axis.h) is a product of its own, with the places of
// the window that reach it.
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/conv/conv_operands.cuh"
#include "compute/backends/nvidia/kernels/conv/conv_packed.h"
#include "compute/backends/nvidia/kernels/conv/conv_phases.cuh"
#include "compute/base/ceil_div.h"

#include <algorithm>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kSmallChunk = 4;
constexpr int kPackThreads = 256, kPackResults = 32, kPackRun = 128;
constexpr int kMostWindow = 256; ///< places whose weights the packing kernel keeps in shared memory
constexpr std::int64_t kMostInGrid = 65535;
constexpr std::int64_t kMostPackedPhases = 64;

/// "Operands" are the planes that are read, "results" those that are written.
struct PackedProblem {
    Phases phases; ///< of the results' pixels
    FastDivision resultPlane, plane, window, windowRow;
    int batch, height, width, resultWidth;
    unsigned operandsOfImage, resultsOfImage, operands, results,
        groups;                           ///< the second two: of a group
    unsigned operandStride, resultStride; ///< in the weights
};

PackedProblem forwardProblem(const ConvGeometry& g) {
    return {
        {PhasedAxis(forwardAxis(g.outHeight, g.kernelH, g.strideH, g.top, g.dilationH)),
         PhasedAxis(forwardAxis(g.outWidth, g.kernelW, g.strideW, g.left, g.dilationW))},
        g.outPlane,
        g.plane,
        g.window,
        g.windowRow,
        g.batch,
        g.height,
        g.width,
        g.outWidth,
        unsigned(g.channels),
        unsigned(g.filters),
        unsigned(g.groupChannels),
        unsigned(g.groupFilters),
        unsigned(g.groups),
        g.window.divisor,
        unsigned(g.groupChannels) * g.window.divisor,
    };
}

PackedProblem dataProblem(const ConvGeometry& g) {
    return {
        Phases(g),
        g.plane,
        g.outPlane,
        g.window,
        g.windowRow,
        g.batch,
        g.outHeight,
        g.outWidth,
        g.width,
        unsigned(g.filters),
        unsigned(g.channels),
        unsigned(g.groupFilters),
        unsigned(g.groupChannels),
        unsigned(g.groups),
        unsigned(g.groupChannels) * g.window.divisor,
        g.window.divisor,
    };
}

/// rows: pixels of a phase of the results; k: operand and tap of the phase, as
/// said above.
template <int Chunk>
struct OperandsUnderPixels {
    static constexpr bool kFast = false, kWhole = true, kEnds = Chunk < kTileSteps, kCheap = false;
    static constexpr int kChunk = Chunk;
    using Row = Place;
    struct Step {
        unsigned operand;
        int i, j;
    };
    FastDivision plane;
    int height, width;
    unsigned operandsOfImage, operands; ///< the second: of a group
    const float* src;
    Phase phase;

    __device__ void select(unsigned group) { src += std::size_t(group) * operands * plane.divisor; }
    __device__ Row row(unsigned pixel) const {
        unsigned line = phase.x.overOutputs.split(pixel);
        const unsigned image = phase.y.overOutputs.split(line);
        const int top = int(line) * phase.y.axis.stride + phase.y.axis.offset,
                  left = int(pixel) * phase.x.axis.stride + phase.x.axis.offset;
        return {int(image * operandsOfImage * plane.divisor) + top * width + left, top, left};
    }
    __device__ Step tile(unsigned k) const {
        unsigned place = k / Chunk;
        unsigned line = phase.x.overTaps.split(place);
        const unsigned operand = phase.y.overTaps.split(line) * Chunk;
        return {operand, int(line), int(place)};
    }
    __device__ unsigned stepsOf(const Step& tile) const {
        return operands > tile.operand ? operands - tile.operand : 0;
    }
    __device__ std::size_t stride() const { return plane.divisor; }
    __device__ Source at(const Row& row, const Step& step) const {
        const int down = step.i * phase.y.axis.dilation, right = step.j * phase.x.axis.dilation;
        const bool inside =
            unsigned(row.y + down) < unsigned(height) && unsigned(row.x + right) < unsigned(width);
        return {src + (row.offset + int(step.operand * plane.divisor) + down * width + right), inside};
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
    Phases phases;
    unsigned results, operands, rounded;               ///< of a group; rounded: up to a chunk
    unsigned operandStride, resultStride, groupStride; ///< of the weights
    unsigned rowsOfPhase, rowStride;                   ///< of the packed ones
    unsigned chunk, operandsOfBlock;
    FastDivision window, windowRow;
};

/// Rows of a group's packed weights: of a place's first chunk of operands
/// (kNowhere: no pixel is reached by it), and from one chunk to the next.
struct RowsOfPlace {
    unsigned first, perChunk;

    RowsOfPlace() = default;
    __device__ RowsOfPlace(const Packing& p, unsigned place) : first(kNowhere), perChunk(0) {
        unsigned j = place;
        const unsigned i = p.windowRow.split(j);
        const int phaseY = p.phases.y.phaseOf(int(i)), phaseX = p.phases.x.phaseOf(int(j));
        if (phaseY >= p.phases.y.count() || phaseX >= p.phases.x.count())
            return;
        const CorrelationAxis y = p.phases.y.at(phaseY).axis, x = p.phases.x.at(phaseX).axis;
        const int row = (int(i) - y.firstTap) / y.tapStep, column = (int(j) - x.firstTap) / x.tapStep;
        first = unsigned(phaseY * p.phases.x.count() + phaseX) * p.rowsOfPhase +
                unsigned(row * x.taps + column) * p.chunk;
        perChunk = unsigned(y.taps * x.taps) * p.chunk;
    }
};

/// Zeros up to a whole tile of k behind the rows of each phase.
__device__ void fillUp(const Packing& p, unsigned warp, unsigned warps, float* packed) {
    const unsigned phases = unsigned(p.phases.y.count() * p.phases.x.count());
    for (unsigned phase = warp; phase < phases; phase += warps) {
        const Phase one = p.phases.at(phase);
        const unsigned k = p.rounded * unsigned(one.y.axis.taps * one.x.axis.taps);
        for (unsigned row = k; row % kTileSteps != 0; ++row)
            packed[(std::size_t(phase) * p.rowsOfPhase + row) * p.rowStride] = 0.0F;
    }
}

/// A block takes the weights of 32 results and some operands, which it turns over in shared memory: both
/// sides of it go through memory in order. Zeros beyond the last of either.
__global__ void __launch_bounds__(kPackThreads) pack(Packing p, const float* weights, float* packed) {
    __shared__ float shared[kPackResults * (kMostWindow + 1)];
    __shared__ RowsOfPlace rowsOf[kMostWindow];
    const unsigned window = p.window.divisor, run = p.operandsOfBlock * window, stride = run | 1U;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    constexpr unsigned kWarps = kPackThreads / 32;
    const unsigned firstResult = blockIdx.x * kPackResults, firstOperand = blockIdx.y * p.operandsOfBlock;
    const unsigned results =
        p.results > firstResult ? min(p.results - firstResult, unsigned(kPackResults)) : 0;
    const unsigned operands =
        p.operands > firstOperand ? min(p.operands - firstOperand, p.operandsOfBlock) : 0;
    const unsigned phases = unsigned(p.phases.y.count() * p.phases.x.count());
    weights += std::size_t(blockIdx.z) * p.groupStride + std::size_t(firstResult) * p.resultStride +
               std::size_t(firstOperand) * p.operandStride;
    packed += std::size_t(blockIdx.z) * phases * p.rowsOfPhase * p.rowStride + firstResult;
    if (threadIdx.x < window)
        rowsOf[threadIdx.x] = RowsOfPlace(p, threadIdx.x);
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
        const RowsOfPlace rows = rowsOf[place];
        const unsigned k = rows.first + operand / p.chunk * rows.perChunk + operand % p.chunk;
        if (rows.first != kNowhere)
            packed[std::size_t(k) * p.rowStride + lane] = shared[lane * stride + i];
    }
    if (blockIdx.y == 0)
        fillUp(p, warp, kWarps, packed + lane);
}

std::int64_t roundedOperands(const PackedProblem& p, int chunk) {
    return ceilDiv(p.operands, chunk) * chunk;
}

/// The smaller chunk costs more to look up.
constexpr double kSmallChunkCost = 1.185;

struct PackedPlan {
    int chunk;
    ProductSize size;
    ProductPlan product;
    std::int64_t rowsOfPhase, rowStride; ///< of the packed weights

    std::size_t packedBytes() const {
        return scratchMatrixBytes(rowsOfPhase * size.parts * size.groups, rowStride);
    }
    double productCycles() const { return product.cycles * (chunk == kSmallChunk ? kSmallChunkCost : 1.0); }
};

PackedPlan planWith(const PackedProblem& p, int chunk, const DeviceLimits& device) {
    PackedPlan plan{};
    plan.chunk = chunk;
    plan.size = {p.results, p.batch * p.phases.mostOutputs(), roundedOperands(p, chunk) * p.phases.mostTaps(),
                 p.groups};
    plan.size.parts = p.phases.count(), plan.size.busyParts = p.phases.busyCount();
    plan.size.half = plan.size.flat = plan.size.packed = true;
    plan.product = planProduct(plan.size, device);
    plan.rowsOfPhase = ceilDiv(plan.size.k, kTileSteps) * kTileSteps;
    plan.rowStride =
        ceilDiv(std::int64_t{plan.product.cut.tilesM} * rowsOfTile(plan.product.tile), kPackResults) *
        kPackResults;
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
    const Packing packing{p.phases,
                          p.results,
                          p.operands,
                          rounded,
                          p.operandStride,
                          p.resultStride,
                          p.results * p.operands * p.window.divisor,
                          unsigned(plan.rowsOfPhase),
                          unsigned(plan.rowStride),
                          unsigned(plan.chunk),
                          operandsOfBlock(p),
                          p.window,
                          p.windowRow};
    const dim3 grid(unsigned(plan.rowStride / kPackResults), unsigned(ceilDiv(rounded, operandsOfBlock(p))),
                    p.groups);
    pack<<<grid, kPackThreads, 0, o.stream>>>(packing, o.src[1], static_cast<float*>(o.workspace));
    return cudaGetLastError();
}

/// Phases follow each other in the grid: what they write lies between what the
/// others do.
template <int Chunk>
struct PhasesProduct {
    static constexpr bool kHasParts = true;
    unsigned m, n, k, groups;
    PackedWeights a;
    OperandsUnderPixels<Chunk> b;
    PixelsOfPhase store;
    Phases phases;
    unsigned parts, busyParts, batch, rounded, rowsOfPhase;

    __device__ void select(unsigned group, unsigned part) {
        const Phase phase = phases.at(part);
        n = batch * unsigned(phase.y.axis.outputs) * unsigned(phase.x.axis.outputs);
        k = rounded * unsigned(phase.y.axis.taps * phase.x.axis.taps);
        b.phase = store.phase = phase;
        a.select(group);
        a.base += std::size_t(part) * rowsOfPhase * a.rowStride;
        b.select(group);
        store.select(group);
    }
};

template <class Problem>
cudaError_t launchPlanned(const Problem& product, const ProductPlan& plan, float* partial,
                          cudaStream_t stream) {
    switch (plan.tile) {
    case TileChoice::Large:
        return launchTiles<LargeTile>(product, plan.cut, partial, stream);
    case TileChoice::Half:
        return launchTiles<HalfTile>(product, plan.cut, partial, stream);
    case TileChoice::Middle:
        return launchTiles<MiddleTile>(product, plan.cut, partial, stream);
    case TileChoice::Small:
        return launchTiles<SmallTile>(product, plan.cut, partial, stream);
    case TileChoice::Flat:
        return launchTiles<FlatTile>(product, plan.cut, partial, stream);
    case TileChoice::Rows48:
        return launchTiles<Rows48Tile>(product, plan.cut, partial, stream);
    case TileChoice::Narrow: // not asked for
        break;
    }
    return cudaErrorInvalidConfiguration;
}

template <int Chunk>
cudaError_t launchProductOf(const PackedProblem& p, const PackedPlan& plan, const Epilogue& epilogue,
                            const KernelOperands& o) {
    auto* const packed = static_cast<float*>(o.workspace);
    auto* const partial = reinterpret_cast<float*>(static_cast<char*>(o.workspace) + plan.packedBytes());
    const auto m = unsigned(plan.size.m), n = unsigned(plan.size.n), k = unsigned(plan.size.k);
    const PackedWeights a{packed, unsigned(plan.rowStride),
                          std::size_t(plan.rowsOfPhase * plan.size.parts * plan.rowStride)};
    const OperandsUnderPixels<Chunk> b{p.plane,    p.height, p.width,        p.operandsOfImage,
                                       p.operands, o.src[0], p.phases.only()};
    if (p.phases.isWhole()) {
        const PlanesOfBatch store{o.dst[0], epilogue, p.resultPlane, p.resultsOfImage * p.resultPlane.divisor,
                                  p.results};
        const Product<PackedWeights, OperandsUnderPixels<Chunk>, PlanesOfBatch> product{m, n, k,    p.groups,
                                                                                        a, b, store};
        return launchPlanned(product, plan.product, partial, o.stream);
    }
    const PixelsOfPhase store{o.dst[0],         epilogue, p.resultPlane.divisor, unsigned(p.resultWidth),
                              p.resultsOfImage, p.results};
    const PhasesProduct<Chunk> product{m,
                                       n,
                                       k,
                                       p.groups,
                                       a,
                                       b,
                                       store,
                                       p.phases,
                                       unsigned(plan.size.parts),
                                       unsigned(plan.size.busyParts),
                                       unsigned(p.batch),
                                       unsigned(roundedOperands(p, plan.chunk)),
                                       unsigned(plan.rowsOfPhase)};
    return launchPlanned(product, plan.product, partial, o.stream);
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
        return "it takes kernels of at most 256 elements";
    if (p.phases.count() > kMostPackedPhases)
        return "it takes strides of at most 64 phases";
    if (double(p.operands + kTileSteps) * double(p.phases.count() * p.phases.mostTaps()) *
            double(p.results + LargeTile::BM) * p.groups * sizeof(float) >
        kMostScratchMatrix)
        return "it takes weights of at most 128 MiB";
    const double tiles = double(ceilDiv(p.results, FlatTile::BM)) *
                         double(ceilDiv(p.batch * p.phases.mostOutputs(), MiddleTile::BN)) *
                         double(p.phases.count());
    return tiles > std::numeric_limits<int>::max() ||
                   ceilDiv(p.operands + kTileSteps, operandsOfBlock(p)) > kMostInGrid
               ? kMoreThanAGrid
               : std::string_view();
}

std::size_t workspaceOf(const PackedProblem& p, const DeviceLimits& device) {
    const PackedPlan plan = planOf(p, device);
    return plan.packedBytes() + productWorkspace(plan.size, device);
}

/// Fitted to 302 convolutions and gradients with strides of 1 on an H100, drawn at random (standard deviation
/// of the logarithm of the ratio 0.10), and to 85 gradients with others (0.16).
double expectedCycles(const PackedProblem& p, double megabytes, const DeviceLimits& device) {
    if (!refusalOf(p).empty())
        return std::numeric_limits<double>::infinity();
    const PackedPlan plan = planOf(p, device);
    const ProductSize& size = plan.size;
    const double results = double(size.m) * double(size.n) * double(size.groups * size.parts);
    const double packed = double(plan.packedBytes()) * 1e-6;
    if (p.phases.isWhole())
        return 0.813 * plan.productCycles() + 101 * plan.product.blocks + 270 * megabytes +
               (holdsVec4(p.resultPlane) ? 1840e-6 : 2690e-6) * results + 2000 * packed + 11700;
    // Each tap is in one of the phases, which have more and fewer of them.
    const double taps = double(roundedOperands(p, plan.chunk)) * p.window.divisor;
    const double share = taps / double(size.k) / double(size.busyParts);
    const double one = p.window.divisor == 1 ? 1.6 : 1; // most phases are empty, whose zeros cost most
    return one * (0.865 * plan.productCycles() * share + 489 * plan.product.blocks + 731 * megabytes +
                  0.25 * plan.product.empty + 15900);
}

} // namespace

std::string_view packedForwardRefusal(const ConvGeometry& g) {
    return refusalOf(forwardProblem(g));
}

std::string_view packedDataRefusal(const ConvGeometry& g) {
    return refusalOf(dataProblem(g));
}

double packedForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(forwardProblem(g), g.operandMegabytes(), device);
}

double packedDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(dataProblem(g), g.operandMegabytes(), device);
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
