// SPDX-License-Identifier: Apache-2.0
// Dropout, sums, and copies of channels.
#include "compute/backends/sequential/sequential_ops.h"
#include "compute/core/ops/dropout_mask.h"

#include <bit>

namespace heteroscope::compute::sequential {

void compute(const Dropout& op, const HostOperands& operands) {
    const std::uint32_t threshold = dropoutThreshold(op.rate);
    const auto step = std::bit_cast<std::uint32_t>(operands.src[1][0]);
    const double scale = 1.0 / (1.0 - op.rate);
    for (std::int64_t i = 0; i < op.elements; ++i) {
        const Philox4 words = dropoutWords(op.seed, op.stream, step, static_cast<std::uint64_t>(i) / 4);
        const std::uint32_t four[] = {words.x, words.y, words.z, words.w};
        operands.dst[0][i] = dropoutKeeps(four[i % 4], threshold)
                                 ? static_cast<float>(static_cast<double>(operands.src[0][i]) * scale)
                                 : 0.0F;
    }
}

void compute(const Add& op, const HostOperands& operands) {
    for (std::int64_t i = 0; i < op.elements; ++i)
        operands.dst[0][i] = operands.src[0][i] + operands.src[1][i];
}

void compute(const CopyChannels& op, const HostOperands& operands) {
    const std::int64_t plane = op.src.h * op.src.w;
    for (std::int64_t n = 0; n < op.src.n; ++n)
        for (std::int64_t i = 0; i < op.channels * plane; ++i)
            operands.dst[0][(n * op.dstChannels + op.dstChannel) * plane + i] =
                operands.src[0][(n * op.src.c + op.srcChannel) * plane + i];
}

void compute(const SumOfSquares& op, const HostOperands& operands) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < op.elements; ++i)
        sum += static_cast<double>(operands.src[0][i]) * static_cast<double>(operands.src[0][i]);
    operands.dst[0][0] = static_cast<float>(sum);
}

} // namespace heteroscope::compute::sequential
