// SPDX-License-Identifier: Apache-2.0
// The loops of layer normalisation, as loop_kernels.h has the others: statistics in double precision, results
// in single.
#pragma once

#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/lane_sums.h"

namespace heteroscope::compute::openmp {
namespace {

template <class S>
struct LayerNormLoops {
    using Pixels = LayerNormKernels::Pixels;
    static constexpr int kPixels = LayerNormKernels::kPixels;

    static double wide(float x) { return static_cast<double>(x); }

    static void row(std::int64_t n, const float* x, double mean, float scale, const float* gamma,
                    const float* beta, float* dst) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = static_cast<float>(wide(x[i]) - mean) * scale * gamma[i] + beta[i];
    }

    static void rowSums(std::int64_t n, const float* x, const float* g, const float* gamma, double mean,
                        double* sums) {
        sums[0] = total(n, [g, gamma](std::int64_t i) { return wide(g[i]) * wide(gamma[i]); });
        sums[1] = total(n, [x, g, gamma, mean](std::int64_t i) {
            return wide(g[i]) * wide(gamma[i]) * (wide(x[i]) - mean);
        });
    }
    static void rowGradient(std::int64_t n, const float* x, const float* g, const float* gamma,
                            const NormFactors& f, float* dst) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i)
            dst[i] = f.scale * ((g[i] * gamma[i] - f.gradient) - (x[i] - f.mean) * f.product);
    }
    static void addRow(std::int64_t n, const float* x, const float* g, double mean, double scale,
                       double* products, double* sums) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < n; ++i) {
            products[i] += wide(g[i]) * ((wide(x[i]) - mean) * scale);
            sums[i] += wide(g[i]);
        }
    }

    static void pixels(const Pixels& p, const float* x, const float* gamma, const float* beta, double epsilon,
                       float* dst, float* mean, float* scale) {
        double sums[kPixels] = {}, squares[kPixels] = {};
        const auto count = static_cast<double>(p.channels);
        for (std::int64_t c = 0; c < p.channels; ++c)
            for (std::int64_t i = 0; i < p.pixels; ++i)
                sums[i] += wide(x[c * p.plane + i]);
        for (std::int64_t i = 0; i < p.pixels; ++i)
            sums[i] /= count;
        for (std::int64_t c = 0; c < p.channels; ++c)
            for (std::int64_t i = 0; i < p.pixels; ++i) {
                const double difference = wide(x[c * p.plane + i]) - sums[i];
                squares[i] += difference * difference;
            }
        for (std::int64_t i = 0; i < p.pixels; ++i) {
            mean[i] = static_cast<float>(sums[i]);
            scale[i] = static_cast<float>(1.0 / __builtin_sqrt(squares[i] / count + epsilon));
        }
        for (std::int64_t c = 0; c < p.channels; ++c)
#pragma GCC ivdep
            for (std::int64_t i = 0; i < p.pixels; ++i)
                dst[c * p.plane + i] =
                    static_cast<float>(wide(x[c * p.plane + i]) - sums[i]) * scale[i] * gamma[c] + beta[c];
    }

    static void pixelsGradient(const Pixels& p, const float* x, const float* g, const float* gamma,
                               const float* mean, const float* scale, float* dst) {
        double sums[kPixels] = {}, products[kPixels] = {};
        float gradient[kPixels], product[kPixels];
        for (std::int64_t c = 0; c < p.channels; ++c)
            for (std::int64_t i = 0; i < p.pixels; ++i) {
                const double slope = wide(g[c * p.plane + i]) * wide(gamma[c]);
                sums[i] += slope;
                products[i] += slope * (wide(x[c * p.plane + i]) - wide(mean[i]));
            }
        for (std::int64_t i = 0; i < p.pixels; ++i) {
            const double inverse = 1.0 / static_cast<double>(p.channels), s = wide(scale[i]);
            gradient[i] = static_cast<float>(sums[i] * inverse);
            product[i] = static_cast<float>(products[i] * s * s * inverse);
        }
        for (std::int64_t c = 0; c < p.channels; ++c)
#pragma GCC ivdep
            for (std::int64_t i = 0; i < p.pixels; ++i) {
                const std::int64_t at = c * p.plane + i;
                dst[at] = scale[i] * ((g[at] * gamma[c] - gradient[i]) - (x[at] - mean[i]) * product[i]);
            }
    }

    static double products(std::int64_t n, const float* x, const float* g, const float* mean,
                           const float* scale) {
        return total(
            n, [=](std::int64_t i) { return wide(g[i]) * ((wide(x[i]) - wide(mean[i])) * wide(scale[i])); });
    }

    static constexpr LayerNormKernels table() {
        return {row, rowSums, rowGradient, addRow, pixels, pixelsGradient, products};
    }
};

} // namespace
} // namespace heteroscope::compute::openmp
