// SPDX-License-Identifier: Apache-2.0
// Losses and their gradients: partial sums of blocks in double precision, then one block that adds them up.
#include "compute/backends/nvidia/kernels/common/block_sum.cuh"
#include "compute/backends/nvidia/kernels/common/dependent_launch.cuh"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute::nvidia {
namespace {

/// A row's largest value, the first of equal ones. NaN wins in the first place only, as in plain loops.
struct Best {
    float value;
    unsigned index;

    __device__ void take(const Best& other) {
        if (other.value > value || (other.value == value && other.index < index))
            *this = other;
    }
};

__device__ Best bestOfRow(const float* x, unsigned units, unsigned lane) {
    Best best{-INFINITY, ~0U};
    for (unsigned u = lane; u < units; u += 32)
        best.take({x[u], u});
    for (int offset = 16; offset > 0; offset /= 2)
        best.take({__shfl_xor_sync(~0U, best.value, offset), __shfl_xor_sync(~0U, best.index, offset)});
    return isnan(x[0]) ? Best{x[0], 0} : best;
}

/// A warp a row; a block leaves the sum of its rows, the only one the figures themselves (`whole`).
template <int Threads>
__global__ void __launch_bounds__(Threads)
    crossEntropy(unsigned batch, unsigned units, const float* output, const float* target, float* grad,
                 Pair* partial, float* whole) {
    waitForEarlier();
    const unsigned warp = blockIdx.x * (Threads / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    Pair figures;
#pragma unroll 1
    for (unsigned row = warp; row < batch; row += gridDim.x * (Threads / 32)) {
        const float* x = output + std::size_t(row) * units;
        const float wished = target[row];
        const bool known = wished >= 0.0F && wished < float(units) && floorf(wished) == wished;
        const unsigned wanted = known ? unsigned(wished) : ~0U;
        const Best best = bestOfRow(x, units, lane);
        float sum = 0;
        for (unsigned u = lane; u < units; u += 32)
            sum += expf(x[u] - best.value);
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(~0U, sum, offset);
        const float rows = float(batch);
        for (unsigned u = lane; grad != nullptr && u < units; u += 32) {
            const float share = expf(x[u] - best.value) / sum;
            grad[std::size_t(row) * units + u] = known ? (share - (u == wanted ? 1.0F : 0.0F)) / rows : NAN;
        }
        if (lane == 0)
            figures.add({known ? log(double(sum)) + double(best.value) - double(x[wanted]) : NAN,
                         wanted == best.index ? 1.0 : 0.0});
    }
    figures = blockSum<Threads>(figures);
    if (threadIdx.x != 0)
        return;
    if (whole == nullptr) {
        partial[blockIdx.x] = figures;
    } else {
        whole[0] = float(figures.a / double(batch));
        whole[1] = float(figures.b);
    }
}

struct BinaryTerm {
    __device__ Pair of(float x, float t) const {
        return {double(fmaxf(x, 0.0F)) - double(x) * double(t) + double(log1pf(expf(-fabsf(x)))),
                (x > 0.0F) == (t > 0.5F) ? 1.0 : 0.0};
    }
    __device__ float slope(float x, float t, double perElement) const {
        return float(double(1.0F / (1.0F + expf(-x)) - t) * perElement);
    }
};

struct SquareTerm {
    __device__ Pair of(float x, float t) const {
        const double difference = double(x) - double(t);
        return {difference * difference, fabs(difference)};
    }
    __device__ float slope(float x, float t, double perElement) const {
        return float(2.0 * (double(x) - double(t)) * perElement);
    }
};

template <class Term>
__global__ void __launch_bounds__(kSumThreads)
    elements(unsigned count, const float* output, const float* target, float* grad, Pair* partial) {
    waitForEarlier();
    const Term term;
    const double perElement = 1.0 / double(count);
    Pair figures;
    for (unsigned i = blockIdx.x * kSumThreads + threadIdx.x; i < count; i += gridDim.x * kSumThreads) {
        figures.add(term.of(output[i], target[i]));
        if (grad != nullptr)
            grad[i] = term.slope(output[i], target[i], perElement);
    }
    figures = blockSum(figures);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = figures;
}

__global__ void __launch_bounds__(kSumThreads)
    figuresOf(const Pair* partial, int count, double lossDivisor, double figureDivisor, float* figures) {
    waitForEarlier();
    const Pair sum = blockSumOf(partial, count);
    if (threadIdx.x == 0) {
        figures[0] = float(sum.a / lossDivisor);
        figures[1] = float(sum.b / figureDivisor);
    }
}

/// One block takes so many rows, of more threads where they are more, unless they are long.
constexpr std::int64_t kFewRows = kSumThreads / 32, kMoreRows = 64, kShortRow = 128;
constexpr int kMostThreads = 1024;

unsigned blocksOf(const Loss& op, const DeviceLimits& device) {
    if (op.kind == LossKind::SoftmaxCrossEntropy &&
        op.batch <= (op.units <= kShortRow ? kMoreRows : kFewRows))
        return 1;
    if (op.kind == LossKind::SoftmaxCrossEntropy)
        return static_cast<unsigned>((op.batch + kSumThreads / 32 - 1) / (kSumThreads / 32));
    const std::int64_t enough = (op.batch * op.units + kSumThreads - 1) / kSumThreads;
    return static_cast<unsigned>(std::min<std::int64_t>(enough, std::int64_t{8} * device.multiprocessors));
}

} // namespace

std::size_t workspaceOf(const Loss& op, const DeviceLimits& device) {
    return blocksOf(op, device) * sizeof(Pair);
}

cudaError_t launch(const Loss& op, const KernelOperands& o) {
    const unsigned blocks = blocksOf(op, o.device);
    const auto batch = unsigned(op.batch), units = unsigned(op.units);
    float* grad = op.gradient ? o.dst[1] : nullptr;
    auto* partial = static_cast<Pair*>(o.workspace);
    const double all = double(op.batch) * double(op.units);
    double lossDivisor = all, figureDivisor = 1;
    cudaError_t code = cudaSuccess;
    switch (op.kind) {
    case LossKind::SoftmaxCrossEntropy:
        if (blocks == 1) {
            const bool few = op.batch <= kFewRows;
            const auto kernel = few ? crossEntropy<kSumThreads> : crossEntropy<kMostThreads>;
            return startDependent(kernel, 1, few ? kSumThreads : kMostThreads, 0, o.stream, batch, units,
                                  o.src[0], o.src[1], grad, nullptr, o.dst[0]);
        }
        lossDivisor = double(op.batch);
        code = startDependent(crossEntropy<kSumThreads>, blocks, kSumThreads, 0, o.stream, batch, units,
                              o.src[0], o.src[1], grad, partial, nullptr);
        break;
    case LossKind::BinaryCrossEntropy:
        code = startDependent(elements<BinaryTerm>, blocks, kSumThreads, 0, o.stream, batch * units, o.src[0],
                              o.src[1], grad, partial);
        break;
    case LossKind::MeanSquaredError:
        figureDivisor = all;
        code = startDependent(elements<SquareTerm>, blocks, kSumThreads, 0, o.stream, batch * units, o.src[0],
                              o.src[1], grad, partial);
        break;
    }
    if (code != cudaSuccess)
        return code;
    return startDependent(figuresOf, 1, kSumThreads, 0, o.stream, partial, int(blocks), lossDivisor,
                          figureDivisor, o.dst[0]);
}

} // namespace heteroscope::compute::nvidia
