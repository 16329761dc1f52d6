// SPDX-License-Identifier: Apache-2.0
// What is done with each result of a product before it is written: the operations that follow it in a
// network.
#pragma once

#include <cstddef>

namespace heteroscope::compute::nvidia {

enum class Clamp { None, Relu, Relu6 };

/// In this order, each where it is given: bias, batch normalisation with given statistics, a sum, an
/// activation, the derivative of a ReLU. Channels count from the group's first.
struct Epilogue {
    const float* bias = nullptr;
    const float *gamma = nullptr, *beta = nullptr, *mean = nullptr, *variance = nullptr; ///< all or none
    float epsilon = 0;
    const float* sum = nullptr; ///< as the result lies
    Clamp clamp = Clamp::None;
    const float* mask = nullptr; ///< as the result lies: it passes where this is above 0

#ifdef __CUDACC__
    __device__ void select(unsigned channels) {
        if (bias != nullptr)
            bias += channels;
        if (gamma != nullptr)
            gamma += channels, beta += channels, mean += channels, variance += channels;
    }
    __device__ float of(float value, unsigned channel, std::size_t index) const {
        if (bias != nullptr)
            value += bias[channel];
        if (gamma != nullptr)
            value = fmaf(value - mean[channel], gamma[channel] / sqrtf(variance[channel] + epsilon),
                         beta[channel]);
        if (sum != nullptr)
            value += sum[index];
        if (clamp != Clamp::None)
            value = value < 0.0F ? 0.0F : value;
        if (clamp == Clamp::Relu6)
            value = value > 6.0F ? 6.0F : value;
        if (mask != nullptr)
            value = mask[index] > 0.0F ? value : 0.0F;
        return value;
    }
#endif
};

} // namespace heteroscope::compute::nvidia
