// SPDX-License-Identifier: Apache-2.0
// Losses with their gradients: a row or an element a thread, the figures added in their order.
#include "compute/backends/openmp/loop_ops.h"

#include <cmath>
#include <limits>

namespace heteroscope::compute::openmp {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

struct Figures {
    double loss = 0, figure = 0;
};

/// The sum of part(begin, end) over parts of `unit`, added in their order whatever the team.
template <class Part>
Figures sumOf(std::int64_t total, std::int64_t unit, const Crew& crew, const Part& part) {
    std::vector<Figures> parts(static_cast<std::size_t>((total + unit - 1) / unit));
    crew.each(std::ssize(parts), [&](std::int64_t i) {
        parts[static_cast<std::size_t>(i)] = part(i * unit, std::min((i + 1) * unit, total));
    });
    Figures sum;
    for (const Figures& one : parts) {
        sum.loss += one.loss;
        sum.figure += one.figure;
    }
    return sum;
}

/// The class that a target names, or -1.
std::int64_t classOf(float target, std::int64_t units) {
    const auto index = static_cast<double>(target);
    const bool valid = index >= 0.0 && index < static_cast<double>(units) && std::floor(index) == index;
    return valid ? static_cast<std::int64_t>(index) : -1;
}

Figures rowLoss(const Loss& op, const float* x, float target, float* grad, const LoopKernels& loops) {
    const std::int64_t wanted = classOf(target, op.units);
    const float maximum = loops.maximum(op.units, x);
    const std::int64_t best = std::find(x, x + op.units, maximum) - x;
    const double sum = loops.exponentials(op.units, x, maximum);
    if (grad != nullptr && wanted < 0)
        std::fill_n(grad, op.units, kNone);
    else if (grad != nullptr) {
        const auto batch = static_cast<double>(op.batch);
        loops.shares(op.units, x, maximum, static_cast<float>(1.0 / (sum * batch)), grad);
        grad[wanted] -= static_cast<float>(1.0 / batch);
    }
    if (wanted < 0)
        return {static_cast<double>(kNone), 0.0};
    return {std::log(sum) + static_cast<double>(maximum) - static_cast<double>(x[wanted]),
            wanted == best ? 1.0 : 0.0};
}

Figures crossEntropy(const Loss& op, const HostOperands& operands, float* grad, const Crew& crew) {
    return sumOf(op.batch, 1, crew, [&](std::int64_t n, std::int64_t) {
        return rowLoss(op, operands.src[0] + n * op.units, operands.src[1][n],
                       grad == nullptr ? nullptr : grad + n * op.units, crew.loops);
    });
}

Figures binaryTerm(double x, double t, float* grad, double all) {
    const double e = std::exp(-std::fabs(x));
    if (grad != nullptr)
        *grad = static_cast<float>(((x < 0.0 ? e : 1.0) / (1.0 + e) - t) / all);
    return {std::max(x, 0.0) - x * t + std::log1p(e), (x > 0.0) == (t > 0.5) ? 1.0 : 0.0};
}

Figures squareTerm(double x, double t, float* grad, double all) {
    const double difference = x - t;
    if (grad != nullptr)
        *grad = static_cast<float>(2.0 * difference / all);
    return {difference * difference, std::fabs(difference)};
}

template <class Term>
Figures elements(const Loss& op, const HostOperands& operands, float* grad, const Crew& crew, Term term) {
    constexpr std::int64_t kBlock = 1024;
    const std::int64_t all = op.batch * op.units;
    return sumOf(all, kBlock, crew, [&](std::int64_t begin, std::int64_t end) {
        Figures sum;
        for (std::int64_t i = begin; i < end; ++i) {
            const Figures one =
                term(static_cast<double>(operands.src[0][i]), static_cast<double>(operands.src[1][i]),
                     grad == nullptr ? nullptr : grad + i, static_cast<double>(all));
            sum.loss += one.loss;
            sum.figure += one.figure;
        }
        return sum;
    });
}

} // namespace

void compute(const Loss& op, const HostOperands& operands, const Crew& crew) {
    float* grad = op.gradient ? operands.dst[1] : nullptr;
    const auto rows = static_cast<double>(op.batch), all = rows * static_cast<double>(op.units);
    Figures result;
    if (op.kind == LossKind::SoftmaxCrossEntropy) {
        result = crossEntropy(op, operands, grad, crew);
        result.loss /= rows;
    } else if (op.kind == LossKind::BinaryCrossEntropy) {
        result = elements(op, operands, grad, crew, binaryTerm);
        result.loss /= all;
    } else {
        result = elements(op, operands, grad, crew, squareTerm);
        result = {result.loss / all, result.figure / all};
    }
    operands.dst[0][0] = static_cast<float>(result.loss);
    operands.dst[0][1] = static_cast<float>(result.figure);
}

} // namespace heteroscope::compute::openmp
