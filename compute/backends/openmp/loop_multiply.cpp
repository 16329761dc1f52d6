// SPDX-License-Identifier: Apache-2.0
// Products with broadcasting, run by run of the innermost axis; gradients of a repeated factor are sums in
// double precision whose order does not depend on the team.
#include "compute/backends/openmp/loop_ops.h"

#include <array>

namespace heteroscope::compute::openmp {
namespace {

constexpr std::int64_t kWholeLines = 64; ///< elements: parts begin at whole cache lines

/// Calls f(place of the run's first element, its elements) for the runs of [begin, end) along the innermost
/// axis.
template <class Function>
void forEachRun(const ProductAxes& axes, std::int64_t begin, std::int64_t end, Function f) {
    const std::int64_t length = axes.inner().extent;
    while (begin < end) {
        const std::int64_t count = std::min(length - begin % length, end - begin);
        f(axes.at(begin), count);
        begin += count;
    }
}

/// What the gradient of a repeated factor is summed from; tensors are dstGrad, the other factor, the result.
struct Sum {
    ProductAxes kept, repeated;
    const float *dstGrad, *other;
    float* dst;
    const Crew& crew;

    /// The sum lies together: each element's is cut into parts, which are added in their order.
    void alongRuns() const {
        constexpr std::int64_t kPart = 8192;
        const std::int64_t terms = repeated.elements(), parts = (terms + kPart - 1) / kPart;
        std::vector<double> sums(static_cast<std::size_t>(kept.elements() * parts));
        const std::int64_t step = repeated.inner().steps[1];
        crew.each(std::ssize(sums), [&](std::int64_t i) {
            const std::array<std::int64_t, 3> base = kept.at(i / parts);
            const std::int64_t begin = i % parts * kPart;
            double sum = 0.0;
            forEachRun(repeated, begin, std::min(begin + kPart, terms),
                       [&](const std::array<std::int64_t, 3>& at, std::int64_t count) {
                           sum += crew.loops.dot(count, dstGrad + base[0] + at[0], other + base[1] + at[1],
                                                 step);
                       });
            sums[static_cast<std::size_t>(i)] = sum;
        });
        for (std::int64_t i = 0; i < kept.elements(); ++i) {
            double sum = 0.0;
            for (std::int64_t part = 0; part < parts; ++part)
                sum += sums[static_cast<std::size_t>(i * parts + part)];
            dst[i] = static_cast<float>(sum);
        }
    }

    /// Neighbouring results are summed together.
    void acrossRuns() const {
        constexpr std::int64_t kResults = 256;
        const std::int64_t length = kept.inner().extent, blocks = (length + kResults - 1) / kResults;
        const std::int64_t step = kept.inner().steps[1];
        crew.each(kept.elements() / length * blocks, [&](std::int64_t i) {
            const std::int64_t first = i / blocks * length + i % blocks * kResults;
            const std::int64_t count = std::min(kResults, length - i % blocks * kResults);
            const std::array<std::int64_t, 3> base = kept.at(first);
            std::array<double, kResults> sums{};
            for (std::int64_t term = 0; term < repeated.elements(); ++term) {
                const std::array<std::int64_t, 3> at = repeated.at(term);
                crew.loops.addProducts(count, dstGrad + base[0] + at[0], other + base[1] + at[1], step,
                                       sums.data());
            }
            for (std::int64_t k = 0; k < count; ++k)
                dst[first + k] = static_cast<float>(sums[static_cast<std::size_t>(k)]);
        });
    }
};

} // namespace

void compute(const Multiply& op, const HostOperands& operands, const Crew& crew) {
    const Shape4 all = broadcastShape(op.a, op.b).value_or(Shape4{});
    const ProductAxes axes = productAxes(all, {all, op.a, op.b});
    const std::int64_t aStep = axes.inner().steps[1], bStep = axes.inner().steps[2];
    crew.parts(axes.elements(), kWholeLines, [&](std::int64_t begin, std::int64_t end) {
        forEachRun(axes, begin, end, [&](const std::array<std::int64_t, 3>& at, std::int64_t count) {
            crew.loops.mul(count, operands.src[0] + at[1], aStep, operands.src[1] + at[2], bStep,
                           operands.dst[0] + at[0]);
        });
    });
}

void compute(const MultiplyBackward& op, const HostOperands& operands, const Crew& crew) {
    const Shape4 all = broadcastShape(op.factor, op.other).value_or(Shape4{});
    if (all == op.factor)
        return compute(Multiply{all, op.other}, operands, crew);
    const ProductAxes axes = productAxes(all, {all, op.other, op.factor});
    const Sum sum{axes.along(2, true), axes.along(2, false), operands.src[0],
                  operands.src[1],     operands.dst[0],      crew};
    if (axes.inner().steps[2] == 0)
        sum.alongRuns();
    else
        sum.acrossRuns();
}

} // namespace heteroscope::compute::openmp
