// SPDX-License-Identifier: Apache-2.0
// Large windows that do not overlap: a warp or a block reads its window once, and going backward writes the
// cell of the plane that belongs to it: the window and what lies between it and the next.
#include "compute/backends/nvidia/kernels/pool/pool_any.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_wide.h"

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kAhead = 8; ///< elements that a thread reads before it uses any
constexpr int kNowhere = INT32_MAX;

/// Walks over a rectangle of a plane with `Group` threads, row by row.
template <int Group>
class Walk {
  public:
    __device__ __forceinline__ Walk(const Rectangle<int>& area, int width)
        : m_width(width), m_bottom(area.bottom), m_right(area.right), m_columns(area.right - area.left) {
        const int index = static_cast<int>(threadIdx.x) % Group;
        m_row = area.top + index / m_columns;
        m_column = area.left + index % m_columns;
        m_stepRows = Group / m_columns;
        m_stepColumns = Group % m_columns;
    }
    __device__ __forceinline__ bool done() const { return m_row >= m_bottom; }
    __device__ __forceinline__ int row() const { return m_row; }
    __device__ __forceinline__ int column() const { return m_column; }
    __device__ __forceinline__ int place() const { return m_row * m_width + m_column; }
    __device__ __forceinline__ void advance() {
        m_row += m_stepRows;
        m_column += m_stepColumns;
        if (m_column >= m_right) {
            m_column -= m_columns;
            ++m_row;
        }
    }

  private:
    int m_width, m_bottom, m_right, m_columns, m_row, m_column, m_stepRows, m_stepColumns;
};

/// The better of all threads' parts, in all threads of the group.
template <int Group>
__device__ __forceinline__ Found<int> reduceMaximum(Found<int> best) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        best = better<int>(best, {__shfl_xor_sync(0xffffffffU, best.value, step),
                                  __shfl_xor_sync(0xffffffffU, best.place, step)});
    if constexpr (Group > 32) {
        __shared__ Found<int> warps[Group / 32];
        __syncthreads(); // of the window before
        if (threadIdx.x % 32 == 0)
            warps[threadIdx.x / 32] = best;
        __syncthreads();
        best = warps[0];
        for (int i = 1; i < Group / 32; ++i)
            best = better<int>(best, warps[i]);
    }
    return best;
}

template <int Group>
__device__ __forceinline__ float reduceSum(float sum) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffU, sum, step);
    if constexpr (Group > 32) {
        __shared__ float warps[Group / 32];
        __syncthreads(); // of the window before
        if (threadIdx.x % 32 == 0)
            warps[threadIdx.x / 32] = sum;
        __syncthreads();
        sum = 0.0F;
        for (int i = 0; i < Group / 32; ++i)
            sum += warps[i];
    }
    return sum;
}

/// Calls use(value, place) for this thread's elements of the window, in order.
template <int Group, class Use>
__device__ __forceinline__ void forElements(const Rectangle<int>& window, const float* plane, int width,
                                            const Use& use) {
    for (Walk<Group> walk(window, width); !walk.done();) {
        float values[kAhead];
        int places[kAhead];
#pragma unroll
        for (int i = 0; i < kAhead; ++i) {
            places[i] = walk.done() ? kNowhere : walk.place();
            values[i] = walk.done() ? 0.0F : __ldg(plane + walk.place());
            walk.advance();
        }
#pragma unroll
        for (int i = 0; i < kAhead; ++i) {
            if (places[i] != kNowhere)
                use(values[i], places[i]);
        }
    }
}

template <int Group>
__device__ __forceinline__ Found<int> groupMaximum(const Rectangle<int>& window, const float* plane,
                                                   int width) {
    Found<int> best{minusInfinity(), kNowhere};
    forElements<Group>(window, plane, width, [&](float value, int place) {
        if (best.place == kNowhere || beats(value, best.value))
            best = {value, place};
    });
    return reduceMaximum<Group>(best);
}

template <int Group>
__device__ __forceinline__ float groupSum(const Rectangle<int>& window, const float* plane, int width) {
    float sum = 0.0F;
    forElements<Group>(window, plane, width, [&](float value, int) { sum += value; });
    return reduceSum<Group>(sum);
}

/// Which window: its place in dst and its plane.
struct WidePlace {
    std::int64_t plane;
    int row, column;
};

__device__ __forceinline__ WidePlace widePlace(const AnyPlan<int>& plan, std::int64_t window) {
    const Divided column = divide(window, plan.outWidth), row = divide(column.quotient, plan.outHeight);
    return {row.quotient, static_cast<int>(row.remainder), static_cast<int>(column.remainder)};
}

template <PoolMode M, int Group>
__device__ __forceinline__ void forwardWindow(const AnyPlan<int>& plan, std::int64_t at) {
    const WidePlace place = widePlace(plan, at);
    const Rectangle<int> window = windowAt(plan, place.row, place.column);
    const float* plane = plan.src + place.plane * plan.plane();
    float value;
    if constexpr (M == PoolMode::Average) {
        value = groupSum<Group>(window, plane, plan.width) / divisor(plan, window);
    } else {
        value = groupMaximum<Group>(window, plane, plan.width).value;
        value = zeroPadWins(plan, window, value) ? 0.0F : value;
    }
    if (threadIdx.x % Group == 0)
        plan.result[at] = value;
}

/// The cell of a window: up to the next window, at the edges to the edge.
__device__ __forceinline__ Rectangle<int> cellAt(const AnyPlan<int>& plan, int row, int column) {
    return {row == 0 ? 0 : row * plan.strideH - plan.padTop,
            row + 1 == plan.outHeight ? plan.height : (row + 1) * plan.strideH - plan.padTop,
            column == 0 ? 0 : column * plan.strideW - plan.padLeft,
            column + 1 == plan.outWidth ? plan.width : (column + 1) * plan.strideW - plan.padLeft};
}

/// Adding zero makes a negative zero positive, as a sum that begins with zero does.
template <PoolMode M, int Group>
__device__ __forceinline__ void backwardWindow(const AnyPlan<int>& plan, std::int64_t at) {
    const WidePlace place = widePlace(plan, at);
    const Rectangle<int> window = windowAt(plan, place.row, place.column);
    float gradient = __ldg(plan.dstGrad + at) + 0.0F;
    int chosen = kNowhere;
    if constexpr (M == PoolMode::Average) {
        gradient = gradient / divisor(plan, window) + 0.0F;
    } else {
        const Found<int> best =
            groupMaximum<Group>(window, plan.src + place.plane * plan.plane(), plan.width);
        chosen = zeroPadWins(plan, window, best.value) ? kNowhere : best.place;
    }
    float* plane = plan.result + place.plane * plan.plane();
    for (Walk<Group> walk(cellAt(plan, place.row, place.column), plan.width); !walk.done(); walk.advance()) {
        const bool inside = walk.row() >= window.top && walk.row() < window.bottom &&
                            walk.column() >= window.left && walk.column() < window.right;
        const bool gets = M == PoolMode::Average ? inside : walk.place() == chosen;
        __stcs(plane + walk.place(), gets ? gradient : 0.0F);
    }
}

template <PoolMode M, int Group, bool Backward>
__global__ void __launch_bounds__(kAnyBlock) poolWide(const __grid_constant__ AnyPlan<int> plan) {
    constexpr std::int64_t together = kAnyBlock / Group;
    const std::int64_t windows = plan.planes * plan.outPlane();
    for (std::int64_t at = blockIdx.x * together + threadIdx.x / Group; at < windows;
         at += gridDim.x * together) {
        if constexpr (Backward)
            backwardWindow<M, Group>(plan, at);
        else
            forwardWindow<M, Group>(plan, at);
    }
}

template <bool Backward>
cudaError_t launch(const PoolParams& params, const AnyPlan<int>& plan, cudaStream_t stream) {
    const bool byBlock = params.kernel.h * params.kernel.w >= 4096;
    const std::int64_t windows = plan.planes * plan.outPlane(), together = byBlock ? 1 : kAnyBlock / 32;
    const auto blocks = static_cast<unsigned>(std::min((windows + together - 1) / together, kAnyBlocks));
    const auto max =
        byBlock ? &poolWide<PoolMode::Max, kAnyBlock, Backward> : &poolWide<PoolMode::Max, 32, Backward>;
    const auto average = byBlock ? &poolWide<PoolMode::Average, kAnyBlock, Backward>
                                 : &poolWide<PoolMode::Average, 32, Backward>;
    (params.mode == PoolMode::Max ? max : average)<<<blocks, kAnyBlock, 0, stream>>>(plan);
    return cudaGetLastError();
}

} // namespace

bool hasWideKernel(const PoolParams& params, const Shape4& src) {
    const Shape4 out = *poolOutputShape(params, src);
    const bool disjoint = (out.h == 1 || params.kernel.h <= params.stride.h) &&
                          (out.w == 1 || params.kernel.w <= params.stride.w);
    return disjoint && fitsInt(params, src) && params.kernel.h * params.kernel.w >= 256;
}

cudaError_t launchWideForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                              cudaStream_t stream) {
    AnyPlan<int> plan = planAny<int>(params, src);
    plan.src = srcData;
    plan.result = dst;
    return launch<false>(params, plan, stream);
}

cudaError_t launchWideBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                               const float* dstGrad, float* srcGrad, cudaStream_t stream) {
    AnyPlan<int> plan = planAny<int>(params, src);
    plan.src = srcData;
    plan.dstGrad = dstGrad;
    plan.result = srcGrad;
    return launch<true>(params, plan, stream);
}

} // namespace heteroscope::compute::nvidia
