// SPDX-License-Identifier: Apache-2.0
// Batch normalisation: sums of each channel in double precision (so that the variance may come from the sum
// of squares), then one pass that writes. Limited by device memory: the input is read twice.
#include "compute/backends/nvidia/kernels/common/map_arrays.cuh"
#include "compute/backends/nvidia/kernels/network_kernels.h"
#include "compute/backends/nvidia/kernels/norm/channel_walk.cuh"

namespace heteroscope::compute::nvidia {
namespace {

__global__ void __launch_bounds__(kSumThreads) sums(ChannelWalk walk, const float* src, Pair* partial) {
    walk.eachChannel([&](unsigned channel) {
        Pair sum;
        walk.each(channel, [&](unsigned i) {
            const double value = src[i];
            sum.add({value, value * value});
        });
        sum = blockSum(sum);
        if (threadIdx.x == 0)
            partial[channel * walk.slices + blockIdx.x] = sum;
    });
}

struct Training {
    const float *src, *gamma, *beta, *oldMean, *oldVariance;
    float *dst, *mean, *scale, *runningMean, *runningVariance;
    double epsilon, momentum;
};

__global__ void __launch_bounds__(kSumThreads) normalise(ChannelWalk walk, Training t, const Pair* partial) {
    walk.eachChannel([&](unsigned channel) {
        const Pair sum = blockSumOf(partial + channel * walk.slices, int(walk.slices));
        const double count = walk.count, mean = sum.a / count;
        const double variance = fmax(sum.b / count - mean * mean, 0.0);
        const double scale = 1.0 / sqrt(variance + t.epsilon);
        const float slope = float(double(t.gamma[channel]) * scale), shift = t.beta[channel];
        walk.each(channel,
                  [&](unsigned i) { t.dst[i] = fmaf(float(double(t.src[i]) - mean), slope, shift); });
        if (blockIdx.x != 0 || threadIdx.x != 0)
            return;
        const auto blend = [&](float old, double now) {
            return float((1.0 - t.momentum) * double(old) + t.momentum * now);
        };
        t.mean[channel] = float(mean);
        t.scale[channel] = float(scale);
        t.runningMean[channel] = blend(t.oldMean[channel], mean);
        t.runningVariance[channel] = blend(t.oldVariance[channel], variance * count / (count - 1.0));
    });
}

struct Gradient {
    const float *src, *dstGrad, *gamma, *mean, *scale;
    float *srcGrad, *gammaGrad, *betaGrad;
};

__global__ void __launch_bounds__(kSumThreads) gradientSums(ChannelWalk walk, Gradient g, Pair* partial) {
    walk.eachChannel([&](unsigned channel) {
        const double mean = g.mean[channel], scale = g.scale[channel];
        Pair sum;
        walk.each(channel, [&](unsigned i) {
            const double gradient = g.dstGrad[i];
            sum.add({gradient, gradient * ((double(g.src[i]) - mean) * scale)});
        });
        sum = blockSum(sum);
        if (threadIdx.x == 0)
            partial[channel * walk.slices + blockIdx.x] = sum;
    });
}

__global__ void __launch_bounds__(kSumThreads)
    inputGradient(ChannelWalk walk, Gradient g, const Pair* partial) {
    walk.eachChannel([&](unsigned channel) {
        const Pair sum = blockSumOf(partial + channel * walk.slices, int(walk.slices));
        const float mean = g.mean[channel], scale = g.scale[channel], slope = g.gamma[channel] * scale;
        const float ofGradient = float(sum.a / walk.count), ofProduct = float(sum.b / walk.count);
        walk.each(channel, [&](unsigned i) {
            const float normalised = (g.src[i] - mean) * scale;
            g.srcGrad[i] = slope * (g.dstGrad[i] - ofGradient - normalised * ofProduct);
        });
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            g.gammaGrad[channel] = float(sum.b);
            g.betaGrad[channel] = float(sum.a);
        }
    });
}

/// `first` is the first of four elements, which may lie in different channels.
struct Infer {
    const float *gamma, *beta, *mean, *variance;
    double epsilon;
    FastDivision plane, channels;
    unsigned elements;

    __device__ void operator()(unsigned first, const float (&x)[1][4], float (&y)[1][4]) const {
        unsigned known = ~0U;
        float slope = 0, centre = 0, shift = 0;
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            unsigned channel = plane.quotient(min(first + i, elements - 1));
            if (channel != known) {
                known = channel;
                channels.split(channel);
                slope = float(double(gamma[channel]) / sqrt(double(variance[channel]) + epsilon));
                centre = mean[channel];
                shift = beta[channel];
            }
            y[0][i] = fmaf(x[0][i] - centre, slope, shift);
        }
    }
};

} // namespace

std::size_t workspaceOf(const BatchNormTrain& op, const DeviceLimits& device) {
    return ChannelWalk(op.src, device).partialBytes();
}

std::size_t workspaceOf(const BatchNormBackward& op, const DeviceLimits& device) {
    return ChannelWalk(op.src, device).partialBytes();
}

cudaError_t launch(const BatchNormTrain& op, const KernelOperands& o) {
    const ChannelWalk walk(op.src, o.device);
    auto* partial = static_cast<Pair*>(o.workspace);
    const Training training{o.src[0], o.src[1], o.src[2], o.src[3], o.src[4],   o.dst[0],
                            o.dst[1], o.dst[2], o.dst[3], o.dst[4], op.epsilon, op.momentum};
    sums<<<walk.grid(), kSumThreads, 0, o.stream>>>(walk, o.src[0], partial);
    normalise<<<walk.grid(), kSumThreads, 0, o.stream>>>(walk, training, partial);
    return cudaGetLastError();
}

cudaError_t launch(const BatchNormInfer& op, const KernelOperands& o) {
    const std::int64_t elements = op.src.elements().value_or(0);
    return launchMap<1, 1>({{o.src[0]}, {o.dst[0]}}, elements,
                           Infer{o.src[1], o.src[2], o.src[3], o.src[4], op.epsilon,
                                 FastDivision(op.src.h * op.src.w), FastDivision(op.src.c),
                                 unsigned(elements)},
                           o.stream);
}

cudaError_t launch(const BatchNormBackward& op, const KernelOperands& o) {
    const ChannelWalk walk(op.src, o.device);
    auto* partial = static_cast<Pair*>(o.workspace);
    const Gradient gradient{o.src[0], o.src[1], o.src[2], o.src[3], o.src[4], o.dst[0], o.dst[1], o.dst[2]};
    gradientSums<<<walk.grid(), kSumThreads, 0, o.stream>>>(walk, gradient, partial);
    inputGradient<<<walk.grid(), kSumThreads, 0, o.stream>>>(walk, gradient, partial);
    return cudaGetLastError();
}

} // namespace heteroscope::compute::nvidia
