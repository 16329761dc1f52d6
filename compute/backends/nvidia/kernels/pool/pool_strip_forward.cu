// SPDX-License-Identifier: Apache-2.0
// Forward pooling by strips.
#include "compute/backends/nvidia/kernels/pool/pool_strip.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_strip_launch.cuh"

namespace heteroscope::compute::nvidia {
namespace {

/// Output rows whose input is read before any is used. Rows that are not aligned need more registers.
template <class Shape>
constexpr int kTogether = Shape::kAligned ? 4 : 2;

/// Writes the lane's windows in row after row of dst.
template <class Shape>
class DstWriter {
  public:
    __device__ __forceinline__ DstWriter(const StripPlan& plan, const Lane& lane,
                                         const LaneWindows<Shape>& windows)
        : m_at(plan.result + (lane.plane * plan.outHeight + lane.firstStep) * plan.outWidth + windows.output),
          m_width(plan.outWidth),
          m_step(lane.firstStep),
          m_end(min(lane.firstStep + plan.bandSteps, plan.outHeight)),
          m_paired(plan.pairAligned) {
        const bool owned = lane.active && lane.column >= lane.begin && lane.column < lane.end;
#pragma unroll
        for (int i = 0; i < Shape::kWindows; ++i)
            m_ends[i] = owned && windows.exists[i] ? m_end : 0;
    }

    __device__ __forceinline__ void write(const float (&value)[Shape::kWindows]) {
        float* at = m_at;
        m_at += m_width;
        const int step = m_step++;
        if (m_paired) { // then both exist or none
            if (step < m_ends[0])
                __stcs(reinterpret_cast<float2*>(at), make_float2(value[0], value[1]));
            return;
        }
#pragma unroll
        for (int i = 0; i < Shape::kWindows; ++i) {
            if (step < m_ends[i])
                __stcs(at + i, value[i]);
        }
    }

  private:
    float* m_at;
    int m_width, m_step, m_end, m_ends[Shape::kWindows];
    bool m_paired;
};

/// The same where each quad has four windows: rows of dst as vectors.
template <class Shape>
__device__ __forceinline__ RowWriter<false> quadWriter(const StripPlan& plan, const Lane& lane,
                                                       const LaneWindows<Shape>& windows) {
    const int shift = windows.output - lane.column; // the same in all lanes
    return {plan.result + (lane.plane * plan.outHeight + lane.firstStep) * plan.outWidth + windows.output,
            lane.firstStep,
            plan.outWidth,
            lane.firstStep,
            lane.active ? min(lane.firstStep + plan.bandSteps, plan.outHeight) : 0,
            windows.output,
            max(lane.begin + shift, 0),
            min(lane.end + shift, plan.outWidth)};
}

template <class Shape>
__device__ __forceinline__ float pooled(const StripPlan& plan, RowRange rows, int columns, float reduced) {
    if constexpr (Shape::kMax)
        return zeroPadWins<Shape>(plan, rows, columns, reduced) ? 0.0F : reduced;
    return reduced / divisor<Shape>(plan, rows, columns);
}

template <class Shape>
__device__ __forceinline__ void forwardBand(const StripPlan& plan, const Lane& lane) {
    constexpr int S = Shape::kStride, K = Shape::kKernel, carry = Shape::kCarry, together = kTogether<Shape>;
    const LaneWindows<Shape> windows(plan, lane);
    SrcReader<Shape> src(plan, lane, lane.firstStep * S - plan.padTop);
    auto dst = [&] {
        if constexpr (Shape::kWindows == 4)
            return quadWriter<Shape>(plan, lane, windows);
        else
            return DstWriter<Shape>(plan, lane, windows);
    }();
    PartRow<Shape> rows[K];
#pragma unroll
    for (int r = 0; r < carry; ++r)
        rows[r] = src.reduce(src.read(), lane);
#pragma unroll 1
    for (int done = 0; done < plan.bandSteps; done += together) {
        float4 quads[together * S];
#pragma unroll
        for (int r = 0; r < together * S; ++r)
            quads[r] = src.read();
#pragma unroll
        for (int step = 0; step < together; ++step) {
#pragma unroll
            for (int r = 0; r < S; ++r)
                rows[carry + r] = src.reduce(quads[step * S + r], lane);
            const RowRange inside = rowRange<Shape>(plan, lane.firstStep + done + step);
            float value[Shape::kWindows];
#pragma unroll
            for (int i = 0; i < Shape::kWindows; ++i)
                value[i] = pooled<Shape>(plan, inside, windows.columns[i],
                                         reduceWindow<Shape>(rows, i, inside, windows.firstColumn[i]).value);
            if constexpr (Shape::kWindows == 4)
                dst.write(make_float4(value[0], value[1], value[2], value[3]));
            else
                dst.write(value);
#pragma unroll
            for (int r = 0; r < carry; ++r)
                rows[r] = rows[r + S];
        }
    }
}

template <class Shape>
__global__ void __launch_bounds__(kStripBlock) poolForwardStrips(const __grid_constant__ StripPlan plan) {
    for (std::int64_t block = blockIdx.x; block < plan.blocks; block += gridDim.x)
        forwardBand<Shape>(plan, findLane(plan, block));
}

struct Forward {
    static constexpr bool kBackward = false;
    template <class Shape>
    static constexpr int kTogether = nvidia::kTogether<Shape>;
    template <class Shape>
    static constexpr auto* kernel() {
        return &poolForwardStrips<Shape>;
    }
};

} // namespace

cudaError_t launchStripForward(const PoolParams& params, const Shape4& src, const float* srcData, float* dst,
                               cudaStream_t stream, int bandSteps) {
    return launchStrips<Forward>(params, src, {srcData, nullptr, dst}, stream, bandSteps);
}

} // namespace heteroscope::compute::nvidia
