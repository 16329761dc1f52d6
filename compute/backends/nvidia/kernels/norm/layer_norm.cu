// SPDX-License-Identifier: Apache-2.0
// Layer normalisation, of rows (the channels of one pixel lie together) or of the pixels of planes. Sums in
// double precision of the distances to the first element: where that one lies far from the others, it is part
// of the variance itself, so that mean and variance never cancel by more than there are channels. Limited by
// device memory: the input is read twice, the second time from the cache where it fits.
#include "compute/backends/nvidia/kernels/common/block_sum.cuh"
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/backends/nvidia/kernels/common/slice_sums.cuh"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <algorithm>

namespace heteroscope::compute::nvidia {
namespace {

struct Forward {
    const float *src, *gamma, *beta;
    float *dst, *mean, *scale;
    double epsilon;
};

struct Backward {
    const float *src, *dstGrad, *gamma, *mean, *scale;
    float* srcGrad;
};

/// 0 where it is not finite: what is not finite spreads by the sums alone.
__device__ double pivotOf(float first) {
    return isfinite(first) ? double(first) : 0.0;
}

struct Statistics {
    double mean;
    float scale;

    /// `sum`: of the distances to the pivot and of their squares.
    __device__ Statistics(const Pair& sum, double pivot, double count, double epsilon) {
        const double distance = sum.a / count, variance = sum.b / count - distance * distance;
        mean = pivot + distance;
        scale = float(1.0 / sqrt((variance < 0.0 ? 0.0 : variance) + epsilon)); // NaN stays
    }
};

/// What is subtracted from the gradients of one pixel.
struct Means {
    float gradient, product;
    __device__ Means(const Pair& sum, double count)
        : gradient(float(sum.a / count)), product(float(sum.b / count)) {}
};

/// Of one element: gradient times gamma, and that times the normalised input.
__device__ Pair slopeAt(const Backward& b, std::size_t i, unsigned channel, double mean, double scale) {
    const double slope = double(b.dstGrad[i]) * double(b.gamma[channel]);
    return {slope, slope * ((double(b.src[i]) - mean) * scale)};
}

__device__ void writeGradient(const Backward& b, std::size_t i, unsigned channel, float mean, float scale,
                              const Means& means) {
    const float normalised = (b.src[i] - mean) * scale;
    b.srcGrad[i] = scale * (b.dstGrad[i] * b.gamma[channel] - means.gradient - normalised * means.product);
}

/// Grid: x slices of a row, y rows (the grid's y extent is bounded, so blocks step over them).
struct RowWalk {
    unsigned rows, columns, slices;

    RowWalk(const Shape4& src, const DeviceLimits& device)
        : rows(static_cast<unsigned>(src.n)),
          columns(static_cast<unsigned>(src.c)),
          slices(sliceCount(src.n, src.c, kSumThreads * 4, device)) {}

    dim3 grid() const { return {slices, std::min(rows, 65535U)}; }
    /// Partial sums, and a pivot a row.
    std::size_t bytes() const { return slices == 1 ? 0 : std::size_t{rows} * (slices + 1) * sizeof(Pair); }

    template <class Function>
    __device__ void eachRow(Function f) const {
        for (unsigned row = blockIdx.y; row < rows; row += gridDim.y)
            f(row);
    }
    /// Calls f(index, column) for this thread's elements of a row.
    template <class Function>
    __device__ void each(unsigned row, Function f) const {
        for (unsigned c = blockIdx.x * kSumThreads + threadIdx.x; c < columns; c += slices * kSumThreads)
            f(std::size_t(row) * columns + c, c);
    }
    /// The block's sum of term(index, column).
    template <class Term>
    __device__ Pair sum(unsigned row, Term term) const {
        Pair all;
        each(row, [&](std::size_t i, unsigned c) { all.add(term(i, c)); });
        return blockSum(all);
    }
    __device__ Pair* slicesOf(Pair* partial, unsigned row) const {
        return partial + std::size_t(row) * slices;
    }
    __device__ Pair& pivot(Pair* partial, unsigned row) const {
        return partial[std::size_t(rows) * slices + row];
    }
};

__device__ Pair distances(const RowWalk& walk, unsigned row, const float* src, double pivot) {
    return walk.sum(row, [&](std::size_t i, unsigned) {
        const double distance = double(src[i]) - pivot;
        return Pair{distance, distance * distance};
    });
}

__global__ void __launch_bounds__(kSumThreads) rowSums(RowWalk walk, const float* src, Pair* partial) {
    walk.eachRow([&](unsigned row) {
        const double pivot = pivotOf(src[std::size_t(row) * walk.columns]);
        const Pair sum = distances(walk, row, src, pivot);
        if (threadIdx.x != 0)
            return;
        walk.slicesOf(partial, row)[blockIdx.x] = sum;
        if (blockIdx.x == 0)
            walk.pivot(partial, row) = {pivot, 0.0};
    });
}

/// `partial` is nullptr where a row is a block's own.
__global__ void __launch_bounds__(kSumThreads) normaliseRows(RowWalk walk, Forward f, Pair* partial) {
    walk.eachRow([&](unsigned row) {
        const double pivot =
            partial == nullptr ? pivotOf(f.src[std::size_t(row) * walk.columns]) : walk.pivot(partial, row).a;
        const Pair sum = partial == nullptr ? distances(walk, row, f.src, pivot)
                                            : blockSumOf(walk.slicesOf(partial, row), int(walk.slices));
        const Statistics of(sum, pivot, walk.columns, f.epsilon);
        walk.each(row, [&](std::size_t i, unsigned c) {
            f.dst[i] = fmaf(float(double(f.src[i]) - of.mean) * of.scale, f.gamma[c], f.beta[c]);
        });
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            f.mean[row] = float(of.mean);
            f.scale[row] = of.scale;
        }
    });
}

__device__ Pair slopes(const RowWalk& walk, unsigned row, const Backward& b) {
    const double mean = b.mean[row], scale = b.scale[row];
    return walk.sum(row, [&](std::size_t i, unsigned c) { return slopeAt(b, i, c, mean, scale); });
}

__global__ void __launch_bounds__(kSumThreads) slopeSums(RowWalk walk, Backward b, Pair* partial) {
    walk.eachRow([&](unsigned row) {
        const Pair sum = slopes(walk, row, b);
        if (threadIdx.x == 0)
            walk.slicesOf(partial, row)[blockIdx.x] = sum;
    });
}

__global__ void __launch_bounds__(kSumThreads) rowGradients(RowWalk walk, Backward b, Pair* partial) {
    walk.eachRow([&](unsigned row) {
        const Means means(partial == nullptr ? slopes(walk, row, b)
                                             : blockSumOf(walk.slicesOf(partial, row), int(walk.slices)),
                          walk.columns);
        const float mean = b.mean[row], scale = b.scale[row];
        walk.each(row, [&](std::size_t i, unsigned c) { writeGradient(b, i, c, mean, scale, means); });
    });
}

constexpr unsigned kPixels = 32, kGroups = kSumThreads / kPixels;

/// A warp's lanes are neighbouring pixels; the block's warps share the channels.
struct PixelWalk {
    unsigned channels, pixels;
    FastDivision plane;

    explicit PixelWalk(const Shape4& src)
        : channels(static_cast<unsigned>(src.c)),
          pixels(static_cast<unsigned>(src.n * src.h * src.w)),
          plane(src.h * src.w) {}

    unsigned blocks() const { return (pixels + kPixels - 1) / kPixels; }

    __device__ unsigned pixel() const { return blockIdx.x * kPixels + threadIdx.x; }
    /// Of the pixel's first channel.
    __device__ std::size_t first() const {
        unsigned inPlane = min(pixel(), pixels - 1);
        const unsigned image = plane.split(inPlane);
        return std::size_t(image) * channels * plane.divisor + inPlane;
    }
    /// Calls f(index, channel) for this thread's channels.
    template <class Function>
    __device__ void each(Function f) const {
        const std::size_t start = first();
        for (unsigned c = threadIdx.y; c < channels; c += kGroups)
            f(start + std::size_t(c) * plane.divisor, c);
    }
    /// The sum over the channels of the pixel, in each of its threads. Every thread of the block calls it.
    template <class Term>
    __device__ Pair sum(Term term) const {
        __shared__ Pair ofGroups[kGroups][kPixels];
        Pair own;
        each([&](std::size_t i, unsigned c) { own.add(term(i, c)); });
        ofGroups[threadIdx.y][threadIdx.x] = own;
        __syncthreads();
        Pair all;
        for (unsigned group = 0; group < kGroups; ++group)
            all.add(ofGroups[group][threadIdx.x]);
        return all;
    }
};

__global__ void __launch_bounds__(kSumThreads) normalisePixels(PixelWalk walk, Forward f) {
    const double pivot = pivotOf(f.src[walk.first()]);
    const Pair sum = walk.sum([&](std::size_t i, unsigned) {
        const double distance = double(f.src[i]) - pivot;
        return Pair{distance, distance * distance};
    });
    if (walk.pixel() >= walk.pixels)
        return;
    const Statistics of(sum, pivot, walk.channels, f.epsilon);
    walk.each([&](std::size_t i, unsigned c) {
        f.dst[i] = fmaf(float(double(f.src[i]) - of.mean) * of.scale, f.gamma[c], f.beta[c]);
    });
    if (threadIdx.y == 0) {
        f.mean[walk.pixel()] = float(of.mean);
        f.scale[walk.pixel()] = of.scale;
    }
}

__global__ void __launch_bounds__(kSumThreads) pixelGradients(PixelWalk walk, Backward b) {
    const unsigned pixel = min(walk.pixel(), walk.pixels - 1);
    const float mean = b.mean[pixel], scale = b.scale[pixel];
    const Means means(
        walk.sum([&](std::size_t i, unsigned c) { return slopeAt(b, i, c, double(mean), double(scale)); }),
        walk.channels);
    if (walk.pixel() < walk.pixels)
        walk.each([&](std::size_t i, unsigned c) { writeGradient(b, i, c, mean, scale, means); });
}

/// Of one element: gradient times the normalised input, and the gradient.
__device__ Pair shareOf(const Backward& b, std::size_t i, unsigned pixel) {
    const double gradient = b.dstGrad[i];
    return {gradient * ((double(b.src[i]) - double(b.mean[pixel])) * double(b.scale[pixel])), gradient};
}

/// Gradients of gamma and beta: a thread a column, so that neighbours read neighbours; y slices of the rows.
__global__ void __launch_bounds__(kSumThreads)
    columnSums(Backward b, unsigned rows, unsigned columns, SlicedSums sums) {
    const unsigned column = blockIdx.x * kSumThreads + threadIdx.x;
    if (column >= columns)
        return;
    Pair sum;
    for (unsigned row = blockIdx.y; row < rows; row += gridDim.y)
        sum.add(shareOf(b, std::size_t(row) * columns + column, row));
    sums.put(blockIdx.y, column, sum);
}

/// The same of planes: x channels (a grid's x extent is large enough), y slices of a channel's pixels.
__global__ void __launch_bounds__(kSumThreads)
    channelSums(Backward b, unsigned pixels, unsigned channels, FastDivision plane, SlicedSums sums) {
    const unsigned channel = blockIdx.x;
    Pair sum;
    for (unsigned i = blockIdx.y * kSumThreads + threadIdx.x; i < pixels; i += gridDim.y * kSumThreads) {
        unsigned inPlane = i;
        const unsigned image = plane.split(inPlane);
        sum.add(shareOf(b, (std::size_t(image) * channels + channel) * plane.divisor + inPlane, i));
    }
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        sums.put(blockIdx.y, channel, sum);
}

bool isRows(const Shape4& src) {
    return src.h * src.w == 1;
}

unsigned columnBlocks(const Shape4& src) {
    return static_cast<unsigned>((src.c + kSumThreads - 1) / kSumThreads);
}

unsigned parameterSlices(const Shape4& src, const DeviceLimits& device) {
    return isRows(src) ? sliceCount(columnBlocks(src), src.n, 16, device)
                       : sliceCount(src.c, src.n * src.h * src.w, kSumThreads * 4, device);
}

cudaError_t launchParameters(const Shape4& src, const Backward& b, const KernelOperands& o) {
    const unsigned slices = parameterSlices(src, o.device), channels = unsigned(src.c);
    const SlicedSums sums(src.c, slices, o.dst[1], o.dst[2], o.workspace);
    if (isRows(src))
        columnSums<<<dim3(columnBlocks(src), slices), kSumThreads, 0, o.stream>>>(b, unsigned(src.n),
                                                                                  channels, sums);
    else
        channelSums<<<dim3(channels, slices), kSumThreads, 0, o.stream>>>(
            b, unsigned(src.n * src.h * src.w), channels, FastDivision(src.h * src.w), sums);
    return launchSliceSums(sums, o.stream);
}

} // namespace

std::size_t workspaceOf(const LayerNormForward& op, const DeviceLimits& device) {
    return isRows(op.src) ? RowWalk(op.src, device).bytes() : 0;
}

std::size_t workspaceOf(const LayerNormBackward& op, const DeviceLimits& device) {
    const std::size_t rows = isRows(op.src) ? RowWalk(op.src, device).bytes() : 0;
    return std::max(rows, SlicedSums::bytes(op.src.c, parameterSlices(op.src, device)));
}

cudaError_t launch(const LayerNormForward& op, const KernelOperands& o) {
    const Forward forward{o.src[0], o.src[1], o.src[2], o.dst[0], o.dst[1], o.dst[2], op.epsilon};
    if (!isRows(op.src)) {
        const PixelWalk walk(op.src);
        normalisePixels<<<walk.blocks(), dim3(kPixels, kGroups), 0, o.stream>>>(walk, forward);
        return cudaGetLastError();
    }
    const RowWalk walk(op.src, o.device);
    auto* partial = walk.slices == 1 ? nullptr : static_cast<Pair*>(o.workspace);
    if (partial != nullptr)
        rowSums<<<walk.grid(), kSumThreads, 0, o.stream>>>(walk, o.src[0], partial);
    normaliseRows<<<walk.grid(), kSumThreads, 0, o.stream>>>(walk, forward, partial);
    return cudaGetLastError();
}

/// The workspace is used twice, one after the other.
cudaError_t launch(const LayerNormBackward& op, const KernelOperands& o) {
    const Backward backward{o.src[0], o.src[1], o.src[2], o.src[3], o.src[4], o.dst[0]};
    if (isRows(op.src)) {
        const RowWalk walk(op.src, o.device);
        auto* partial = walk.slices == 1 ? nullptr : static_cast<Pair*>(o.workspace);
        if (partial != nullptr)
            slopeSums<<<walk.grid(), kSumThreads, 0, o.stream>>>(walk, backward, partial);
        rowGradients<<<walk.grid(), kSumThreads, 0, o.stream>>>(walk, backward, partial);
    } else {
        const PixelWalk walk(op.src);
        pixelGradients<<<walk.blocks(), dim3(kPixels, kGroups), 0, o.stream>>>(walk, backward);
    }
    return launchParameters(op.src, backward, o);
}

} // namespace heteroscope::compute::nvidia
