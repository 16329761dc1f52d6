// SPDX-License-Identifier: Apache-2.0
// Forward pooling with any window.
#include "compute/backends/nvidia/kernels/pool/pool_any.cuh"

namespace heteroscope::compute::nvidia {
namespace {

template <PoolMode M, bool ByWarp, class Index>
__device__ __forceinline__ float pooled(const AnyPlan<Index>& plan, const Rectangle<Index>& window,
                                        const float* plane) {
    if constexpr (M == PoolMode::Average) {
        const float sum = ByWarp ? sumByWarp(window, plane, plan.width) : sumOf(window, plane, plan.width);
        return sum / divisor(plan, window);
    }
    const float maximum =
        (ByWarp ? maximumByWarp(window, plane, plan.width) : maximumOf(window, plane, plan.width)).value;
    return zeroPadWins(plan, window, maximum) ? 0.0F : maximum;
}

template <PoolMode M, bool ByWarp, class Index>
__global__ void __launch_bounds__(kAnyBlock) poolForwardAny(const __grid_constant__ AnyPlan<Index> plan) {
    constexpr int lanes = ByWarp ? 32 : 1;
    constexpr std::int64_t together = kAnyBlock / lanes;
    const std::int64_t windows = plan.planes * plan.outPlane();
    for (std::int64_t at = blockIdx.x * together + threadIdx.x / lanes; at < windows;
         at += gridDim.x * together) {
        const Divided column = divide(at, plan.outWidth), row = divide(column.quotient, plan.outHeight);
        const auto window =
            windowAt(plan, static_cast<Index>(row.remainder), static_cast<Index>(column.remainder));
        const float value = pooled<M, ByWarp>(plan, window, plan.src + row.quotient * plan.plane());
        if (threadIdx.x % lanes == 0)
            plan.result[at] = value;
    }
}

template <class Index>
cudaError_t launch(AnyPlan<Index> plan, PoolMode mode, bool byWarp, cudaStream_t stream) {
    const std::int64_t windows = plan.planes * plan.outPlane(), together = kAnyBlock / (byWarp ? 32 : 1);
    const auto blocks = static_cast<unsigned>(std::min((windows + together - 1) / together, kAnyBlocks));
    const auto max =
        byWarp ? &poolForwardAny<PoolMode::Max, true, Index> : &poolForwardAny<PoolMode::Max, false, Index>;
    const auto average = byWarp ? &poolForwardAny<PoolMode::Average, true, Index>
                                : &poolForwardAny<PoolMode::Average, false, Index>;
    (mode == PoolMode::Max ? max : average)<<<blocks, kAnyBlock, 0, stream>>>(plan);
    return cudaGetLastError();
}

template <class Index>
cudaError_t launchIndexed(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                          cudaStream_t stream) {
    AnyPlan<Index> plan = planAny<Index>(params, src);
    plan.src = srcData;
    plan.result = dst;
    return launch(plan, params.mode, isWideWindow(params, src), stream);
}

} // namespace

bool isWideWindow(const PoolParams& params, const Shape4& src) {
    const Shape4 out = *poolOutputShape(params, src);
    const auto product = [](std::int64_t a, std::int64_t b) {
        return static_cast<double>(a) * static_cast<double>(b);
    };
    const double area = product(params.kernel.h, params.kernel.w);
    return area >= 32 && area * product(out.h, out.w) <= 4 * product(src.h, src.w);
}

cudaError_t launchAnyForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                             cudaStream_t stream) {
    return fitsInt(params, src) ? launchIndexed<int>(params, src, srcData, dst, stream)
                                : launchIndexed<std::int64_t>(params, src, srcData, dst, stream);
}

} // namespace heteroscope::compute::nvidia
