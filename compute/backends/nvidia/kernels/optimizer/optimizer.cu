// SPDX-License-Identifier: Apache-2.0
// Steps of the optimisers over a whole arena of weights. Limited by device memory.
#include "compute/backends/nvidia/kernels/common/map_arrays.cuh"
#include "compute/backends/nvidia/kernels/network_kernels.h"

namespace heteroscope::compute::nvidia {
namespace {

struct PlainSgd {
    const float* hyper;
    float weightDecay;

    __device__ void operator()(unsigned, const float (&x)[2][4], float (&y)[1][4]) const {
        const float rate = hyper[0];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            y[0][i] = x[0][i] - rate * fmaf(weightDecay, x[0][i], x[1][i]);
    }
};

struct MomentumSgd {
    const float* hyper;
    float weightDecay, momentum;
    bool nesterov;

    __device__ void operator()(unsigned, const float (&x)[3][4], float (&y)[2][4]) const {
        const float rate = hyper[0];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float gradient = fmaf(weightDecay, x[0][i], x[1][i]);
            const float velocity = fmaf(momentum, x[2][i], gradient);
            const float step = nesterov ? fmaf(momentum, velocity, gradient) : velocity;
            y[0][i] = x[0][i] - rate * step;
            y[1][i] = velocity;
        }
    }
};

struct AdamStep {
    const float* hyper;
    float weightDecay, beta1, beta2, rest1, rest2, epsilon;

    __device__ void operator()(unsigned, const float (&x)[4][4], float (&y)[3][4]) const {
        const float rate = hyper[0], c1 = hyper[1], c2 = hyper[2];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float gradient = fmaf(weightDecay, x[0][i], x[1][i]);
            const float m = fmaf(beta1, x[2][i], rest1 * gradient);
            const float v = fmaf(beta2, x[3][i], rest2 * gradient * gradient);
            y[0][i] = x[0][i] - rate * (m * c1) / (sqrtf(v * c2) + epsilon);
            y[1][i] = m;
            y[2][i] = v;
        }
    }
};

} // namespace

cudaError_t launch(const Sgd& op, const KernelOperands& o) {
    const auto decay = static_cast<float>(op.weightDecay);
    if (op.momentum == 0.0)
        return launchMap<2, 1>({{o.src[0], o.src[1]}, {o.dst[0]}}, op.elements, PlainSgd{o.src[2], decay},
                               o.stream);
    return launchMap<3, 2>({{o.src[0], o.src[1], o.src[3]}, {o.dst[0], o.dst[1]}}, op.elements,
                           MomentumSgd{o.src[2], decay, static_cast<float>(op.momentum), op.nesterov},
                           o.stream);
}

cudaError_t launch(const Adam& op, const KernelOperands& o) {
    const AdamStep step{o.src[2],
                        static_cast<float>(op.weightDecay),
                        static_cast<float>(op.beta1),
                        static_cast<float>(op.beta2),
                        static_cast<float>(1.0 - op.beta1),
                        static_cast<float>(1.0 - op.beta2),
                        static_cast<float>(op.epsilon)};
    return launchMap<4, 3>({{o.src[0], o.src[1], o.src[3], o.src[4]}, {o.dst[0], o.dst[1], o.dst[2]}},
                           op.elements, step, o.stream);
}

} // namespace heteroscope::compute::nvidia
