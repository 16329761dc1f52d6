// SPDX-License-Identifier: Apache-2.0
// What is done with each result of a product before it is written: the operations that follow it in a
// network.
#pragma once

#include <cstddef>

namespace heteroscope::compute::nvidia {

enum class Clamp { None, Relu, Relu6 };

/// The result is the gradient of 2x2 maxima and is passed on to what they were taken of: planes of `height` x
/// `width`, in an order of planes that is the result's.
struct Unpooling {
    const float* values = nullptr; ///< what they were taken of; nullptr: nothing was pooled
    int height = 0, width = 0;
    bool relu = false; ///< and those are results of a ReLU, whose gradient is wanted
};

/// In this order, each where it is given: bias, batch normalisation with given statistics, a sum, an
/// activation, the derivative of a ReLU. Channels count from the group's first.
struct Epilogue {
    const float* bias = nullptr;
    const float *gamma = nullptr, *beta = nullptr, *mean = nullptr, *variance = nullptr; ///< all or none
    float epsilon = 0;
    const float* sum = nullptr; ///< as the result lies
    Clamp clamp = Clamp::None;
    const float* mask = nullptr; ///< as the result lies: it passes where this is above 0
    Unpooling unpooling;         ///< only of the kernels that unpoolsAfter() names, and not beside a mask

    /// Of results that begin so many elements later.
    Epilogue from(std::size_t elements) const {
        Epilogue later = *this;
        if (later.sum != nullptr)
            later.sum += elements;
        if (later.mask != nullptr)
            later.mask += elements;
        return later;
    }

#ifdef __CUDACC__
    __device__ void select(unsigned channels) {
        if (bias != nullptr)
            bias += channels;
        if (gamma != nullptr)
            gamma += channels, beta += channels, mean += channels, variance += channels;
    }
    /// What is the same for all results of a channel.
    struct OfChannel {
        float bias, mean, scale, beta;
    };
    __device__ OfChannel ofChannel(unsigned channel) const {
        OfChannel c{};
        if (bias != nullptr)
            c.bias = bias[channel];
        if (gamma != nullptr) {
            c.mean = mean[channel], c.beta = beta[channel];
            c.scale = gamma[channel] / sqrtf(variance[channel] + epsilon);
        }
        return c;
    }
    __device__ float of(float value, const OfChannel& c, std::size_t index) const {
        if (bias != nullptr)
            value += c.bias;
        if (gamma != nullptr)
            value = fmaf(value - c.mean, c.scale, c.beta);
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
    __device__ float of(float value, unsigned channel, std::size_t index) const {
        return of(value, ofChannel(channel), index);
    }
#endif
};

} // namespace heteroscope::compute::nvidia
