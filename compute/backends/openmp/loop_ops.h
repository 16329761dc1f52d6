// SPDX-License-Identifier: Apache-2.0
// Operations whose work is to read and write memory: each is a function that runs on a team.
#pragma once

#include "compute/backends/openmp/kernels.h"
#include "compute/core/host_session.h"
#include "compute/core/team.h"

#include <algorithm>
#include <vector>

namespace heteroscope::compute::openmp {

/// Who computes an operation, and with which kernels.
struct Crew {
    int threads;
    OpObserver* observer;
    const LoopKernels& loops;

    /// body(begin, end) for parts of [0, total) that begin at multiples of `unit`, one a thread.
    template <class Body>
    void parts(std::int64_t total, std::int64_t unit, const Body& body) const {
        runTeam(threads, observer, [&](Member member) {
            const Share share = shareOf((total + unit - 1) / unit, member);
            if (share.begin < share.end)
                body(share.begin * unit, std::min(share.end * unit, total));
        });
    }
    /// body(index) for each of [0, total).
    template <class Body>
    void each(std::int64_t total, const Body& body) const {
        parts(total, 1, [&body](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                body(i);
        });
    }
    /// The sum of part(begin, end) over parts of kBlock, added in their order whatever the team.
    template <class Part>
    double sum(std::int64_t total, const Part& part) const {
        constexpr std::int64_t kBlock = 8192;
        std::vector<double> sums(static_cast<std::size_t>((total + kBlock - 1) / kBlock));
        each(std::ssize(sums), [&](std::int64_t i) {
            sums[static_cast<std::size_t>(i)] = part(i * kBlock, std::min((i + 1) * kBlock, total));
        });
        double all = 0.0;
        for (const double one : sums)
            all += one;
        return all;
    }
};

void compute(const ActivationForward& op, const HostOperands& operands, const Crew& crew);
void compute(const ActivationBackward& op, const HostOperands& operands, const Crew& crew);
void compute(const Dropout& op, const HostOperands& operands, const Crew& crew);
void compute(const Add& op, const HostOperands& operands, const Crew& crew);
void compute(const Multiply& op, const HostOperands& operands, const Crew& crew);
void compute(const MultiplyBackward& op, const HostOperands& operands, const Crew& crew);
void compute(const CopyChannels& op, const HostOperands& operands, const Crew& crew);
void compute(const SumOfSquares& op, const HostOperands& operands, const Crew& crew);
void compute(const Sgd& op, const HostOperands& operands, const Crew& crew);
void compute(const Adam& op, const HostOperands& operands, const Crew& crew);
void compute(const SoftmaxForward& op, const HostOperands& operands, const Crew& crew);
void compute(const SoftmaxBackward& op, const HostOperands& operands, const Crew& crew);
void compute(const BatchNormTrain& op, const HostOperands& operands, const Crew& crew);
void compute(const BatchNormInfer& op, const HostOperands& operands, const Crew& crew);
void compute(const BatchNormBackward& op, const HostOperands& operands, const Crew& crew);
void compute(const LayerNormForward& op, const HostOperands& operands, const Crew& crew);
void compute(const LayerNormBackward& op, const HostOperands& operands, const Crew& crew);
void compute(const AdaptivePoolForward& op, const HostOperands& operands, const Crew& crew);
void compute(const AdaptivePoolBackward& op, const HostOperands& operands, const Crew& crew);
void compute(const Loss& op, const HostOperands& operands, const Crew& crew);

/// Whether an operation is one of these.
template <class One>
concept LoopOperation = requires(const One& op, const HostOperands& operands, const Crew& crew) {
    compute(op, operands, crew);
};

} // namespace heteroscope::compute::openmp
