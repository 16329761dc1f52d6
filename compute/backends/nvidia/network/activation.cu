// SPDX-License-Identifier: Apache-2.0
// Activations. Limited by device memory: 8 bytes an element forward, 12 backward.
#include "compute/backends/nvidia/network/map_arrays.cuh"
#include "compute/backends/nvidia/network/network_kernels.h"

namespace heteroscope::compute::nvidia {
namespace {

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
    }
    __device__ void operator()(unsigned, const float (&x)[2][4], float (&y)[1][4]) const {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            y[0][i] = of(x[0][i], x[1][i]);
    }
};

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
    case HardSwish:
    case HardSigmoid:
        return cudaErrorNotSupported;
    }
    return cudaErrorInvalidValue;
}

} // namespace

bool hasActivationKernel(ActivationKind kind) {
    using enum ActivationKind;
    return kind != Gelu && kind != HardSwish && kind != HardSigmoid;
}

cudaError_t launch(const ActivationForward& op, const KernelOperands& o) {
    return launchKind<Forward, 1>(op, {{o.src[0]}, {o.dst[0]}}, o.stream);
}

cudaError_t launch(const ActivationBackward& op, const KernelOperands& o) {
    return launchKind<Backward, 2>(op, {{o.src[0], o.src[1]}, {o.dst[0]}}, o.stream);
}

} // namespace heteroscope::compute::nvidia
