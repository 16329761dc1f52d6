// SPDX-License-Identifier: Apache-2.0
// Average pooling to a given size.
#include "compute/backends/sequential/sequential_ops.h"

#include <algorithm>
#include <vector>

namespace heteroscope::compute::sequential {

namespace {

/// Half-open range of input rows (or columns) of one output row.
struct Range {
    std::int64_t first, last;
};

Range rangeOf(std::int64_t index, std::int64_t outputs, std::int64_t inputs) {
    return {index * inputs / outputs, ((index + 1) * inputs + outputs - 1) / outputs};
}

/// Calls f(index of the output, rows, columns) for every window of a plane.
template <class Function>
void forEachWindow(const Shape4& src, const Extent2d& output, Function f) {
    for (std::int64_t y = 0; y < output.h; ++y)
        for (std::int64_t x = 0; x < output.w; ++x)
            f(y * output.w + x, rangeOf(y, output.h, src.h), rangeOf(x, output.w, src.w));
}

double areaOf(const Range& rows, const Range& columns) {
    return static_cast<double>((rows.last - rows.first) * (columns.last - columns.first));
}

} // namespace

void compute(const AdaptivePoolForward& op, const HostOperands& operands) {
    for (std::int64_t image = 0; image < op.src.n * op.src.c; ++image) {
        const float* src = operands.src[0] + image * op.src.h * op.src.w;
        float* dst = operands.dst[0] + image * op.output.h * op.output.w;
        forEachWindow(op.src, op.output, [&](std::int64_t index, const Range& rows, const Range& columns) {
            double sum = 0.0;
            for (std::int64_t y = rows.first; y < rows.last; ++y)
                for (std::int64_t x = columns.first; x < columns.last; ++x)
                    sum += static_cast<double>(src[y * op.src.w + x]);
            dst[index] = static_cast<float>(sum / areaOf(rows, columns));
        });
    }
}

void compute(const AdaptivePoolBackward& op, const HostOperands& operands) {
    std::vector<double> sums(static_cast<std::size_t>(op.src.h * op.src.w));
    for (std::int64_t image = 0; image < op.src.n * op.src.c; ++image) {
        const float* dstGrad = operands.src[0] + image * op.output.h * op.output.w;
        std::fill(sums.begin(), sums.end(), 0.0);
        forEachWindow(op.src, op.output, [&](std::int64_t index, const Range& rows, const Range& columns) {
            for (std::int64_t y = rows.first; y < rows.last; ++y)
                for (std::int64_t x = columns.first; x < columns.last; ++x)
                    sums[static_cast<std::size_t>(y * op.src.w + x)] +=
                        static_cast<double>(dstGrad[index]) / areaOf(rows, columns);
        });
        for (std::size_t i = 0; i < sums.size(); ++i)
            operands.dst[0][static_cast<std::size_t>(image) * sums.size() + i] = static_cast<float>(sums[i]);
    }
}

} // namespace heteroscope::compute::sequential
