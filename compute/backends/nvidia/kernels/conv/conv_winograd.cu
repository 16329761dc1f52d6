// SPDX-License-Identifier: Apache-2.0
// Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016, with the interpolation points 0,
// 1, -1, 2, -2 and infinity: tiles of 6x6 of the input overlap so that each gives 4x4 results of a 3x3 window
// or 2x2 of a 5x5 one. What is multiplied for each of the 36 elements of a tile is a matrix product of its
// own, of the results by the operands with the operands by the tiles. Four kernels: weights, input, products,
// results. Limited by the memory between them where planes are few, else by the products. As many tiles are
// taken at a time as leave what lies between in the second-level cache.
#include "compute/backends/nvidia/kernels/conv/conv_operands.cuh"
#include "compute/backends/nvidia/kernels/conv/conv_winograd.h"
#include "compute/base/ceil_div.h"

#include <algorithm>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kTile = 6, kPlaces = kTile * kTile; ///< of the transformed input
constexpr int kThreads = 128;
constexpr std::int64_t kTilesOfBlock = 128; ///< columns of the widest tile of a product
constexpr std::int64_t kMostInGrid = 65535;
/// Of what lies between the kernels of some tiles: the second-level caches of large devices hold 40 to 50 MB.
constexpr double kBytesAtOnce = 40e6;

/// "Operands" are the planes that are read, "results" those that are written.
struct WinogradProblem {
    int window; ///< rows and columns
    bool flipped;
    int batch, height, width, resultHeight, resultWidth, top, left;
    unsigned operands, results;

    int outputs() const { return kTile + 1 - window; } ///< of a tile, in each direction
    std::int64_t tilesDown() const { return ceilDiv(resultHeight, outputs()); }
    std::int64_t tilesAcross() const { return ceilDiv(resultWidth, outputs()); }
    std::int64_t tiles() const { return batch * tilesDown() * tilesAcross(); }
    std::int64_t rounded() const { return ceilDiv(operands, kTileSteps) * kTileSteps; } ///< operands
    /// Of a tile, between the kernels.
    double bytesOfTile() const {
        return double(kPlaces) * sizeof(float) * (double(rounded()) + double(results));
    }
};

WinogradProblem forwardProblem(const ConvGeometry& g) {
    return {g.kernelH,          false,      g.batch, g.height, g.width,
            g.outHeight,        g.outWidth, g.top,   g.left,   unsigned(g.channels),
            unsigned(g.filters)};
}

/// A correlation of the results' gradient with the windows flipped.
WinogradProblem dataProblem(const ConvGeometry& g) {
    return {g.kernelH,
            true,
            g.batch,
            g.outHeight,
            g.outWidth,
            g.height,
            g.width,
            g.kernelH - 1 - g.top,
            g.kernelW - 1 - g.left,
            unsigned(g.filters),
            unsigned(g.channels)};
}

/// One dimension of the transforms; along columns first, then along rows.
__device__ __forceinline__ void transformInput(float (&d)[kTile]) {
    const float d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3], d4 = d[4], d5 = d[5];
    d[0] = fmaf(4.0F, d0, fmaf(-5.0F, d2, d4));
    d[1] = fmaf(-4.0F, d1 + d2, d3 + d4);
    d[2] = fmaf(4.0F, d1 - d2, d4 - d3);
    d[3] = fmaf(2.0F, d3 - d1, d4 - d2);
    d[4] = fmaf(2.0F, d1 - d3, d4 - d2);
    d[5] = fmaf(4.0F, d1, fmaf(-5.0F, d3, d5));
}

template <int Window>
__device__ __forceinline__ void transformWeights(const float (&w)[Window], float (&u)[kTile]) {
    float even1 = 0, odd1 = 0, even2 = 0, odd2 = 0;
#pragma unroll
    for (int t = 0; t < Window; ++t)
        if (t % 2 == 0)
            even1 += w[t], even2 = fmaf(float(1 << t), w[t], even2);
        else
            odd1 += w[t], odd2 = fmaf(float(1 << t), w[t], odd2);
    u[0] = w[0] / 4;
    u[1] = (even1 + odd1) / -6;
    u[2] = (even1 - odd1) / -6;
    u[3] = (even2 + odd2) / 24;
    u[4] = (even2 - odd2) / 24;
    u[5] = w[Window - 1];
}

template <int Outputs>
__device__ __forceinline__ void transformResults(const float (&t)[kTile], float (&y)[Outputs]) {
    const float sum1 = t[1] + t[2], difference1 = t[1] - t[2], sum2 = t[3] + t[4], difference2 = t[3] - t[4];
    y[0] = t[0] + sum1 + sum2;
#pragma unroll
    for (int o = 1; o < Outputs; ++o)
        y[o] = o % 2 == 1 ? fmaf(float(1 << o), difference2, difference1) : fmaf(float(1 << o), sum2, sum1);
    y[Outputs - 1] += t[5];
}

/// The weights' places in [place][operand][result], zeros beyond the last of either.
template <int Window>
__global__ void __launch_bounds__(kThreads)
    weightsKernel(unsigned operands, unsigned results, unsigned rowStride, bool flipped, const float* weights,
                  float* out) {
    const unsigned result = blockIdx.x * kThreads + threadIdx.x, operand = blockIdx.y;
    if (result >= rowStride)
        return;
    constexpr unsigned kElements = Window * Window;
    float columns[Window][kTile] = {};
    if (result < results && operand < operands) {
        const float* const from = weights + (flipped ? std::size_t(operand) * results + result
                                                     : std::size_t(result) * operands + operand) *
                                                kElements;
#pragma unroll
        for (int j = 0; j < Window; ++j) {
            float column[Window];
#pragma unroll
            for (int i = 0; i < Window; ++i)
                column[i] = from[flipped ? kElements - 1 - i * Window - j : i * Window + j];
            transformWeights<Window>(column, columns[j]);
        }
    }
    const std::size_t place = std::size_t(gridDim.y) * rowStride;
    out += std::size_t(operand) * rowStride + result;
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
        float row[Window], all[kTile];
#pragma unroll
        for (int j = 0; j < Window; ++j)
            row[j] = columns[j][i];
        transformWeights<Window>(row, all);
#pragma unroll
        for (int j = 0; j < kTile; ++j)
            out[(i * kTile + j) * place] = all[j];
    }
}

/// Of the tiles from `first` on: planes, where a tile lies in them, and the columns of the matrices.
struct TilesOfRound {
    FastDivision across, down;
    unsigned first, all;     ///< all: tiles of the batch
    unsigned columnsOfPlace; ///< from one row of a matrix to the next
    int height, width, outputs, top, left;
    bool vec4 = false; ///< of the results: rows of planes are made of whole groups of four

    struct Tile {
        unsigned image;
        int y, x; ///< of its first result
    };
    __device__ Tile tile(unsigned column) const {
        unsigned x = first + column;
        unsigned y = across.split(x);
        const unsigned image = down.split(y);
        return {image, int(y) * outputs, int(x) * outputs};
    }
};

/// The tiles of the input in [place][operand][tile], zeros beyond the last of either.
__global__ void __launch_bounds__(kThreads)
    inputKernel(TilesOfRound tiles, unsigned operands, const float* src, float* out) {
    const unsigned column = blockIdx.x * kThreads + threadIdx.x, operand = blockIdx.y;
    float values[kTile][kTile] = {};
    if (tiles.first + column < tiles.all && operand < operands) {
        const TilesOfRound::Tile tile = tiles.tile(column);
        const int y = tile.y - tiles.top, x = tile.x - tiles.left;
        const float* const plane =
            src + (std::size_t(tile.image) * operands + operand) * std::size_t(tiles.height) * tiles.width;
#pragma unroll
        for (int i = 0; i < kTile; ++i)
#pragma unroll
            for (int j = 0; j < kTile; ++j)
                if (unsigned(y + i) < unsigned(tiles.height) && unsigned(x + j) < unsigned(tiles.width))
                    values[i][j] = plane[std::size_t(y + i) * tiles.width + (x + j)];
#pragma unroll
        for (int j = 0; j < kTile; ++j) {
            float one[kTile];
#pragma unroll
            for (int i = 0; i < kTile; ++i)
                one[i] = values[i][j];
            transformInput(one);
#pragma unroll
            for (int i = 0; i < kTile; ++i)
                values[i][j] = one[i];
        }
#pragma unroll
        for (int i = 0; i < kTile; ++i)
            transformInput(values[i]);
    }
    const std::size_t place = std::size_t(gridDim.y) * tiles.columnsOfPlace;
    out += std::size_t(operand) * tiles.columnsOfPlace + column;
#pragma unroll
    for (int i = 0; i < kTile; ++i)
#pragma unroll
        for (int j = 0; j < kTile; ++j)
            out[(i * kTile + j) * place] = values[i][j];
}

/// tiles.height and width are those of the results' planes.
template <int Outputs>
__global__ void __launch_bounds__(kThreads)
    resultsKernel(TilesOfRound tiles, unsigned results, const float* from, Epilogue epilogue, float* dst) {
    const unsigned column = blockIdx.x * kThreads + threadIdx.x, result = blockIdx.y;
    if (tiles.first + column >= tiles.all)
        return;
    const std::size_t place = std::size_t(results) * tiles.columnsOfPlace;
    from += std::size_t(result) * tiles.columnsOfPlace + column;
    float columns[kTile][Outputs];
#pragma unroll
    for (int j = 0; j < kTile; ++j) {
        float one[kTile];
#pragma unroll
        for (int i = 0; i < kTile; ++i)
            one[i] = from[(i * kTile + j) * place];
        transformResults<Outputs>(one, columns[j]);
    }
    const TilesOfRound::Tile tile = tiles.tile(column);
    const Epilogue::OfChannel ofChannel = epilogue.ofChannel(result);
    const std::size_t plane =
        (std::size_t(tile.image) * results + result) * std::size_t(tiles.height) * tiles.width;
#pragma unroll
    for (int i = 0; i < Outputs; ++i) {
        float row[kTile], y[Outputs];
#pragma unroll
        for (int j = 0; j < kTile; ++j)
            row[j] = columns[j][i];
        transformResults<Outputs>(row, y);
        if (tile.y + i >= tiles.height)
            break;
        const std::size_t first = plane + std::size_t(tile.y + i) * tiles.width + tile.x;
#pragma unroll
        for (int j = 0; j < Outputs; ++j)
            if (tile.x + j < tiles.width)
                y[j] = epilogue.of(y[j], ofChannel, first + j);
        if constexpr (Outputs == 4)
            if (tiles.vec4) {
                *reinterpret_cast<float4*>(dst + first) = make_float4(y[0], y[1], y[2], y[3]);
                continue;
            }
#pragma unroll
        for (int j = 0; j < Outputs; ++j)
            if (tile.x + j < tiles.width)
                dst[first + j] = y[j];
    }
}

/// Rows of k of one place after the other, in whole tiles of both extents.
struct PlacesOfMatrix {
    static constexpr bool kPacked = true;
    const float* base;
    unsigned rowStride;
    std::size_t groupStride;

    __device__ void select(unsigned group) { base += group * groupStride; }
};

struct WinogradPlan {
    std::int64_t rounds, tilesOfRound; ///< the second in whole blocks; the last round may have fewer
    std::int64_t tilesOfLast;          ///< likewise
    ProductPlan product, last;
    std::int64_t rowStride; ///< of the transformed weights

    std::size_t weightBytes(const WinogradProblem& p) const {
        return scratchMatrixBytes(kPlaces * p.rounded(), rowStride);
    }
    std::size_t inputBytes(const WinogradProblem& p) const {
        return scratchMatrixBytes(kPlaces * p.rounded(), tilesOfRound);
    }
    std::size_t resultBytes(const WinogradProblem& p) const {
        return scratchMatrixBytes(std::int64_t{kPlaces} * p.results, tilesOfRound);
    }
};

ProductSize sizeOf(const WinogradProblem& p, std::int64_t tiles) {
    ProductSize size{p.results, tiles, p.rounded(), kPlaces};
    size.half = size.flat = size.packed = true;
    return size;
}

std::int64_t wholeBlocks(std::int64_t tiles) {
    return ceilDiv(tiles, kTilesOfBlock) * kTilesOfBlock;
}

WinogradPlan planOf(const WinogradProblem& p, const DeviceLimits& device) {
    WinogradPlan plan{};
    const auto most = std::int64_t(kBytesAtOnce / p.bytesOfTile()) / kTilesOfBlock * kTilesOfBlock;
    plan.rounds = ceilDiv(p.tiles(), std::max(most, kTilesOfBlock));
    plan.tilesOfRound = wholeBlocks(ceilDiv(p.tiles(), plan.rounds));
    plan.rounds = ceilDiv(p.tiles(), plan.tilesOfRound);
    plan.tilesOfLast = wholeBlocks(p.tiles() - (plan.rounds - 1) * plan.tilesOfRound);
    plan.product = planProduct(sizeOf(p, plan.tilesOfRound), device);
    plan.last = planProduct(sizeOf(p, plan.tilesOfLast), device);
    const auto rows = [](const ProductPlan& product) {
        return std::int64_t{product.cut.tilesM} * rowsOfTile(product.tile);
    };
    plan.rowStride = std::max(rows(plan.product), rows(plan.last));
    return plan;
}

std::size_t sliceBytes(const WinogradProblem& p, const WinogradPlan& plan, const DeviceLimits& device) {
    return std::max(productWorkspace(sizeOf(p, plan.tilesOfRound), device),
                    productWorkspace(sizeOf(p, plan.tilesOfLast), device));
}

std::string_view refusalOf(const ConvGeometry& g, const WinogradProblem& p) {
    if (g.kernelH != g.kernelW || (g.kernelH != 3 && g.kernelH != 5) || g.strideH != 1 || g.strideW != 1 ||
        g.dilationH != 1 || g.dilationW != 1 || g.groups != 1)
        return "it takes 3x3 and 5x5 kernels, strides and dilations of 1 and one group";
    if (std::max(p.rounded(), std::int64_t{p.results}) > kMostInGrid)
        return kMoreThanAGrid;
    const double weights = double(kPlaces) * double(p.rounded()) * double(p.results + LargeTile::BM);
    if (std::max(weights * sizeof(float), p.bytesOfTile() * kTilesOfBlock) > kMostScratchMatrix)
        return "it takes transformed weights, and those of 128 tiles, of at most 128 MiB";
    return {};
}

std::size_t workspaceOf(const WinogradProblem& p, const DeviceLimits& device) {
    const WinogradPlan plan = planOf(p, device);
    return plan.weightBytes(p) + plan.inputBytes(p) + plan.resultBytes(p) + sliceBytes(p, plan, device);
}

/// Fitted to 311 convolutions and gradients of 3x3 and 5x5 windows on an H200, drawn at random (standard
/// deviation of the logarithm of the ratio 0.08): the products, megabytes between the kernels, those read and
/// written, and starts.
double expectedCycles(const ConvGeometry& g, const WinogradProblem& p, const DeviceLimits& device) {
    if (!refusalOf(g, p).empty())
        return std::numeric_limits<double>::infinity();
    const WinogradPlan plan = planOf(p, device);
    const double tiles = double((plan.rounds - 1) * plan.tilesOfRound + plan.tilesOfLast);
    const double megabytes = kPlaces * sizeof(float) * 1e-6 * tiles; // of a plane's tiles
    const double products = double(plan.rounds - 1) * plan.product.cycles + plan.last.cycles;
    const auto planeMegabytes = [](std::int64_t images, std::int64_t planes, std::int64_t pixels) {
        return double(images * planes * pixels) * sizeof(float) * 1e-6;
    };
    const double read = planeMegabytes(p.batch, p.operands, std::int64_t{p.height} * p.width),
                 written = planeMegabytes(p.batch, p.results, std::int64_t{p.resultHeight} * p.resultWidth);
    return 0.887 * products + megabytes * (461 * double(p.rounded()) + 996 * double(p.results)) + 551 * read +
           1030 * written + 187e-6 * double(plan.weightBytes(p)) + 13300 * double(plan.rounds) + 10000;
}

cudaError_t launchProducts(const WinogradProblem& p, const WinogradPlan& plan, bool last,
                           const float* weights, const float* input, float* results, float* partial,
                           cudaStream_t stream) {
    const ProductPlan& product = last ? plan.last : plan.product;
    const auto columns = unsigned(plan.tilesOfRound);
    const auto operands = unsigned(p.rounded());
    const PlacesOfMatrix a{weights, unsigned(plan.rowStride), std::size_t(operands) * plan.rowStride},
        b{input, columns, std::size_t(operands) * columns};
    const PlainResult store{results, columns, {}, std::size_t(p.results) * columns};
    const Product<PlacesOfMatrix, PlacesOfMatrix, PlainResult> problem{
        p.results, unsigned(last ? plan.tilesOfLast : plan.tilesOfRound), operands, kPlaces, a, b, store};
    switch (product.tile) {
    case TileChoice::Large:
        return launchTiles<LargeTile>(problem, product.cut, partial, stream);
    case TileChoice::Half:
        return launchTiles<HalfTile>(problem, product.cut, partial, stream);
    case TileChoice::Middle:
        return launchTiles<MiddleTile>(problem, product.cut, partial, stream);
    case TileChoice::Small:
        return launchTiles<SmallTile>(problem, product.cut, partial, stream);
    case TileChoice::Flat:
        return launchTiles<FlatTile>(problem, product.cut, partial, stream);
    case TileChoice::Rows48:
        return launchTiles<Rows48Tile>(problem, product.cut, partial, stream);
    case TileChoice::Narrow: // not asked for
        break;
    }
    return cudaErrorInvalidConfiguration;
}

template <int Window>
cudaError_t launchWindow(const WinogradProblem& p, const Epilogue& epilogue, const KernelOperands& o) {
    constexpr int kOutputs = kTile + 1 - Window;
    const WinogradPlan plan = planOf(p, o.device);
    auto* memory = static_cast<char*>(o.workspace);
    const auto take = [&](std::size_t bytes) {
        auto* const first = reinterpret_cast<float*>(memory);
        memory += bytes;
        return first;
    };
    float* const weights = take(plan.weightBytes(p));
    float* const input = take(plan.inputBytes(p));
    float* const between = take(plan.resultBytes(p));
    float* const partial = take(0);
    const auto operands = unsigned(p.rounded()), rowStride = unsigned(plan.rowStride);
    weightsKernel<Window><<<dim3(unsigned(ceilDiv(rowStride, kThreads)), operands), kThreads, 0, o.stream>>>(
        p.operands, p.results, rowStride, p.flipped, o.src[1], weights);
    TilesOfRound tiles{FastDivision(p.tilesAcross()),
                       FastDivision(p.tilesDown()),
                       0,
                       unsigned(p.tiles()),
                       unsigned(plan.tilesOfRound),
                       p.height,
                       p.width,
                       kOutputs,
                       p.top,
                       p.left};
    TilesOfRound written = tiles;
    written.height = p.resultHeight, written.width = p.resultWidth;
    written.vec4 = holdsVec4(o.dst[0], std::size_t(p.resultWidth));
    for (std::int64_t round = 0; round < plan.rounds; ++round) {
        const bool last = round == plan.rounds - 1;
        const auto blocks = unsigned((last ? plan.tilesOfLast : plan.tilesOfRound) / kThreads);
        tiles.first = written.first = unsigned(round * plan.tilesOfRound);
        inputKernel<<<dim3(blocks, operands), kThreads, 0, o.stream>>>(tiles, p.operands, o.src[0], input);
        if (const cudaError_t code =
                launchProducts(p, plan, last, weights, input, between, partial, o.stream);
            code != cudaSuccess)
            return code;
        resultsKernel<kOutputs><<<dim3(blocks, p.results), kThreads, 0, o.stream>>>(
            written, p.results, between, epilogue, o.dst[0]);
    }
    return cudaGetLastError();
}

cudaError_t launch(const WinogradProblem& p, const Epilogue& epilogue, const KernelOperands& o) {
    return p.window == 3 ? launchWindow<3>(p, epilogue, o) : launchWindow<5>(p, epilogue, o);
}

} // namespace

std::string_view winogradForwardRefusal(const ConvGeometry& g) {
    return refusalOf(g, forwardProblem(g));
}

std::string_view winogradDataRefusal(const ConvGeometry& g) {
    return refusalOf(g, dataProblem(g));
}

double winogradForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(g, forwardProblem(g), device);
}

double winogradDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(g, dataProblem(g), device);
}

std::size_t winogradForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return workspaceOf(forwardProblem(g), device);
}

std::size_t winogradDataWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return workspaceOf(dataProblem(g), device);
}

cudaError_t winogradForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launch(forwardProblem(g), epilogue, o);
}

cudaError_t winogradBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launch(dataProblem(g), epilogue, o);
}

} // namespace heteroscope::compute::nvidia
