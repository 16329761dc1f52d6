// SPDX-License-Identifier: Apache-2.0
// Backward pooling by strips: each window's maximum is found once, by the lane it belongs to, and its
// gradient added to K rows that walk down with the band; a row is written when no window below reaches it.
#include "compute/backends/nvidia/kernels/pool/pool_strip.cuh"
#include "compute/backends/nvidia/kernels/pool/pool_strip_launch.cuh"

namespace heteroscope::compute::nvidia {
namespace {

/// The gradients of the lane's windows in row after row of dst.
template <class Shape>
class GradientReader {
  public:
    __device__ __forceinline__ GradientReader(const StripPlan& plan, const Lane& lane, int step,
                                              const LaneWindows<Shape>& windows)
        : m_at(plan.dstGrad + (lane.plane * plan.outHeight + step) * plan.outWidth + windows.output),
          m_width(plan.outWidth),
          m_step(step),
          m_paired(plan.pairAligned) {
#pragma unroll
        for (int i = 0; i < Shape::kWindows; ++i)
            m_heights[i] = lane.active && windows.exists[i] ? plan.outHeight : 0;
    }

    __device__ __forceinline__ float4 read() {
        float4 quad = make_float4(0, 0, 0, 0);
        const float* at = m_at;
        const auto step = static_cast<unsigned>(m_step);
        m_at += m_width;
        ++m_step;
        if (m_paired) { // then both exist or none
            if (step < static_cast<unsigned>(m_heights[0])) {
                const float2 pair = __ldg(reinterpret_cast<const float2*>(at));
                quad.x = pair.x;
                quad.y = pair.y;
            }
            return quad;
        }
        if (step < static_cast<unsigned>(m_heights[0]))
            quad.x = __ldg(at);
        if (step < static_cast<unsigned>(m_heights[1]))
            quad.y = __ldg(at + 1);
        return quad;
    }

    __device__ __forceinline__ static float4 complete(float4 quad) {
        return quad;
    }

  private:
    const float* m_at;
    int m_width, m_step, m_heights[Shape::kWindows];
    bool m_paired;
};

/// The same where each quad has four windows.
template <class Shape>
__device__ __forceinline__ RowReader<false> gradientQuads(const StripPlan& plan, const Lane& lane, int step,
                                                          const LaneWindows<Shape>& windows) {
    RowReader<false> reader(plan.dstGrad + (lane.plane * plan.outHeight + step) * plan.outWidth +
                                windows.output,
                            step, plan.outWidth, plan.outHeight,
                            lane.active && windows.output > -4 && windows.output < plan.outWidth + 3, 0.0F);
    reader.keepInside(plan.dstGrad, plan.dstGrad + plan.planes * plan.outHeight * plan.outWidth,
                      lane.plane == 0 || lane.plane == plan.planes - 1);
    return reader;
}

/// What a window gives: to the one element at `place`, or to all of them.
struct Share {
    float amount;
    int place; ///< row * K + column in the window
};

template <class Shape>
__device__ __forceinline__ Share shareOf(const StripPlan& plan, RowRange rows, int columns, Part window,
                                         float gradient) {
    if constexpr (Shape::kMax)
        return {zeroPadWins<Shape>(plan, rows, columns, window.value) ? 0.0F : gradient, window.place};
    return {gradient / divisor<Shape>(plan, rows, columns), 0};
}

template <class Shape>
using Sums = float[Shape::kKernel][4];

/// Adds what a window gives to the columns of this lane: column 0 of the window is column `offset` of the
/// quad.
template <class Shape>
__device__ __forceinline__ void addShare(Sums<Shape>& sums, Share share, int offset) {
#pragma unroll
    for (int r = 0; r < Shape::kKernel; ++r) {
#pragma unroll
        for (int c = 0; c < Shape::kKernel; ++c) {
            if (offset + c < 0 || offset + c > 3)
                continue;
            if (!Shape::kMax || share.place == r * Shape::kKernel + c)
                sums[r][offset + c] += share.amount;
        }
    }
}

/// The windows of one output row, left to right: the lane's own, then those of the lane to the right that
/// reach here.
template <class Shape>
__device__ __forceinline__ void addShares(Sums<Shape>& sums, const Share (&own)[Shape::kWindows],
                                          const Lane& lane) {
    constexpr int S = Shape::kStride, left = Shape::kLeft;
#pragma unroll
    for (int i = 0; i < Shape::kWindows; ++i)
        addShare<Shape>(sums, own[i], S * i - left);
#pragma unroll
    for (int i = 0; i < Shape::kWindows && S * i < left; ++i) {
        const Share right{fromRight(own[i].amount, 0.0F, lane),
                          Shape::kMax ? fromRight(own[i].place, 0, lane) : 0};
        addShare<Shape>(sums, right, S * i - left + 4);
    }
}

/// Moves the rows up that are not complete after a step.
template <class Shape>
__device__ __forceinline__ void moveUp(Sums<Shape>& sums) {
    constexpr int S = Shape::kStride, K = Shape::kKernel;
#pragma unroll
    for (int r = 0; r < K; ++r) {
#pragma unroll
        for (int c = 0; c < 4; ++c)
            sums[r][c] = r + S < K ? sums[(r + S) % K][c] : 0.0F;
    }
}

/// What the windows of one output row give.
template <class Shape>
__device__ __forceinline__ void findShares(const StripPlan& plan, const LaneWindows<Shape>& windows, int step,
                                           const PartRow<Shape> (&rows)[Shape::kKernel], float4 quad,
                                           Share (&shares)[Shape::kWindows]) {
    const float gradient[4] = {quad.x, quad.y, quad.z, quad.w};
    const RowRange inside = rowRange<Shape>(plan, step);
    const bool exists = step >= 0 && step < plan.outHeight;
#pragma unroll
    for (int i = 0; i < Shape::kWindows; ++i) {
        Part window{};
        if constexpr (Shape::kMax)
            window = reduceWindow<Shape>(rows, i, inside, windows.firstColumn[i]);
        shares[i] = shareOf<Shape>(plan, inside, windows.columns[i], window, gradient[i]);
        if (!exists || !windows.exists[i])
            shares[i].amount = 0.0F;
    }
}

template <class Shape>
__device__ __forceinline__ RowWriter<Shape::kAligned> srcGradWriter(const StripPlan& plan, const Lane& lane,
                                                                    int row) {
    const int top = lane.firstStep * Shape::kStride - plan.padTop;
    return {plan.result + (lane.plane * plan.height + row) * plan.width + lane.column,
            row,
            plan.width,
            max(top, 0),
            lane.active ? min(top + plan.bandSteps * Shape::kStride, plan.height) : 0,
            lane.column,
            lane.begin,
            min(lane.end, plan.width)};
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr int kResident = 1024; ///< threads of a multiprocessor, at most
#else
constexpr int kResident = 1280;
#endif

/// Blocks that must fit a multiprocessor; what was the fastest on an H200. More blocks leave fewer registers
/// to each.
template <class Shape>
constexpr int kBlocksWanted = (Shape::kKernel == 5                      ? 640
                               : Shape::kAligned && Shape::kStride == 2 ? kResident
                                                                        : 1024) /
                              kStripBlock;

template <class Shape>
__device__ __forceinline__ void backwardBand(const StripPlan& plan, const Lane& lane) {
    constexpr int S = Shape::kStride, K = Shape::kKernel, carry = Shape::kCarry, warmUp = Shape::kWarmUp;
    const LaneWindows<Shape> windows(plan, lane);
    const int firstStep = lane.firstStep - warmUp, top = firstStep * S - plan.padTop;
    SrcReader<Shape> src(plan, lane, top);
    auto dstGrad = [&] {
        if constexpr (Shape::kWindows == 4)
            return gradientQuads<Shape>(plan, lane, firstStep, windows);
        else
            return GradientReader<Shape>(plan, lane, firstStep, windows);
    }();
    RowWriter<Shape::kAligned> srcGrad = srcGradWriter<Shape>(plan, lane, top);
    PartRow<Shape> rows[K] = {};
    Sums<Shape> sums = {};
    if constexpr (Shape::kMax) {
#pragma unroll
        for (int r = 0; r < carry; ++r)
            rows[r] = src.reduce(src.read(), lane);
    }
#pragma unroll 1
    for (int done = 0; done < plan.bandSteps + warmUp; ++done) {
        float4 quads[S];
        if constexpr (Shape::kMax) {
#pragma unroll
            for (int r = 0; r < S; ++r)
                quads[r] = src.read();
        }
        const float4 gradients = dstGrad.read();
        if constexpr (Shape::kMax) {
#pragma unroll
            for (int r = 0; r < S; ++r)
                rows[carry + r] = src.reduce(quads[r], lane);
        }
        Share shares[Shape::kWindows];
        findShares<Shape>(plan, windows, firstStep + done, rows, dstGrad.complete(gradients), shares);
        addShares<Shape>(sums, shares, lane);
#pragma unroll
        for (int r = 0; r < S; ++r)
            srcGrad.write(make_float4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]));
        moveUp<Shape>(sums);
#pragma unroll
        for (int r = 0; r < carry; ++r)
            rows[r] = rows[r + S];
    }
}

template <class Shape>
__global__ void __launch_bounds__(kStripBlock, kBlocksWanted<Shape>)
    poolBackwardStrips(const __grid_constant__ StripPlan plan) {
    for (std::int64_t block = blockIdx.x; block < plan.blocks; block += gridDim.x)
        backwardBand<Shape>(plan, findLane(plan, block));
}

struct Backward {
    static constexpr bool kBackward = true;
    template <class Shape>
    static constexpr int kTogether = 1;
    template <class Shape>
    static constexpr auto* kernel() {
        return &poolBackwardStrips<Shape>;
    }
};

} // namespace

cudaError_t launchStripBackward(const PoolParams& params, const Shape4& src, const float* srcData,
                                const float* dstGrad, float* srcGrad, cudaStream_t stream, int bandSteps) {
    return launchStrips<Backward>(params, src, {srcData, dstGrad, srcGrad}, stream, bandSteps);
}

} // namespace heteroscope::compute::nvidia
