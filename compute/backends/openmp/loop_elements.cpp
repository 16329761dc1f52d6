// SPDX-License-Identifier: Apache-2.0
// Operations on one element after the other.
#include "compute/backends/openmp/loop_ops.h"
#include "compute/core/ops/dropout_mask.h"

#include <bit>

namespace heteroscope::compute::openmp {
namespace {

constexpr std::int64_t kUnit =
    64; ///< parts begin at whole cache lines, and at whole groups of dropout's words

/// One weight after the other lies at the same place of all tensors.
template <class Pointer>
Pointer from(Pointer pointer, std::int64_t at) {
    return pointer == nullptr ? nullptr : pointer + at;
}

} // namespace

void compute(const ActivationForward& op, const HostOperands& operands, const Crew& crew) {
    const auto loop = crew.loops.activation(op.kind).forward;
    crew.parts(op.elements, kUnit, [&](std::int64_t begin, std::int64_t end) {
        loop(end - begin, operands.src[0] + begin, operands.dst[0] + begin, static_cast<float>(op.slope));
    });
}

void compute(const ActivationBackward& op, const HostOperands& operands, const Crew& crew) {
    const auto loop = crew.loops.activation(op.kind).backward;
    crew.parts(op.elements, kUnit, [&](std::int64_t begin, std::int64_t end) {
        loop(end - begin, operands.src[0] + begin, operands.src[1] + begin, operands.dst[0] + begin,
             static_cast<float>(op.slope));
    });
}

void compute(const Dropout& op, const HostOperands& operands, const Crew& crew) {
    const auto step = std::bit_cast<std::uint32_t>(operands.src[1][0]);
    crew.parts(op.elements, kUnit, [&](std::int64_t begin, std::int64_t end) {
        crew.loops.dropout(begin / 4, end - begin,
                           {operands.src[0] + begin, operands.dst[0] + begin, op.seed, op.stream, step,
                            dropoutThreshold(op.rate), static_cast<float>(1.0 / (1.0 - op.rate))});
    });
}

void compute(const Add& op, const HostOperands& operands, const Crew& crew) {
    crew.parts(op.elements, kUnit, [&](std::int64_t begin, std::int64_t end) {
        crew.loops.add(end - begin, operands.src[0] + begin, operands.src[1] + begin,
                       operands.dst[0] + begin);
    });
}

void compute(const CopyChannels& op, const HostOperands& operands, const Crew& crew) {
    const std::int64_t plane = op.src.h * op.src.w;
    crew.each(op.src.n * op.channels, [&](std::int64_t i) {
        const std::int64_t n = i / op.channels, c = i % op.channels;
        std::copy_n(operands.src[0] + (n * op.src.c + op.srcChannel + c) * plane, plane,
                    operands.dst[0] + (n * op.dstChannels + op.dstChannel + c) * plane);
    });
}

void compute(const SumOfSquares& op, const HostOperands& operands, const Crew& crew) {
    operands.dst[0][0] = static_cast<float>(crew.sum(op.elements, [&](std::int64_t begin, std::int64_t end) {
        return crew.loops.squares(end - begin, operands.src[0] + begin, 0.0);
    }));
}

void compute(const Sgd& op, const HostOperands& operands, const Crew& crew) {
    const bool moving = op.momentum != 0.0;
    SgdRun run{operands.src[0],
               operands.src[1],
               moving ? operands.src[3] : nullptr,
               operands.dst[0],
               moving ? operands.dst[1] : nullptr,
               operands.src[2][0],
               static_cast<float>(op.momentum),
               static_cast<float>(op.weightDecay),
               op.nesterov};
    crew.parts(op.elements, kUnit, [&](std::int64_t begin, std::int64_t end) {
        SgdRun part = run;
        part.weight += begin;
        part.gradient += begin;
        part.newWeight += begin;
        part.velocity = from(part.velocity, begin);
        part.newVelocity = from(part.newVelocity, begin);
        crew.loops.sgd(end - begin, part);
    });
}

void compute(const Adam& op, const HostOperands& operands, const Crew& crew) {
    const float* hyper = operands.src[2];
    crew.parts(op.elements, kUnit, [&](std::int64_t begin, std::int64_t end) {
        crew.loops.adam(end - begin,
                        {operands.src[0] + begin, operands.src[1] + begin, operands.src[3] + begin,
                         operands.src[4] + begin, operands.dst[0] + begin, operands.dst[1] + begin,
                         operands.dst[2] + begin, hyper[0], hyper[1], hyper[2], static_cast<float>(op.beta1),
                         static_cast<float>(1.0 - op.beta1), static_cast<float>(op.beta2),
                         static_cast<float>(1.0 - op.beta2), static_cast<float>(op.epsilon),
                         static_cast<float>(op.weightDecay)});
    });
}

} // namespace heteroscope::compute::openmp
