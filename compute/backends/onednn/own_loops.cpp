// SPDX-License-Identifier: Apache-2.0
// What training needs and oneDNN has no primitive for: losses, optimisers, dropout, a sum of squares, and
// pooling to a size that does not divide the input's. Plain loops; the optimisers' on all threads.
#include "compute/backends/onednn/eltwise.h"
#include "compute/core/ops/dropout_mask.h"
#include "compute/core/team.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace heteroscope::compute::onednn {
namespace {

constexpr const char* kName = "onednn:own loop";

/// Who computes a loop over many elements.
struct Team {
    int threads;
    OpObserver* observer;
    bool watches = false;                       ///< looks for results that are not finite
    std::atomic<std::int64_t> nonFinite{kNone}; ///< one of them
    static constexpr std::int64_t kNone = -1;
};

/// log(sum of e^x) - x[wanted], whether x[wanted] is the first largest one, and the gradient times the batch.
struct RowLoss {
    double loss = 0;
    bool hit = false;
};

/// `shares`: room.
RowLoss crossEntropyOfRow(std::span<const float> x, float target, double batch, float* grad,
                          std::vector<double>& shares) {
    const auto best = static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
    const bool valid =
        target >= 0.0F && target < static_cast<float>(x.size()) && std::floor(target) == target;
    const std::size_t wanted = valid ? static_cast<std::size_t>(target) : x.size();
    double sum = 0;
    shares.resize(x.size());
    for (std::size_t u = 0; u < x.size(); ++u)
        sum += shares[u] = std::exp(static_cast<double>(x[u] - x[best]));
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t u = 0; grad != nullptr && u < x.size(); ++u) {
        const double share = shares[u] / sum;
        grad[u] = static_cast<float>(valid ? (share - (u == wanted ? 1.0 : 0.0)) / batch : kNone);
    }
    const double loss =
        valid ? std::log(sum) + static_cast<double>(x[best]) - static_cast<double>(x[wanted]) : kNone;
    return {loss, wanted == best};
}

void crossEntropy(const Loss& op, const HostOperands& operands) {
    const auto units = static_cast<std::size_t>(op.units);
    const auto batch = static_cast<double>(op.batch);
    double loss = 0, hits = 0;
    std::vector<double> shares;
    for (std::int64_t n = 0; n < op.batch; ++n) {
        float* const grad = op.gradient ? operands.dst[1] + n * op.units : nullptr;
        const RowLoss row = crossEntropyOfRow({operands.src[0] + n * op.units, units}, operands.src[1][n],
                                              batch, grad, shares);
        loss += row.loss;
        hits += row.hit ? 1.0 : 0.0;
    }
    operands.dst[0][0] = static_cast<float>(loss / batch);
    operands.dst[0][1] = static_cast<float>(hits);
}

void elementLoss(const Loss& op, const HostOperands& operands) {
    const bool squares = op.kind == LossKind::MeanSquaredError;
    const std::int64_t all = op.batch * op.units;
    const auto count = static_cast<double>(all);
    double loss = 0, figure = 0;
    for (std::int64_t i = 0; i < all; ++i) {
        const auto x = static_cast<double>(operands.src[0][i]), t = static_cast<double>(operands.src[1][i]);
        const double yes = squares ? 0.0 : 1.0 / (1.0 + std::exp(-x));
        loss += squares ? (x - t) * (x - t) : std::max(x, 0.0) - x * t + std::log1p(std::exp(-std::fabs(x)));
        figure += squares ? std::fabs(x - t) / count : (x > 0.0) == (t > 0.5) ? 1.0 : 0.0;
        if (op.gradient)
            operands.dst[1][i] = static_cast<float>((squares ? 2.0 * (x - t) : yes - t) / count);
    }
    operands.dst[0][0] = static_cast<float>(loss / count);
    operands.dst[0][1] = static_cast<float>(figure);
}

void compute(const Loss& op, const HostOperands& operands, Team&) {
    if (op.kind == LossKind::SoftmaxCrossEntropy)
        crossEntropy(op, operands);
    else
        elementLoss(op, operands);
}

/// Elements do not depend on one another, wherever the operands lie. `result` is what each(i) writes.
template <class Each>
void forEach(std::int64_t elements, const float* result, Team& team, const Each& each) {
    constexpr std::int64_t kChunk = 4096; // in the cache when it is looked at
    runTeam(elements < kTeamElements ? 1 : team.threads, team.observer, [&](Member member) {
        const Share share = shareOf(elements, member);
        for (std::int64_t begin = share.begin; begin < share.end; begin += kChunk) {
            const std::int64_t end = std::min(begin + kChunk, share.end);
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i)
                each(i);
            if (!team.watches)
                continue;
            if (const std::int64_t found = firstNonFinite(result + begin, end - begin); found >= 0)
                team.nonFinite = begin + found;
        }
    });
}

void compute(const Sgd& op, const HostOperands& operands, Team& team) {
    const float rate = operands.src[2][0], decay = static_cast<float>(op.weightDecay),
                momentum = static_cast<float>(op.momentum);
    const float *weight = operands.src[0], *gradient = operands.src[1];
    float* const result = operands.dst[0];
    if (op.momentum == 0.0)
        return forEach(op.elements, result, team, [=](std::int64_t i) {
            result[i] = weight[i] - rate * (gradient[i] + decay * weight[i]);
        });
    const float* const before = operands.src[3];
    float* const velocity = operands.dst[1];
    const bool nesterov = op.nesterov;
    forEach(op.elements, result, team, [=](std::int64_t i) {
        const float slope = gradient[i] + decay * weight[i], v = momentum * before[i] + slope;
        velocity[i] = v;
        result[i] = weight[i] - rate * (nesterov ? slope + momentum * v : v);
    });
}

void compute(const Adam& op, const HostOperands& operands, Team& team) {
    const float *weight = operands.src[0], *gradient = operands.src[1];
    const float *first = operands.src[3], *second = operands.src[4];
    float *const result = operands.dst[0], *const mean = operands.dst[1], *const square = operands.dst[2];
    const float rate = operands.src[2][0], scale1 = operands.src[2][1], scale2 = operands.src[2][2];
    const auto decay = static_cast<float>(op.weightDecay), epsilon = static_cast<float>(op.epsilon);
    const auto beta1 = static_cast<float>(op.beta1), rest1 = static_cast<float>(1.0 - op.beta1);
    const auto beta2 = static_cast<float>(op.beta2), rest2 = static_cast<float>(1.0 - op.beta2);
    forEach(op.elements, result, team, [=](std::int64_t i) {
        const float slope = gradient[i] + decay * weight[i];
        const float m = beta1 * first[i] + rest1 * slope, v = beta2 * second[i] + rest2 * slope * slope;
        result[i] = weight[i] - rate * (m * scale1) / (std::sqrt(v * scale2) + epsilon);
        mean[i] = m;
        square[i] = v;
    });
}

void compute(const Dropout& op, const HostOperands& operands, Team&) {
    const std::uint32_t threshold = dropoutThreshold(op.rate);
    const auto step = std::bit_cast<std::uint32_t>(operands.src[1][0]);
    const auto scale = static_cast<float>(1.0 / (1.0 - op.rate));
    for (std::int64_t first = 0; first < op.elements; first += 4) {
        const Philox4 words = dropoutWords(op.seed, op.stream, step, static_cast<std::uint64_t>(first) / 4);
        const std::uint32_t four[] = {words.x, words.y, words.z, words.w};
        for (std::int64_t i = first; i < std::min(first + 4, op.elements); ++i)
            operands.dst[0][i] = dropoutKeeps(four[i - first], threshold) ? operands.src[0][i] * scale : 0.0F;
    }
}

struct HardSigmoidFunction {
    static float value(float x) {
        const float at = x / 6.0F + 0.5F, low = at < 0.0F ? 0.0F : at;
        return low > 1.0F ? 1.0F : low;
    }
    static float derivative(float x) { return (x > -3.0F ? 1.0F / 6.0F : 0.0F) * (x < 3.0F ? 1.0F : 0.0F); }
};

/// Of the kinds that eltwiseOf() does not name. No default: a kind without a function does not compile.
template <class Visit>
void withFunction(ActivationKind kind, const Visit& visit) {
    using enum ActivationKind;
    switch (kind) {
    case Relu:
    case Relu6:
    case LeakyRelu:
    case Sigmoid:
    case Tanh:
    case Gelu:
    case HardSwish:
        return; // primitives
    case HardSigmoid:
        return visit(HardSigmoidFunction());
    }
}

void compute(const ActivationForward& op, const HostOperands& operands, Team& team) {
    Team plain{team.threads, team.observer};
    const float* const src = operands.src[0];
    float* const dst = operands.dst[0];
    withFunction(op.kind, [&](auto function) {
        forEach(op.elements, dst, plain, [=](std::int64_t i) { dst[i] = function.value(src[i]); });
    });
}

void compute(const ActivationBackward& op, const HostOperands& operands, Team& team) {
    Team plain{team.threads, team.observer};
    const float *const x = operands.src[0], *const gradient = operands.src[1];
    float* const dst = operands.dst[0];
    withFunction(op.kind, [&](auto function) {
        forEach(op.elements, dst, plain,
                [=](std::int64_t i) { dst[i] = function.derivative(x[i]) * gradient[i]; });
    });
}

/// Both factors are repeated: the others are primitives.
void compute(const Multiply& op, const HostOperands& operands, Team& team) {
    Team plain{team.threads, team.observer};
    const Shape4 all = broadcastShape(op.a, op.b).value_or(Shape4{});
    const ProductAxes axes = productAxes(all, {all, op.a, op.b});
    forEach(axes.elements(), operands.dst[0], plain, [&](std::int64_t i) {
        const auto at = axes.at(i);
        operands.dst[0][i] = operands.src[0][at[1]] * operands.src[1][at[2]];
    });
}

/// A sum for each element of a factor that is repeated: the library's reduction would need the product in
/// memory.
void compute(const MultiplyBackward& op, const HostOperands& operands, Team& team) {
    const Shape4 all = broadcastShape(op.factor, op.other).value_or(Shape4{});
    const ProductAxes axes = productAxes(all, {all, op.other, op.factor});
    const ProductAxes kept = axes.along(2, true), repeated = axes.along(2, false);
    const std::int64_t length = repeated.inner().extent, runs = repeated.elements() / length;
    const std::int64_t gradientStep = repeated.inner().steps[0], otherStep = repeated.inner().steps[1];
    runTeam(axes.elements() < kTeamElements ? 1 : team.threads, team.observer, [&](Member member) {
        const Share share = shareOf(kept.elements(), member);
        for (std::int64_t i = share.begin; i < share.end; ++i) {
            const auto base = kept.at(i);
            double sum = 0;
            for (std::int64_t run = 0; run < runs; ++run) {
                const auto at = repeated.at(run * length);
                const float* const gradient = operands.src[0] + base[0] + at[0];
                const float* const other = operands.src[1] + base[1] + at[1];
                for (std::int64_t k = 0; k < length; ++k)
                    sum += static_cast<double>(gradient[k * gradientStep]) *
                           static_cast<double>(other[k * otherStep]);
            }
            operands.dst[0][i] = static_cast<float>(sum);
        }
    });
}

void compute(const SumOfSquares& op, const HostOperands& operands, Team&) {
    double sum = 0;
    for (const float value : std::span(operands.src[0], static_cast<std::size_t>(op.elements)))
        sum += static_cast<double>(value) * static_cast<double>(value);
    operands.dst[0][0] = static_cast<float>(sum);
}

/// The input rows or columns that output `index` averages: [first, last).
struct Reach {
    std::int64_t first, last;
    Reach(std::int64_t index, std::int64_t outputs, std::int64_t inputs)
        : first(index * inputs / outputs), last(((index + 1) * inputs + outputs - 1) / outputs) {}
    std::int64_t size() const { return last - first; }
};

/// Calls f(output index, input index, 1 / size of the output's window) for every pair of an image's plane.
template <class Function>
void forEachPair(const Shape4& src, const Extent2d& output, Function f) {
    for (std::int64_t y = 0; y < output.h; ++y)
        for (std::int64_t x = 0; x < output.w; ++x) {
            const Reach rows(y, output.h, src.h), columns(x, output.w, src.w);
            const double share = 1.0 / static_cast<double>(rows.size() * columns.size());
            for (std::int64_t row = rows.first; row < rows.last; ++row)
                for (std::int64_t column = columns.first; column < columns.last; ++column)
                    f(static_cast<std::size_t>(y * output.w + x),
                      static_cast<std::size_t>(row * src.w + column), share);
        }
}

/// One plane after the other: sums in double precision, written as float.
template <class Add>
void planeByPlane(std::int64_t planes, std::int64_t from, std::int64_t to, const HostOperands& operands,
                  Add add) {
    std::vector<double> sums(static_cast<std::size_t>(to));
    for (std::int64_t plane = 0; plane < planes; ++plane) {
        std::fill(sums.begin(), sums.end(), 0.0);
        add(operands.src[0] + plane * from, sums);
        std::transform(sums.begin(), sums.end(), operands.dst[0] + plane * to,
                       [](double sum) { return static_cast<float>(sum); });
    }
}

void compute(const AdaptivePoolForward& op, const HostOperands& operands, Team&) {
    planeByPlane(op.src.n * op.src.c, op.src.h * op.src.w, op.output.h * op.output.w, operands,
                 [&](const float* src, std::vector<double>& sums) {
                     forEachPair(op.src, op.output, [&](std::size_t out, std::size_t in, double share) {
                         sums[out] += static_cast<double>(src[in]) * share;
                     });
                 });
}

void compute(const AdaptivePoolBackward& op, const HostOperands& operands, Team&) {
    planeByPlane(op.src.n * op.src.c, op.output.h * op.output.w, op.src.h * op.src.w, operands,
                 [&](const float* dstGrad, std::vector<double>& sums) {
                     forEachPair(op.src, op.output, [&](std::size_t out, std::size_t in, double share) {
                         sums[in] += static_cast<double>(dstGrad[out]) * share;
                     });
                 });
}

template <class T>
class LoopOp final : public HostOp {
  public:
    LoopOp(Context& context, const T& op) : HostOp(op, kName), m_context(context), m_op(op) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        Team team{m_context.threads, observer, m_context.finite.required()};
        compute(m_op, operands, team);
        if (team.nonFinite != Team::kNone)
            return m_context.finite.refusal(opName(m_op), "weights that it wrote", team.nonFinite);
        return {};
    }

  private:
    Context& m_context;
    T m_op;
};

template <class T>
constexpr bool kHasLoop = std::is_same_v<T, Loss> || std::is_same_v<T, Sgd> || std::is_same_v<T, Adam> ||
                          std::is_same_v<T, Dropout> || std::is_same_v<T, SumOfSquares> ||
                          std::is_same_v<T, AdaptivePoolForward> || std::is_same_v<T, AdaptivePoolBackward> ||
                          std::is_same_v<T, ActivationForward> || std::is_same_v<T, ActivationBackward> ||
                          std::is_same_v<T, Multiply> || std::is_same_v<T, MultiplyBackward>;

} // namespace

bool hasOwnLoop(const Op& op) {
    return std::visit(
        []<class T>(const T& one) {
            if constexpr (std::is_same_v<T, ActivationForward> || std::is_same_v<T, ActivationBackward>)
                return !isEltwise(one.kind);
            else if constexpr (std::is_same_v<T, Multiply>)
                return broadcastShape(one.a, one.b) != one.a && broadcastShape(one.a, one.b) != one.b;
            else if constexpr (std::is_same_v<T, MultiplyBackward>)
                return broadcastShape(one.factor, one.other) != one.factor;
            else
                return kHasLoop<T>;
        },
        op);
}

std::unique_ptr<PreparedOp> makeOwnLoop(Context& context, const Op& op) {
    return std::visit(
        [&context]<class T>(const T& one) -> std::unique_ptr<PreparedOp> {
            if constexpr (kHasLoop<T>)
                return std::make_unique<LoopOp<T>>(context, one);
            return nullptr;
        },
        op);
}

const char* ownLoopName() {
    return kName;
}

} // namespace heteroscope::compute::onednn
