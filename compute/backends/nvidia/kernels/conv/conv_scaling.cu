// SPDX-License-Identifier: Apache-2.0
// Results are taken in the order of memory, whatever rows and planes they belong to, so that every access is
// to whole lines. Limited by memory; with several planes a group by the caches, which answer all but the
// first reading of an operand.
#include "compute/backends/nvidia/kernels/conv/conv_scaling.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 256;
constexpr int kResults = 4; ///< of a thread
constexpr int kMostOperands = 16;

/// "Operands" are the planes that are read, "results" those that are written.
struct ScalingProblem {
    FastDivision resultPlane, resultRow, resultsOfImage, results; ///< results: of a group
    unsigned elements;                                            ///< of the result
    unsigned operandsOfImage, operands;                           ///< operands: of a group
    unsigned operandPlane;
    int height, width; ///< of the operand
    int strideH, strideW, top, left;
    FastDivision everyRow, everyColumn;   ///< of a gradient, whose other rows and columns are zeros
    unsigned operandStride, resultStride; ///< in the weights
    unsigned groupStride;
    bool plain; ///< an operand's pixel lies in its plane where the result's does

    /// Each result is an operand's element times a weight.
    bool isElementwise() const { return plain && operands == 1 && results.divisor == 1; }
};

/// A result's plane: which one of the batch, of its image, and of its group.
struct ResultPlane {
    unsigned ofBatch, ofImage, inGroup, group, image;

    __device__ ResultPlane(const ScalingProblem& p, unsigned plane) : ofBatch(plane), ofImage(plane) {
        image = p.resultsOfImage.split(ofImage);
        inGroup = ofImage;
        group = p.results.split(inGroup);
    }
    __device__ const float* weights(const ScalingProblem& p, const float* all) const {
        return all + std::size_t(group) * p.groupStride + inGroup * p.resultStride;
    }
};

/// A thread takes four results that lie together, mostly of one plane.
__global__ void __launch_bounds__(kThreads)
    scale(const ScalingProblem p, const float* src, const float* weights, Epilogue epilogue, float* dst) {
    const unsigned first = (blockIdx.x * kThreads + threadIdx.x) * kResults;
    if (first >= p.elements)
        return;
    unsigned within = first;
    const unsigned plane = p.resultPlane.split(within);
    if (within + kResults <= p.resultPlane.divisor && first + kResults <= p.elements) {
        const ResultPlane one(p, plane);
        const Epilogue::OfChannel channel = epilogue.ofChannel(one.ofImage);
        const float4 in = *reinterpret_cast<const float4*>(src + first);
        const float w = *one.weights(p, weights);
        *reinterpret_cast<float4*>(dst + first) =
            make_float4(epilogue.of(in.x * w, channel, first), epilogue.of(in.y * w, channel, first + 1),
                        epilogue.of(in.z * w, channel, first + 2), epilogue.of(in.w * w, channel, first + 3));
        return;
    }
    for (unsigned i = first; i < min(first + kResults, p.elements); ++i) {
        const ResultPlane one(p, p.resultPlane.quotient(i));
        dst[i] = epilogue.of(src[i] * *one.weights(p, weights), one.ofImage, i);
    }
}

/// Of a gradient: which row or column of the operand reaches this one; -1: none.
template <bool Gradient>
__device__ int operandAt(int result, int stride, int padding, const FastDivision& every, int extent) {
    if constexpr (Gradient)
        return ConvGeometry::outputOver(result + padding, every, extent);
    const int at = result * stride - padding;
    return unsigned(at) < unsigned(extent) ? at : -1;
}

/// A thread takes four results, a block's width apart.
template <bool Gradient>
__global__ void __launch_bounds__(kThreads)
    combine(const ScalingProblem p, const float* src, const float* weights, Epilogue epilogue, float* dst) {
    const unsigned first = blockIdx.x * (kThreads * kResults) + threadIdx.x;
    const float *from[kResults], *w[kResults];
    unsigned channels[kResults];
    float sums[kResults] = {};
#pragma unroll
    for (int r = 0; r < kResults; ++r) {
        unsigned x = min(first + r * kThreads, p.elements - 1);
        const ResultPlane plane(p, p.resultPlane.split(x));
        const std::size_t operand =
            std::size_t(plane.image * p.operandsOfImage + plane.group * p.operands) * p.operandPlane;
        channels[r] = plane.ofImage;
        w[r] = plane.weights(p, weights);
        if (p.plain) {
            from[r] = src + operand + x;
        } else {
            const int y = int(p.resultRow.split(x));
            const int row = operandAt<Gradient>(y, p.strideH, p.top, p.everyRow, p.height);
            const int column = operandAt<Gradient>(int(x), p.strideW, p.left, p.everyColumn, p.width);
            from[r] = (row | column) >= 0 ? src + operand + unsigned(row * p.width + column) : nullptr;
        }
    }
    bool reached = false; // of a gradient, whole rows are not
#pragma unroll
    for (int r = 0; r < kResults; ++r)
        reached = reached || from[r] != nullptr;
#pragma unroll 2
    for (unsigned i = 0; reached && i < p.operands; ++i) {
        float in[kResults];
#pragma unroll
        for (int r = 0; r < kResults; ++r)
            in[r] = from[r] != nullptr ? from[r][std::size_t(i) * p.operandPlane] : 0.0F;
#pragma unroll
        for (int r = 0; r < kResults; ++r)
            sums[r] = fmaf(in[r], w[r][i * p.operandStride], sums[r]);
    }
#pragma unroll
    for (int r = 0; r < kResults; ++r)
        if (const unsigned index = first + r * kThreads; index < p.elements)
            dst[index] = epilogue.of(sums[r], channels[r], index);
}

bool isPlain(const ConvGeometry& g) {
    return g.strideH == 1 && g.strideW == 1 && g.top == 0 && g.left == 0 && g.outHeight == g.height &&
           g.outWidth == g.width;
}

ScalingProblem forwardProblem(const ConvGeometry& g) {
    return {g.outPlane,
            g.outRow,
            FastDivision(g.filters),
            FastDivision(g.groupFilters),
            unsigned(g.outPixels() * g.filters),
            unsigned(g.channels),
            unsigned(g.groupChannels),
            g.plane.divisor,
            g.height,
            g.width,
            g.strideH,
            g.strideW,
            g.top,
            g.left,
            {},
            {},
            1,
            unsigned(g.groupChannels),
            unsigned(g.groupChannels) * unsigned(g.groupFilters),
            isPlain(g)};
}

ScalingProblem dataProblem(const ConvGeometry& g) {
    return {g.plane,
            g.row,
            FastDivision(g.channels),
            FastDivision(g.groupChannels),
            unsigned(g.pixels() * g.channels),
            unsigned(g.filters),
            unsigned(g.groupFilters),
            g.outPlane.divisor,
            g.outHeight,
            g.outWidth,
            1,
            1,
            g.top,
            g.left,
            g.overStrideH,
            g.overStrideW,
            unsigned(g.groupChannels),
            1,
            unsigned(g.groupChannels) * unsigned(g.groupFilters),
            isPlain(g)};
}

bool isAligned(const float* to) {
    return reinterpret_cast<std::uintptr_t>(to) % sizeof(float4) == 0;
}

template <bool Gradient>
cudaError_t launchScaling(const ScalingProblem& p, const Epilogue& epilogue, const KernelOperands& o) {
    const std::int64_t blocks = (std::int64_t{p.elements} + kThreads * kResults - 1) / (kThreads * kResults);
    const auto start = [&](auto* kernel) {
        kernel<<<unsigned(blocks), kThreads, 0, o.stream>>>(p, o.src[0], o.src[1], epilogue, o.dst[0]);
    };
    if (p.isElementwise() && isAligned(o.src[0]) && isAligned(o.dst[0]))
        start(scale);
    else
        start(combine<Gradient>);
    return cudaGetLastError();
}

std::string_view refusalOf(const ConvGeometry& g, int operands) {
    if (g.windowElements() != 1)
        return "it takes 1x1 kernels";
    return operands > kMostOperands ? "it takes groups that read at most 16 planes" : std::string_view();
}

/// Fitted to 19 convolutions and gradients on an H100, scaled to 40 others.
double expectedCycles(const ScalingProblem& p, double megabytes, const DeviceLimits& device) {
    const double threads = double(p.elements) / kResults / 128 / device.multiprocessors;
    const double rows = p.everyRow.divisor; // of which one is reached
    const double issued = threads * (p.isElementwise() ? 40 : 440 + 140.0 * p.operands / rows);
    return (rows > 1 ? 1.1 : 0.8) * (3140 + std::max(issued, 600 * megabytes) + 277.0 * p.operands);
}

} // namespace

std::string_view scalingForwardRefusal(const ConvGeometry& g) {
    return refusalOf(g, g.groupChannels);
}

std::string_view scalingDataRefusal(const ConvGeometry& g) {
    return refusalOf(g, g.groupFilters);
}

double scalingForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return scalingForwardRefusal(g).empty() ? expectedCycles(forwardProblem(g), g.operandMegabytes(), device)
                                            : std::numeric_limits<double>::infinity();
}

double scalingDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return scalingDataRefusal(g).empty() ? expectedCycles(dataProblem(g), g.operandMegabytes(), device)
                                         : std::numeric_limits<double>::infinity();
}

cudaError_t scalingForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchScaling<false>(forwardProblem(g), epilogue, o);
}

cudaError_t scalingBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchScaling<true>(dataProblem(g), epilogue, o);
}

} // namespace heteroscope::compute::nvidia
