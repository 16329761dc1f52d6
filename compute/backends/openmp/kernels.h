// SPDX-License-Identifier: Apache-2.0
// The vector kernels behind the OpenMP implementation, compiled once for each instruction set. Each works on
// a part of the data on the calling thread; pool_op.cpp and gemm_op.cpp share the parts out.
#pragma once

#include "compute/core/cpu.h"
#include "compute/core/ops/activation.h"

#include <cstdint>

namespace heteroscope::compute::openmp {

/// One plane of a pooling op: sizes of input and output, window, and rules. Checked by poolOutputShape().
struct PoolGeometry {
    std::int64_t h, w, outH, outW;
    std::int64_t kh, kw, sh, sw;
    std::int64_t padTop, padLeft;
    bool average;
    bool zeroPad;         ///< max: a padded element counts as zero, not as minus infinity
    bool countIncludePad; ///< average: divide by the whole area
    bool threes;      ///< max, 3x3, stride 1 or 2 both ways, at most 1 of padding before, which never wins
    bool halfVectors; ///< max, 2x2, stride 2, all inside, short rows of whole half vectors: streamed forward
    bool fetchAhead;  ///< the input is larger than the caches: kernels ask for rows before they need them
};

/// Lines of one thread's backward pass: per output row the gradient and where its maximum was. They have
/// room on both sides, filled so that what is read there adds nothing.
struct PoolLines {
    float* value;        ///< count lines of `stride` elements
    std::int32_t* code;  ///< likewise; row in the window times kw plus column, or -1
    std::int64_t stride; ///< elements from line to line
    std::int64_t left;   ///< elements before the first of a line
    std::int64_t count;  ///< lines kept: as many as windows overlap one input row
};

/// Lines of one thread's backward pass over 3x3 windows, zero before the first row.
struct ThreesLines {
    /// Lines of bits: two for each of three input rows, nine for each of three output rows.
    static constexpr std::int64_t kBitLines = 6 + 27;
    float* value;        ///< three lines of `stride` elements, the gradients of output rows
    float* best;         ///< likewise, the maxima of three neighbours in input rows
    std::uint64_t* bits; ///< kBitLines lines of `words` words, a bit for each window
    std::int64_t stride; ///< a vector more than the windows and the inputs of a row, and `left`
    std::int64_t left;   ///< elements before the first gradient of a line
    std::int64_t words;  ///< bits for all windows and inputs of a row, rounded up to vectors
};

struct PoolKernels {
    int width; ///< floats in a vector
    /// Output rows [rowBegin, rowEnd) of one plane to dst, row after row. `stream`: past the caches; dst and
    /// the length of a row must then be multiples of 64 bytes, or of 32 when `halfVectors`.
    void (*forward)(const PoolGeometry&, const float* plane, std::int64_t rowBegin, std::int64_t rowEnd,
                    float* dst, bool stream);
    /// Max pooling backward when windows are 2x2 with stride 2 and lie inside: the input rows 2 * pair and
    /// the next to dst. At least `width` windows a row. `stream`: as above, of the rows of dst.
    void (*backwardPair)(const PoolGeometry&, const float* plane, const float* dstGrad, std::int64_t pair,
                         float* dst, bool stream);
    /// Prepares output row `row` in `lines`: its gradient and the places of its maxima.
    void (*backwardLine)(const PoolGeometry&, const float* plane, const float* dstGrad, std::int64_t row,
                         const PoolLines& lines);
    /// Gradient of input row `row` to dst from prepared lines; may write up to 2 * width elements more.
    void (*backwardRow)(const PoolGeometry&, std::int64_t row, const PoolLines& lines, float* dst);
    /// The same in three steps for max pooling with 3x3 windows, stride 1 or 2 both ways, at most one row and
    /// column of padding before the input, and padding that never wins: the maxima of input row `row`, the
    /// places of output row `row` when those of its input rows are there, the gradient of an input row; may
    /// write up to width - 1 elements more. `stream`: as above, of the rows of dst.
    void (*threesRow)(const PoolGeometry&, const float* plane, std::int64_t row, const ThreesLines& lines);
    void (*threesLine)(const PoolGeometry&, const float* dstGrad, std::int64_t row, const ThreesLines& lines);
    void (*threesGradient)(const PoolGeometry&, std::int64_t row, const ThreesLines& lines, float* dst,
                           bool stream);
    /// Copies past the caches. The writes are ordered before later ones only after a store fence.
    void (*streamCopy)(float* dst, const float* src, std::int64_t count);
};

/// A tile: c[i ldc + j] = sum over p of a[p rows + i] b[p bStride + j], then plus start[i startStride + j].
struct GemmTileRun {
    std::int64_t depth;
    const float *a, *b;
    std::int64_t bStride; ///< whole vectors of b are read
    float* c;
    std::int64_t ldc, columns; ///< columns: those written, more than all vectors but one
    const float* start;        ///< nullptr: nothing is added; may be c
    std::int64_t startStride;
};

struct GemmKernels {
    static constexpr int kMostRows = 12, kMostVectors = 16, kMostDotRows = 4, kDotColumns = 4;
    int width; ///< floats in a vector
    int rows;  ///< most of a tile, and of one with two vectors of columns, as panels have them
    using Tile = void (*)(const GemmTileRun& run);
    Tile tile[kMostRows][kMostVectors]; ///< [rows - 1][vectors - 1]; nullptr: more than the registers hold
    /// sums[i kDotColumns + j] = sum over p of a[i lda + p] b[j ldb + p].
    using Dot = void (*)(std::int64_t depth, const float* a, std::int64_t lda, const float* b,
                         std::int64_t ldb, float* sums);
    int dotRows;
    Dot dot[kMostDotRows][kDotColumns]; ///< [rows - 1][columns - 1]; nullptr beyond dotRows
    // How operands are laid out for the tiles; gemm_kernel.h says more.
    void (*packTransposed)(std::int64_t count, std::int64_t depth, const float* from, std::int64_t stride,
                           float* to, std::int64_t width);
    void (*packLines)(std::int64_t count, std::int64_t depth, const float* from, std::int64_t stride,
                      float* to);
    void (*packPanels)(std::int64_t columns, std::int64_t depth, const float* from, std::int64_t stride,
                       float* to, std::int64_t panelStride);
};

/// What a tile of a convolution's weight gradient runs over.
struct WeightRuns {
    const float *a, *b;
    std::int64_t images, aImage, bImage; ///< floats from image to image
    std::int64_t places;                 ///< a multiple of the vector's width
};

/// Neighbouring outputs of two vectors of filters: sums[r 2W + f] = start[f] (nullptr: what is there) + sum
/// over p of weights[p 2W + f] input[offsets[p] + r], with vectors of W floats.
struct BlockedTile {
    std::int64_t depth;
    const float *weights, *input;
    const std::int64_t* offsets;
    const float* start;
    float* sums;
};

/// Such sums to where they belong: to[f plane + r] of rows r and filters f.
struct BlockedStore {
    const float* sums;
    std::int64_t rows, filters, plane;
    float* to;
};

/// Rows of outputs of a convolution of one channel: dst[r dstStride + x] = start + sum over t of weights[t]
/// base[r rowStride + offsets[t] + x] for x below `columns`; whole vectors of base are read.
struct DepthwiseTile {
    const float* base;
    std::int64_t rowStride;
    std::int64_t taps;
    const std::int64_t* offsets;
    const float* weights;
    float start;
    float* dst;
    std::int64_t dstStride, columns;
};

/// Rows [first, first + count) of a plane of h x w, each after `left` zeros and before others, zeros for rows
/// that the plane has not: column c to to[c % stride * part + c / stride], `part`, whole vectors, for each
/// remainder, and on to the next row.
struct DepthwiseLines {
    const float* from;
    std::int64_t h, w, first, count, left, stride, part;
    float* to;
};

struct ConvKernel {
    static constexpr int kMostRows = 12, kMostColumns = 32;
    int rows, columns; ///< of the largest tile
    /// tile[r - 1]: r rows. c = start (nullptr: 0) + sum over p of a[p r + row] b[offsets[p] + column], added
    /// to c when `add`.
    using Tile = void (*)(std::int64_t depth, const float* a, const float* b, const std::int64_t* offsets,
                          const float* start, float* c, std::int64_t ldc, bool add);
    Tile tile[kMostRows];

    static constexpr int kMostWeightRows = 4, kMostWeightColumns = 6;
    int weightRows, weightColumns;
    /// sums[i][j] = sum over images and places of a[aOffsets[i] + place] b[bOffsets[j] + place], of
    /// weightRows (or one) rows.
    using WeightTile = void (*)(const WeightRuns& runs, const std::int64_t* aOffsets,
                                const std::int64_t* bOffsets, float* sums);
    WeightTile weightTile, weightRow;

    using Blocked = void (*)(const BlockedTile& tile);
    Blocked blockedTile[kMostRows][2]; ///< [rows - 1][vectors of filters - 1]
    void (*blockedStore)(const BlockedStore& store);

    static constexpr int kDepthwiseRows = 4;
    void (*depthwiseTile[kDepthwiseRows])(const DepthwiseTile& tile); ///< [rows - 1]
    void (*depthwiseLines)(const DepthwiseLines& lines);
};

/// dst = scale (g - gradient - (x - mean) product)
struct NormFactors {
    float scale, gradient, mean, product;
};

struct SgdRun {
    const float *weight, *gradient, *velocity; ///< velocity: nullptr without momentum
    float *newWeight, *newVelocity;
    float rate, momentum, decay;
    bool nesterov;
};

struct AdamRun {
    const float *weight, *gradient, *m, *v;
    float *newWeight, *newM, *newV;
    float rate, c1, c2, beta1, rest1, beta2, rest2, epsilon, decay;
};

struct DropoutRun {
    const float* src;
    float* dst;
    std::uint64_t seed;
    std::uint32_t stream, step, threshold;
    float scale;
};

/// Layer normalisation. Rows hold the channels of one pixel; pixels, of which there are at most kPixels, have
/// theirs `plane` apart.
struct LayerNormKernels {
    static constexpr int kPixels = 128;
    void (*row)(std::int64_t n, const float* x, double mean, float scale, const float* gamma,
                const float* beta, float* dst);
    /// sums: of gamma g and of gamma g (x - mean)
    void (*rowSums)(std::int64_t n, const float* x, const float* g, const float* gamma, double mean,
                    double* sums);
    /// NormFactors' rule, of gamma g
    void (*rowGradient)(std::int64_t n, const float* x, const float* g, const float* gamma,
                        const NormFactors& f, float* dst);
    /// Adds a row's g (x - mean) scale to `products` and its g to `sums`, element by element.
    void (*addRow)(std::int64_t n, const float* x, const float* g, double mean, double scale,
                   double* products, double* sums);
    struct Pixels {
        std::int64_t channels, plane, pixels;
    };
    void (*pixels)(const Pixels& p, const float* x, const float* gamma, const float* beta, double epsilon,
                   float* dst, float* mean, float* scale);
    void (*pixelsGradient)(const Pixels& p, const float* x, const float* g, const float* gamma,
                           const float* mean, const float* scale, float* dst);
    /// Sum of g (x - mean) scale, all of one channel.
    double (*products)(std::int64_t n, const float* x, const float* g, const float* mean, const float* scale);
};

/// Loops over n elements. dst may be an input's memory where the operation allows it.
struct LoopKernels {
    static constexpr int kPixels = 128; ///< at most, of the softmax of pixels
    using Forward = void (*)(std::int64_t n, const float* x, float* dst, float slope);
    using Backward = void (*)(std::int64_t n, const float* y, const float* g, float* dst, float slope);
    void (*add)(std::int64_t n, const float* a, const float* b, float* dst);
    struct Activation {
        Forward forward;
        Backward backward;
    };
    Activation (*activation)(ActivationKind kind);
    // Products. A step is 1, or 0 where one element is every factor.
    void (*mul)(std::int64_t n, const float* a, std::int64_t aStep, const float* b, std::int64_t bStep,
                float* dst);
    double (*dot)(std::int64_t n, const float* g, const float* x, std::int64_t xStep);
    void (*addProducts)(std::int64_t n, const float* g, const float* x, std::int64_t xStep, double* sums);
    double (*sum)(std::int64_t n, const float* x);
    double (*squares)(std::int64_t n, const float* x, double mean);                  ///< of x - mean
    double (*products)(std::int64_t n, const float* g, const float* x, double mean); ///< g (x - mean)
    void (*normalise)(std::int64_t n, const float* x, float mean, float scale, float shift, float* dst);
    void (*normGradient)(std::int64_t n, const float* g, const float* x, const NormFactors& f, float* dst);
    float (*maximum)(std::int64_t n, const float* x);
    double (*exponentials)(std::int64_t n, const float* x, float maximum); ///< sum of e^(x - maximum)
    void (*shares)(std::int64_t n, const float* x, float maximum, float factor, float* dst); ///< times factor
    void (*softmaxPixels)(std::int64_t channels, std::int64_t plane, std::int64_t pixels, const float* x,
                          float* dst);
    void (*softmaxPixelsGradient)(std::int64_t channels, std::int64_t plane, std::int64_t pixels,
                                  const float* y, const float* g, float* dst);
    void (*softmaxRowGradient)(std::int64_t n, const float* y, const float* g, float* dst);
    void (*sgd)(std::int64_t n, const SgdRun& run);
    void (*adam)(std::int64_t n, const AdamRun& run);
    /// From element 4 firstBlock on; run.src and run.dst point to it.
    void (*dropout)(std::int64_t firstBlock, std::int64_t n, const DropoutRun& run);
    LayerNormKernels layerNorm;
};

struct Kernels {
    PoolKernels pool;
    GemmKernels gemm;
    ConvKernel conv;
    LoopKernels loops;
};

extern const Kernels kKernelsBaseline;
extern const Kernels kKernelsAvx2;
extern const Kernels kKernelsAvx512;

const Kernels& kernelsFor(SimdLevel level);

} // namespace heteroscope::compute::openmp
