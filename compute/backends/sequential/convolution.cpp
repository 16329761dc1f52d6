// SPDX-License-Identifier: Apache-2.0
// Convolution as the definition says it, summed in double precision.
#include "compute/backends/sequential/sequential_ops.h"

namespace heteroscope::compute::sequential {

namespace {

/// One convolution with everything the loops ask for.
struct Problem {
    const ConvParams& p;
    Shape4 src, dst;
    std::int64_t groupChannels, groupFilters;

    Problem(const ConvParams& params, const Shape4& shape)
        : p(params),
          src(shape),
          dst(*convOutputShape(params, shape)),
          groupChannels(src.c / p.groups),
          groupFilters(p.filters / p.groups) {}

    std::int64_t srcAt(std::int64_t n, std::int64_t c, std::int64_t y, std::int64_t x) const {
        return ((n * src.c + c) * src.h + y) * src.w + x;
    }
    std::int64_t dstAt(std::int64_t n, std::int64_t f, std::int64_t y, std::int64_t x) const {
        return ((n * dst.c + f) * dst.h + y) * dst.w + x;
    }
    std::int64_t weightAt(std::int64_t f, std::int64_t c, std::int64_t i, std::int64_t j) const {
        return ((f * groupChannels + c) * p.kernel.h + i) * p.kernel.w + j;
    }
    /// The input row under row i of the window of output row y; it may lie in the padding.
    std::int64_t row(std::int64_t y, std::int64_t i) const {
        return y * p.stride.h + i * p.dilation.h - p.padding.top;
    }
    std::int64_t column(std::int64_t x, std::int64_t j) const {
        return x * p.stride.w + j * p.dilation.w - p.padding.left;
    }
    bool inside(std::int64_t y, std::int64_t x) const { return y >= 0 && y < src.h && x >= 0 && x < src.w; }
};

double outputAt(const Problem& q, const float* src, const float* weights, std::int64_t n, std::int64_t f,
                std::int64_t y, std::int64_t x) {
    const std::int64_t firstChannel = f / q.groupFilters * q.groupChannels;
    double sum = 0.0;
    for (std::int64_t c = 0; c < q.groupChannels; ++c)
        for (std::int64_t i = 0; i < q.p.kernel.h; ++i)
            for (std::int64_t j = 0; j < q.p.kernel.w; ++j)
                if (q.inside(q.row(y, i), q.column(x, j)))
                    sum +=
                        static_cast<double>(src[q.srcAt(n, firstChannel + c, q.row(y, i), q.column(x, j))]) *
                        static_cast<double>(weights[q.weightAt(f, c, i, j)]);
    return sum;
}

/// The output row whose window has its row i over input row y, or -1.
std::int64_t outputRow(std::int64_t y, std::int64_t i, std::int64_t padding, std::int64_t dilation,
                       std::int64_t stride, std::int64_t outputs) {
    const std::int64_t offset = y + padding - i * dilation;
    return offset >= 0 && offset % stride == 0 && offset / stride < outputs ? offset / stride : -1;
}

double inputGradientAt(const Problem& q, const float* dstGrad, const float* weights, std::int64_t n,
                       std::int64_t channel, std::int64_t y, std::int64_t x) {
    const std::int64_t group = channel / q.groupChannels, c = channel % q.groupChannels;
    double sum = 0.0;
    for (std::int64_t f = group * q.groupFilters; f < (group + 1) * q.groupFilters; ++f)
        for (std::int64_t i = 0; i < q.p.kernel.h; ++i)
            for (std::int64_t j = 0; j < q.p.kernel.w; ++j) {
                const std::int64_t oy =
                    outputRow(y, i, q.p.padding.top, q.p.dilation.h, q.p.stride.h, q.dst.h);
                const std::int64_t ox =
                    outputRow(x, j, q.p.padding.left, q.p.dilation.w, q.p.stride.w, q.dst.w);
                if (oy >= 0 && ox >= 0)
                    sum += static_cast<double>(dstGrad[q.dstAt(n, f, oy, ox)]) *
                           static_cast<double>(weights[q.weightAt(f, c, i, j)]);
            }
    return sum;
}

double weightGradientAt(const Problem& q, const float* src, const float* dstGrad, std::int64_t f,
                        std::int64_t c, std::int64_t i, std::int64_t j) {
    const std::int64_t channel = f / q.groupFilters * q.groupChannels + c;
    double sum = 0.0;
    for (std::int64_t n = 0; n < q.src.n; ++n)
        for (std::int64_t y = 0; y < q.dst.h; ++y)
            for (std::int64_t x = 0; x < q.dst.w; ++x)
                if (q.inside(q.row(y, i), q.column(x, j)))
                    sum += static_cast<double>(src[q.srcAt(n, channel, q.row(y, i), q.column(x, j))]) *
                           static_cast<double>(dstGrad[q.dstAt(n, f, y, x)]);
    return sum;
}

double biasGradientAt(const Problem& q, const float* dstGrad, std::int64_t f) {
    double sum = 0.0;
    for (std::int64_t n = 0; n < q.dst.n; ++n)
        for (std::int64_t i = 0; i < q.dst.h * q.dst.w; ++i)
            sum += static_cast<double>(dstGrad[q.dstAt(n, f, 0, 0) + i]);
    return sum;
}

} // namespace

void compute(const ConvForward& op, const HostOperands& operands) {
    const Problem q(op.params, op.src);
    for (std::int64_t n = 0; n < q.dst.n; ++n)
        for (std::int64_t f = 0; f < q.dst.c; ++f)
            for (std::int64_t y = 0; y < q.dst.h; ++y)
                for (std::int64_t x = 0; x < q.dst.w; ++x) {
                    const double bias = op.params.bias ? static_cast<double>(operands.src[2][f]) : 0.0;
                    operands.dst[0][q.dstAt(n, f, y, x)] =
                        static_cast<float>(bias + outputAt(q, operands.src[0], operands.src[1], n, f, y, x));
                }
}

void compute(const ConvBackwardData& op, const HostOperands& operands) {
    const Problem q(op.params, op.src);
    for (std::int64_t n = 0; n < q.src.n; ++n)
        for (std::int64_t c = 0; c < q.src.c; ++c)
            for (std::int64_t y = 0; y < q.src.h; ++y)
                for (std::int64_t x = 0; x < q.src.w; ++x)
                    operands.dst[0][q.srcAt(n, c, y, x)] =
                        static_cast<float>(inputGradientAt(q, operands.src[0], operands.src[1], n, c, y, x));
}

void compute(const ConvBackwardWeights& op, const HostOperands& operands) {
    const Problem q(op.params, op.src);
    for (std::int64_t f = 0; f < q.dst.c; ++f) {
        for (std::int64_t c = 0; c < q.groupChannels; ++c)
            for (std::int64_t i = 0; i < q.p.kernel.h; ++i)
                for (std::int64_t j = 0; j < q.p.kernel.w; ++j)
                    operands.dst[0][q.weightAt(f, c, i, j)] =
                        static_cast<float>(weightGradientAt(q, operands.src[0], operands.src[1], f, c, i, j));
        if (op.params.bias)
            operands.dst[1][f] = static_cast<float>(biasGradientAt(q, operands.src[1], f));
    }
}

} // namespace heteroscope::compute::sequential
