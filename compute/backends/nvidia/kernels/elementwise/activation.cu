// SPDX-License-Identifier: Apache-2.0
// Activations. Limited by device memory: 8 bytes an element forward, 12 backward.
#include "compute/backends/nvidia/kernels/common/map_arrays.cuh"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <iterator>

namespace heteroscope::compute::nvidia {
namespace {

/// Between 0 and `most`; NaN of NaN.
__device__ float clamped(float x, float most) {
    return x < 0.0F ? 0.0F : x > most ? most : x;
}

/// The share of a standard normal distribution that lies below x, and its density at x.
__device__ float normalDistribution(float x) {
    constexpr float kInverseRootOfTwo = 0.707106781F;
    return 0.5F * erfcf(-x * kInverseRootOfTwo);
}
__device__ float normalDensity(float x) {
    constexpr float kInverseRootOfTwoPi = 0.398942280F;
    return kInverseRootOfTwoPi * expf(-0.5F * x * x);
}

template <ActivationKind Kind>
struct Forward {
    double slope;

    __device__ float of(float x) const {
        if constexpr (Kind == ActivationKind::Relu)
            return x < 0.0F ? 0.0F : x;
        else if constexpr (Kind == ActivationKind::Relu6)
            return x < 0.0F ? 0.0F : x > 6.0F ? 6.0F : x;
        else if constexpr (Kind == ActivationKind::LeakyRelu)
            return x < 0.0F ? static_cast<float>(slope * static_cast<double>(x)) : x;
        else if constexpr (Kind == ActivationKind::Sigmoid)
            return 1.0F / (1.0F + expf(-x));
        else if constexpr (Kind == ActivationKind::Tanh)
            return tanhf(x);
        else if constexpr (Kind == ActivationKind::Gelu)
            return x * normalDistribution(x);
        else if constexpr (Kind == ActivationKind::HardSwish)
            return x * (clamped(x + 3.0F, 6.0F) / 6.0F);
        else if constexpr (Kind == ActivationKind::HardSigmoid)
            return clamped(x / 6.0F + 0.5F, 1.0F);
    }
    __device__ void operator()(unsigned, const float (&x)[1][4], float (&y)[1][4]) const {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            y[0][i] = of(x[0][i]);
    }
};

template <ActivationKind Kind>
struct Backward {
    double slope;

    /// `y`: the forward's result, or its input where derivativeReadsInput().
    __device__ float of(float y, float gradient) const {
        if constexpr (Kind == ActivationKind::Relu)
            return (y > 0.0F ? 1.0F : 0.0F) * gradient;
        else if constexpr (Kind == ActivationKind::Relu6)
            return (y > 0.0F && y < 6.0F ? 1.0F : 0.0F) * gradient;
        else if constexpr (Kind == ActivationKind::LeakyRelu)
            return y > 0.0F ? gradient : static_cast<float>(slope * static_cast<double>(gradient));
        else if constexpr (Kind == ActivationKind::Sigmoid)
            return y * (1.0F - y) * gradient;
        else if constexpr (Kind == ActivationKind::Tanh)
            return (1.0F - y) * (1.0F + y) * gradient;
        else if constexpr (Kind == ActivationKind::Gelu)
            return (normalDistribution(y) + y * normalDensity(y)) * gradient;
        else if constexpr (Kind == ActivationKind::HardSwish)
            return (y <= -3.0F ? 0.0F : y >= 3.0F ? 1.0F : y / 3.0F + 0.5F) * gradient;
        else if constexpr (Kind == ActivationKind::HardSigmoid)
            return (y > -3.0F && y < 3.0F ? 1.0F / 6.0F : 0.0F) * gradient;
    }
    __device__ void operator()(unsigned, const float (&x)[2][4], float (&y)[1][4]) const {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            y[0][i] = of(x[0][i], x[1][i]);
    }
};

static_assert(std::size(kActivations) == 8,
              "a new kind has a function in Forward and Backward, and a case below");

template <template <ActivationKind> class Function, int Inputs, class Operation>
cudaError_t launchKind(const Operation& op, const MappedArrays<Inputs, 1>& arrays, cudaStream_t stream) {
    using enum ActivationKind;
    switch (op.kind) {
    case Relu:
        return launchMap(arrays, op.elements, Function<Relu>{op.slope}, stream);
    case Relu6:
        return launchMap(arrays, op.elements, Function<Relu6>{op.slope}, stream);
    case LeakyRelu:
        return launchMap(arrays, op.elements, Function<LeakyRelu>{op.slope}, stream);
    case Sigmoid:
        return launchMap(arrays, op.elements, Function<Sigmoid>{op.slope}, stream);
    case Tanh:
        return launchMap(arrays, op.elements, Function<Tanh>{op.slope}, stream);
    case Gelu:
        return launchMap(arrays, op.elements, Function<Gelu>{op.slope}, stream);
    case HardSwish:
        return launchMap(arrays, op.elements, Function<HardSwish>{op.slope}, stream);
    case HardSigmoid:
        return launchMap(arrays, op.elements, Function<HardSigmoid>{op.slope}, stream);
    }
    return cudaErrorInvalidValue;
}

} // namespace

cudaError_t launch(const ActivationForward& op, const KernelOperands& o) {
    return launchKind<Forward, 1>(op, {{o.src[0]}, {o.dst[0]}}, o.stream);
}

cudaError_t launch(const ActivationBackward& op, const KernelOperands& o) {
    return launchKind<Backward, 2>(op, {{o.src[0], o.src[1]}, {o.dst[0]}}, o.stream);
}

} // namespace heteroscope::compute::nvidia
