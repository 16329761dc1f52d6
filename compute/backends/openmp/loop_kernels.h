// SPDX-License-Identifier: Apache-2.0
// Loops over one element after the other, which the compiler turns into vectors of the instruction set that
// the file is compiled for (S only keeps the sets apart). A result may lie on its own input.
#pragma once

#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/lane_sums.h"
#include "compute/backends/openmp/layer_norm_loops.h"

#include <cstdint>

namespace heteroscope::compute::openmp {
namespace {

/// e^x for x <= 0, with a relative error below 2^-22; 0 where it is below the normal numbers; NaN of NaN.
/// Coefficients and the two parts of log 2 from Cephes' expf (Moshier 1989).
inline float expOfNegative(float x) {
    constexpr float lowest = -87.3365F, shift = 12582912.0F; // 1.5 2^23: adding it rounds to whole numbers
    const float inside = x >= lowest ? x : lowest;           // no NaN: it has no whole number
    const float whole = (inside * 1.44269504F + shift) - shift;
    const float r = ((x < lowest ? lowest : x) - whole * 0.693359375F) - whole * -2.12194440e-4F;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    const float power = __builtin_bit_cast(float, (static_cast<std::int32_t>(whole) + 127) << 23);
    return x < lowest ? 0.0F : p * power;
}

inline float magnitude(float x) {
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffU);
}

inline float sigmoid(float x) {
    const float e = expOfNegative(-magnitude(x));
    return (x < 0.0F ? e : 1.0F) / (1.0F + e);
}

/// Near zero Cephes' polynomial of tanhf, where the quotient would cancel.
inline float hyperbolicTangent(float x) {
    const float size = magnitude(x), z = x * x;
    float p = -5.70498872745e-3F;
    p = p * z + 2.06390887954e-2F;
    p = p * z + -5.37397155531e-2F;
    p = p * z + 1.33314422036e-1F;
    p = p * z + -3.33332819422e-1F;
    const float e = expOfNegative(-2.0F * size), far = (1.0F - e) / (1.0F + e);
    return size < 0.625F ? p * z * x + x : x < 0.0F ? -far : far;
}

/// The share of a normal distribution that lies below x: half the complementary error function of -x / sqrt
/// 2, with an absolute error below 2e-7 (Abramowitz and Stegun 1964, 7.1.26).
inline float normalDistribution(float x) {
    const float size = magnitude(x) * 0.70710678F, t = 1.0F / (1.0F + 0.3275911F * size);
    float p = 1.061405429F;
    p = p * t + -1.453152027F;
    p = p * t + 1.421413741F;
    p = p * t + -0.284496736F;
    p = p * t + 0.254829592F;
    const float tail = 0.5F * p * t * expOfNegative(-size * size);
    return x < 0.0F ? tail : 1.0F - tail;
}

inline float clamped(float x, float most) {
    const float low = x < 0.0F ? 0.0F : x;
    return low > most ? most : low;
}

template <class S>
struct Loops {
    static void add(std::int64_t n, const float* a, const float* b, float* dst) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = a[i] + b[i];
    }

    static void relu(std::int64_t n, const float* x, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = x[i] < 0.0F ? 0.0F : x[i];
    }
    static void relu6(std::int64_t n, const float* x, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            const float low = x[i] < 0.0F ? 0.0F : x[i];
            dst[i] = low > 6.0F ? 6.0F : low;
        }
    }
    static void leakyRelu(std::int64_t n, const float* x, float* dst, float slope) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = x[i] < 0.0F ? slope * x[i] : x[i];
    }
    static void sigmoids(std::int64_t n, const float* x, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = sigmoid(x[i]);
    }
    static void tangents(std::int64_t n, const float* x, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = hyperbolicTangent(x[i]);
    }

    static void gelu(std::int64_t n, const float* x, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = x[i] * normalDistribution(x[i]);
    }
    static void hardSwish(std::int64_t n, const float* x, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = x[i] * (clamped(x[i] + 3.0F, 6.0F) / 6.0F);
    }
    static void hardSigmoid(std::int64_t n, const float* x, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = clamped(x[i] / 6.0F + 0.5F, 1.0F);
    }

    static void geluGradient(std::int64_t n, const float* x, const float* g, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            const float density = 0.39894228F * expOfNegative(-0.5F * x[i] * x[i]);
            dst[i] = (normalDistribution(x[i]) + x[i] * density) * g[i];
        }
    }
    static void hardSwishGradient(std::int64_t n, const float* x, const float* g, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            const float inside = x[i] / 3.0F + 0.5F, low = x[i] <= -3.0F ? 0.0F : inside;
            dst[i] = (x[i] >= 3.0F ? 1.0F : low) * g[i];
        }
    }
    static void hardSigmoidGradient(std::int64_t n, const float* x, const float* g, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            const float above = x[i] > -3.0F ? 1.0F / 6.0F : 0.0F, below = x[i] < 3.0F ? 1.0F : 0.0F;
            dst[i] = above * below * g[i];
        }
    }

    static void reluGradient(std::int64_t n, const float* y, const float* g, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = (y[i] > 0.0F ? 1.0F : 0.0F) * g[i];
    }
    static void relu6Gradient(std::int64_t n, const float* y, const float* g, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            const float above = y[i] > 0.0F ? 1.0F : 0.0F, below = y[i] < 6.0F ? 1.0F : 0.0F;
            dst[i] = above * below * g[i];
        }
    }
    static void leakyReluGradient(std::int64_t n, const float* y, const float* g, float* dst, float slope) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = (y[i] > 0.0F ? 1.0F : slope) * g[i];
    }
    static void sigmoidGradient(std::int64_t n, const float* y, const float* g, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = y[i] * (1.0F - y[i]) * g[i];
    }
    static void tangentGradient(std::int64_t n, const float* y, const float* g, float* dst, float) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = (1.0F - y[i] * y[i]) * g[i];
    }

    template <bool ByOne>
    static void mulBy(std::int64_t n, const float* a, const float* b, float* dst) {
        const float factor = b[0]; // dst may be b where there is a single element
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = a[i] * (ByOne ? factor : b[i]);
    }
    static void mul(std::int64_t n, const float* a, std::int64_t aStep, const float* b, std::int64_t bStep,
                    float* dst) {
        if (aStep == 0 && bStep == 0)
            return mulBy<false>(1, a, b, dst); // all of the product
        if (bStep == 0)
            return mulBy<true>(n, a, b, dst);
        return aStep == 0 ? mulBy<true>(n, b, a, dst) : mulBy<false>(n, a, b, dst);
    }
    static double dot(std::int64_t n, const float* g, const float* x, std::int64_t xStep) {
        if (xStep == 0)
            return total(n, [g, factor = static_cast<double>(x[0])](std::int64_t i) {
                return static_cast<double>(g[i]) * factor;
            });
        return total(
            n, [g, x](std::int64_t i) { return static_cast<double>(g[i]) * static_cast<double>(x[i]); });
    }
    static void addProducts(std::int64_t n, const float* g, const float* x, std::int64_t xStep,
                            double* sums) {
        if (xStep == 0) {
            const auto factor = static_cast<double>(x[0]);
#pragma GCC ivdep
            for (std::int64_t i = 0; i < n; ++i)
                sums[i] += static_cast<double>(g[i]) * factor;
            return;
        }
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            sums[i] += static_cast<double>(g[i]) * static_cast<double>(x[i]);
    }
    static double sum(std::int64_t n, const float* x) {
        return total(n, [x](std::int64_t i) { return static_cast<double>(x[i]); });
    }
    static double squares(std::int64_t n, const float* x, double mean) {
        return total(n, [x, mean](std::int64_t i) {
            const double difference = static_cast<double>(x[i]) - mean;
            return difference * difference;
        });
    }
    static double products(std::int64_t n, const float* g, const float* x, double mean) {
        return total(n, [g, x, mean](std::int64_t i) {
            return static_cast<double>(g[i]) * (static_cast<double>(x[i]) - mean);
        });
    }

    static void normalise(std::int64_t n, const float* x, float mean, float scale, float shift, float* dst) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = (x[i] - mean) * scale + shift;
    }
    static void normGradient(std::int64_t n, const float* g, const float* x, const NormFactors& f,
                             float* dst) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = f.scale * ((g[i] - f.gradient) - (x[i] - f.mean) * f.product);
    }

    static float maximum(std::int64_t n, const float* x) {
        float lanes[16];
        for (float& lane : lanes)
            lane = x[0];
        std::int64_t i = 0;
        for (; i + 16 <= n; i += 16)
            for (int lane = 0; lane < 16; ++lane)
                lanes[lane] = x[i + lane] > lanes[lane] ? x[i + lane] : lanes[lane];
        for (; i < n; ++i)
            lanes[0] = x[i] > lanes[0] ? x[i] : lanes[0];
        for (const float lane : lanes)
            lanes[0] = lane > lanes[0] ? lane : lanes[0];
        return lanes[0];
    }
    static double exponentials(std::int64_t n, const float* x, float maximum) {
        return total(
            n, [x, maximum](std::int64_t i) { return static_cast<double>(expOfNegative(x[i] - maximum)); });
    }
    static void shares(std::int64_t n, const float* x, float maximum, float factor, float* dst) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = expOfNegative(x[i] - maximum) * factor;
    }

    /// Softmax of up to kPixels neighbouring pixels whose channels lie `plane` apart.
    static void softmaxPixels(std::int64_t channels, std::int64_t plane, std::int64_t pixels, const float* x,
                              float* dst) {
        float top[LoopKernels::kPixels], sums[LoopKernels::kPixels] = {};
        for (std::int64_t i = 0; i < pixels; ++i)
            top[i] = x[i];
        for (std::int64_t c = 1; c < channels; ++c)
            for (std::int64_t i = 0; i < pixels; ++i)
                top[i] = x[c * plane + i] > top[i] ? x[c * plane + i] : top[i];
        for (std::int64_t c = 0; c < channels; ++c)
#pragma GCC ivdep
            for (std::int64_t i = 0; i < pixels; ++i) {
                const float e = expOfNegative(x[c * plane + i] - top[i]);
                sums[i] += e;
                dst[c * plane + i] = e;
            }
        for (std::int64_t i = 0; i < pixels; ++i)
            sums[i] = 1.0F / sums[i];
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t i = 0; i < pixels; ++i)
                dst[c * plane + i] *= sums[i];
    }
    static void softmaxPixelsGradient(std::int64_t channels, std::int64_t plane, std::int64_t pixels,
                                      const float* y, const float* g, float* dst) {
        float sums[LoopKernels::kPixels] = {};
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t i = 0; i < pixels; ++i)
                sums[i] += y[c * plane + i] * g[c * plane + i];
        for (std::int64_t c = 0; c < channels; ++c)
#pragma GCC ivdep
            for (std::int64_t i = 0; i < pixels; ++i)
                dst[c * plane + i] = y[c * plane + i] * (g[c * plane + i] - sums[i]);
    }
    static void softmaxRowGradient(std::int64_t n, const float* y, const float* g, float* dst) {
        const auto mean = static_cast<float>(total(
            n, [y, g](std::int64_t i) { return static_cast<double>(y[i]) * static_cast<double>(g[i]); }));
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = y[i] * (g[i] - mean);
    }

    static void sgd(std::int64_t n, const SgdRun& r) {
        if (r.velocity == nullptr) {
#pragma GCC ivdep
            for (std::int64_t i = 0; i < n; ++i)
                r.newWeight[i] = r.weight[i] - r.rate * (r.gradient[i] + r.decay * r.weight[i]);
            return;
        }
        const float own = r.nesterov ? 1.0F : 0.0F, carried = r.nesterov ? r.momentum : 1.0F;
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            const float gradient = r.gradient[i] + r.decay * r.weight[i];
            const float velocity = r.momentum * r.velocity[i] + gradient;
            r.newVelocity[i] = velocity;
            r.newWeight[i] = r.weight[i] - r.rate * (own * gradient + carried * velocity);
        }
    }
    static void adam(std::int64_t n, const AdamRun& r) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            const float gradient = r.gradient[i] + r.decay * r.weight[i];
            const float m = r.beta1 * r.m[i] + r.rest1 * gradient;
            const float v = r.beta2 * r.v[i] + r.rest2 * gradient * gradient;
            r.newWeight[i] = r.weight[i] - r.rate * (m * r.c1) / (__builtin_sqrtf(v * r.c2) + r.epsilon);
            r.newM[i] = m;
            r.newV[i] = v;
        }
    }

    /// Philox4x32-10 (compute/base/philox.h) for 16 counters at a time: 64 elements.
    static void dropout(std::int64_t firstBlock, std::int64_t n, const DropoutRun& r) {
        constexpr std::int64_t count = 16;
        for (std::int64_t done = 0; done < n; done += 4 * count, firstBlock += count) {
            std::uint32_t words[4][count];
            randomWords(static_cast<std::uint64_t>(firstBlock), r, words);
            const std::int64_t filled = n - done < 4 * count ? n - done : 4 * count;
            for (std::int64_t i = 0; i < filled; ++i) {
                const bool keep = (words[i % 4][i / 4] >> 8) >= r.threshold;
                r.dst[done + i] = keep ? r.src[done + i] * r.scale : 0.0F;
            }
        }
    }
    template <int Count>
    static void randomWords(std::uint64_t first, const DropoutRun& r, std::uint32_t (&words)[4][Count]) {
        for (int i = 0; i < Count; ++i) {
            words[0][i] = static_cast<std::uint32_t>(first + static_cast<std::uint64_t>(i));
            words[1][i] = static_cast<std::uint32_t>((first + static_cast<std::uint64_t>(i)) >> 32);
            words[2][i] = r.step;
            words[3][i] = r.stream;
        }
        auto key0 = static_cast<std::uint32_t>(r.seed), key1 = static_cast<std::uint32_t>(r.seed >> 32);
        for (int round = 0; round < 10; ++round, key0 += 0x9E3779B9U, key1 += 0xBB67AE85U)
            for (int i = 0; i < Count; ++i) {
                const std::uint64_t a = std::uint64_t{0xD2511F53} * words[0][i];
                const std::uint64_t b = std::uint64_t{0xCD9E8D57} * words[2][i];
                words[0][i] = static_cast<std::uint32_t>(b >> 32) ^ words[1][i] ^ key0;
                words[1][i] = static_cast<std::uint32_t>(b);
                words[2][i] = static_cast<std::uint32_t>(a >> 32) ^ words[3][i] ^ key1;
                words[3][i] = static_cast<std::uint32_t>(a);
            }
    }

    /// A kind without its case does not compile: the switch has no default.
    static LoopKernels::Activation activation(ActivationKind kind) {
        switch (kind) {
        case ActivationKind::Relu:
            return {relu, reluGradient};
        case ActivationKind::Relu6:
            return {relu6, relu6Gradient};
        case ActivationKind::LeakyRelu:
            return {leakyRelu, leakyReluGradient};
        case ActivationKind::Sigmoid:
            return {sigmoids, sigmoidGradient};
        case ActivationKind::Tanh:
            return {tangents, tangentGradient};
        case ActivationKind::Gelu:
            return {gelu, geluGradient};
        case ActivationKind::HardSwish:
            return {hardSwish, hardSwishGradient};
        case ActivationKind::HardSigmoid:
            return {hardSigmoid, hardSigmoidGradient};
        }
        __builtin_unreachable();
    }

    static constexpr LoopKernels table() {
        return {add,
                activation,
                mul,
                dot,
                addProducts,
                sum,
                squares,
                products,
                normalise,
                normGradient,
                maximum,
                exponentials,
                shares,
                softmaxPixels,
                softmaxPixelsGradient,
                softmaxRowGradient,
                sgd,
                adam,
                dropout,
                LayerNormLoops<S>::table()};
    }
};

} // namespace
} // namespace heteroscope::compute::openmp
