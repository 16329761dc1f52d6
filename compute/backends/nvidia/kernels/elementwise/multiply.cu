// SPDX-License-Identifier: Apache-2.0
// Products with broadcasting, and the sums over what was repeated that are the gradients of a repeated
// factor. Limited by device memory: a repeated factor is read from the cache.
#include "compute/backends/nvidia/kernels/common/block_sum.cuh"
#include "compute/backends/nvidia/kernels/common/fast_division.h"
#include "compute/backends/nvidia/kernels/common/map_arrays.cuh"
#include "compute/backends/nvidia/kernels/common/slice_sums.cuh"
#include "compute/backends/nvidia/kernels/network_kernels.h"

namespace heteroscope::compute::nvidia {
namespace {

/// Where two of the tensors lie at an index of a product's axes.
struct Places {
    FastDivision extents[ProductAxes::kAxes];
    unsigned steps[2][ProductAxes::kAxes];

    Places(const ProductAxes& axes, std::size_t first, std::size_t second) {
        for (int i = 0; i < ProductAxes::kAxes; ++i) {
            const ProductAxes::Axis& axis = axes.axes[std::size_t(i)];
            extents[i] = FastDivision(axis.extent);
            steps[0][i] = unsigned(axis.steps[first]);
            steps[1][i] = unsigned(axis.steps[second]);
        }
    }

    struct Two {
        unsigned first, second;
    };
    __device__ Two at(unsigned index) const {
        Two place{0, 0};
#pragma unroll
        for (int i = ProductAxes::kAxes - 1; i >= 0; --i) {
            unsigned inAxis = index;
            index = extents[i].split(inAxis);
            place.first += inAxis * steps[0][i];
            place.second += inAxis * steps[1][i];
        }
        return place;
    }
};

struct ByElement {
    __device__ void operator()(unsigned, const float (&x)[2][4], float (&y)[1][4]) const {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            y[0][i] = x[0][i] * x[1][i];
    }
};

/// The other factor is whole: x.
struct ByRepeated {
    const float* repeated;
    Places places;
    unsigned elements;

    __device__ void operator()(unsigned first, const float (&x)[1][4], float (&y)[1][4]) const {
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
            y[0][i] = x[0][i] * repeated[places.at(min(first + i, elements - 1)).first];
    }
};

__global__ void __launch_bounds__(kMapThreads)
    bothRepeated(const float* a, const float* b, float* dst, Places places, unsigned elements) {
    const unsigned i = blockIdx.x * kMapThreads + threadIdx.x;
    if (i >= elements)
        return;
    const Places::Two at = places.at(i);
    dst[i] = a[at.first] * b[at.second];
}

cudaError_t multiply(const Shape4& aShape, const Shape4& bShape, const KernelOperands& o) {
    const Shape4 all = broadcastShape(aShape, bShape).value_or(Shape4{});
    const std::int64_t elements = all.elements().value_or(0);
    const float *a = o.src[0], *b = o.src[1];
    float* const dst = o.dst[0];
    if (aShape == bShape)
        return launchMap<2, 1>({{a, b}, {dst}}, elements, ByElement{}, o.stream);
    const ProductAxes axes = productAxes(all, {all, aShape, bShape});
    if (aShape == all)
        return launchMap<1, 1>({{a}, {dst}}, elements, ByRepeated{b, Places(axes, 2, 2), unsigned(elements)},
                               o.stream);
    if (bShape == all)
        return launchMap<1, 1>({{b}, {dst}}, elements, ByRepeated{a, Places(axes, 1, 1), unsigned(elements)},
                               o.stream);
    bothRepeated<<<unsigned((elements + kMapThreads - 1) / kMapThreads), kMapThreads, 0, o.stream>>>(
        a, b, dst, Places(axes, 1, 2), unsigned(elements));
    return cudaGetLastError();
}

struct Factors {
    const float *dstGrad, *other;

    __device__ double term(const Places::Two& base, const Places::Two& at) const {
        return double(dstGrad[base.first + at.first]) * double(other[base.second + at.second]);
    }
};

/// What the gradient of a repeated factor is summed from.
struct SumPlan {
    ProductAxes kept, repeated;
    std::int64_t results, terms;
    bool together; ///< a block a result, whose terms lie together; else a thread a result
    unsigned slices;

    SumPlan(const MultiplyBackward& op, const DeviceLimits& device) {
        const Shape4 all = broadcastShape(op.factor, op.other).value_or(Shape4{});
        const ProductAxes axes = productAxes(all, {all, op.other, op.factor});
        kept = axes.along(2, true), repeated = axes.along(2, false);
        results = kept.elements(), terms = repeated.elements();
        together = axes.inner().steps[2] == 0 && terms >= kFewTerms;
        slices = together ? sliceCount(results, terms, kSumThreads * 4, device)
                          : sliceCount(threadBlocks(), terms, 16, device);
    }

    static constexpr std::int64_t kFewTerms = 64;
    std::int64_t threadBlocks() const { return (results + kSumThreads - 1) / kSumThreads; }
    std::size_t bytes() const { return SlicedSums::bytes(results, slices); }
};

/// x slices of the terms, y results (blocks step over them).
__global__ void __launch_bounds__(kSumThreads)
    sumTogether(Factors f, Places kept, Places repeated, unsigned terms, SlicedSums sums) {
    for (unsigned result = blockIdx.y; result < sums.results; result += gridDim.y) {
        const Places::Two base = kept.at(result);
        Pair sum;
        for (unsigned i = blockIdx.x * kSumThreads + threadIdx.x; i < terms; i += gridDim.x * kSumThreads)
            sum.a += f.term(base, repeated.at(i));
        sum = blockSum(sum);
        if (threadIdx.x == 0)
            sums.put(blockIdx.x, result, sum);
    }
}

/// x results, y slices of the terms.
__global__ void __launch_bounds__(kSumThreads)
    sumByThread(Factors f, Places kept, Places repeated, unsigned terms, SlicedSums sums) {
    const unsigned result = blockIdx.x * kSumThreads + threadIdx.x;
    if (result >= sums.results)
        return;
    const Places::Two base = kept.at(result);
    Pair sum;
    for (unsigned i = blockIdx.y; i < terms; i += gridDim.y)
        sum.a += f.term(base, repeated.at(i));
    sums.put(blockIdx.y, result, sum);
}

bool isWhole(const MultiplyBackward& op) {
    return broadcastShape(op.factor, op.other) == op.factor;
}

} // namespace

std::size_t workspaceOf(const MultiplyBackward& op, const DeviceLimits& device) {
    return isWhole(op) ? 0 : SumPlan(op, device).bytes();
}

cudaError_t launch(const Multiply& op, const KernelOperands& o) {
    return multiply(op.a, op.b, o);
}

cudaError_t launch(const MultiplyBackward& op, const KernelOperands& o) {
    if (isWhole(op))
        return multiply(op.factor, op.other, o);
    const SumPlan plan(op, o.device);
    const Factors factors{o.src[0], o.src[1]};
    const Places kept(plan.kept, 0, 1), repeated(plan.repeated, 0, 1);
    const SlicedSums sums(plan.results, plan.slices, o.dst[0], nullptr, o.workspace);
    const auto terms = unsigned(plan.terms);
    if (plan.together)
        sumTogether<<<dim3(plan.slices, std::min(sums.results, 65535U)), kSumThreads, 0, o.stream>>>(
            factors, kept, repeated, terms, sums);
    else
        sumByThread<<<dim3(unsigned(plan.threadBlocks()), plan.slices), kSumThreads, 0, o.stream>>>(
            factors, kept, repeated, terms, sums);
    return launchSliceSums(sums, o.stream);
}

} // namespace heteroscope::compute::nvidia
