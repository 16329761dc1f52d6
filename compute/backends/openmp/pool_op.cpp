// SPDX-License-Identifier: Apache-2.0
// Pooling on a team of threads: every thread takes a run of rows over all planes, computes a few at a time
// into a small block, and copies the block out past the caches when the data are larger than they are.
#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/core/host_session.h"
#include "compute/core/team.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <xmmintrin.h>

namespace heteroscope::compute::openmp {
namespace {

/// Below this many bytes moved, one thread does the work alone. A choice; the cost of opening a team was not
/// measured.
constexpr double kPoolTeamBytes = 64.0 * 1024;
/// Elements computed before they are copied out: 16 KiB stay in the first cache beside the input.
constexpr std::int64_t kBlockElements = 512;
constexpr std::int64_t kMaxVector = 16;
/// Rows of fewer outputs follow each other so closely that they are fetched as one stream.
constexpr std::int64_t kHalfVectorElements = 512;

struct PoolPlan {
    PoolGeometry geometry{};
    std::int64_t planes = 0;
    bool backward = false;
    int threads = 1;
    SimdLevel simd = SimdLevel::Baseline;
    bool stream = false; ///< outputs go past the caches
    bool pairs = false;  ///< backward: 2x2 windows that do not overlap, two input rows at a time
    bool threes = false; ///< backward: 3x3 windows that share the maxima of three neighbours

    std::int64_t rowLength() const { return pairs ? 2 * geometry.w : backward ? geometry.w : geometry.outW; }
    std::int64_t rowsPerPlane() const {
        return pairs ? (geometry.h + 1) / 2 : backward ? geometry.h : geometry.outH;
    }
    /// Rows of a block: together a whole number of cache lines, so that blocks do not meet within one.
    std::int64_t blockRows() const {
        const std::int64_t whole = kMaxVector / std::gcd(kMaxVector, rowLength());
        const std::int64_t rows = std::max<std::int64_t>(kBlockElements / rowLength(), 1);
        return std::min((rows + whole - 1) / whole * whole, rowsPerPlane());
    }
    /// Room for one block and what vectors write beyond its last row; 64-byte multiples.
    std::int64_t blockElements() const { return roundUp(blockRows() * rowLength() + 2 * kMaxVector); }
    std::int64_t lineCount() const {
        return backward && !pairs && !threes ? (geometry.kh - 1) / geometry.sh + 1 : 0;
    }
    std::int64_t lineLeft() const { return roundUp(geometry.kw); }
    std::int64_t lineStride() const {
        return roundUp(lineLeft() + geometry.outW + geometry.kw + 3 * kMaxVector);
    }
    std::int64_t threesWords() const {
        const std::int64_t inputs = (geometry.w + geometry.sw - 1) / geometry.sw;
        return (roundUp(std::max(geometry.outW, inputs)) + 63) / 64;
    }
    std::int64_t threesElements() const {
        return threes ? roundUp(6 * lineStride() + 2 * ThreesLines::kBitLines * threesWords()) : 0;
    }
    std::int64_t elementsPerThread() const {
        return blockElements() + 2 * lineCount() * lineStride() + threesElements();
    }
    std::size_t workspaceBytes() const {
        return static_cast<std::size_t>(elementsPerThread()) * sizeof(float) *
               static_cast<std::size_t>(threads);
    }

  private:
    static std::int64_t roundUp(std::int64_t elements) {
        return (elements + kMaxVector - 1) / kMaxVector * kMaxVector;
    }
};

/// Vectors wider than the rows would leave all work to the edges' scalar code.
SimdLevel levelForWidth(std::int64_t width, SimdLevel best) {
    if (width >= kKernelsAvx512.pool.width)
        return best;
    return width >= kKernelsAvx2.pool.width ? std::min(best, SimdLevel::Avx2) : SimdLevel::Baseline;
}

/// Why the kernels for 2x2 windows do not do it: pairs of rows backward, forward whole cache lines of short
/// rows that go past the caches.
std::string refusal2x2(const PoolPlan& plan) {
    const PoolGeometry& g = plan.geometry;
    const std::int64_t width = kernelsFor(plan.simd).pool.width;
    if (g.average || g.kh != 2 || g.kw != 2 || g.sh != 2 || g.sw != 2)
        return "it computes maxima of windows 2x2 with stride 2 alone";
    if (g.padTop != 0 || g.padLeft != 0 || 2 * g.outH > g.h || 2 * g.outW > g.w)
        return "windows leave the input";
    if (g.outW < width)
        return "rows have " + std::to_string(g.outW) + " windows, fewer than a vector of " +
               std::to_string(width);
    if (plan.backward)
        return {};
    if (!plan.stream)
        return "input and output fit into the last-level cache";
    if (g.outW >= kHalfVectorElements || g.outW % (kMaxVector / 2) != 0)
        return "rows have " + std::to_string(g.outW) + " windows, not a multiple of " +
               std::to_string(kMaxVector / 2) + " below " + std::to_string(kHalfVectorElements);
    return {};
}

std::string refusal3x3(const PoolPlan& plan) {
    const PoolGeometry& g = plan.geometry;
    if (g.average || g.kh != 3 || g.kw != 3 || g.sh != g.sw || g.sw > 2)
        return "it computes maxima of windows 3x3 with stride 1 or 2 alone";
    if (g.zeroPad || g.padTop > 1 || g.padLeft > 1)
        return "it pads with at most 1, by minus infinity";
    return {};
}

PoolPlan planPool(PoolKernel kernel, const PoolParams& params, const Shape4& src, bool backward,
                  const Settings& settings) {
    const Shape4 out = *poolOutputShape(params, src);
    PoolPlan plan;
    plan.geometry = {src.h,
                     src.w,
                     out.h,
                     out.w,
                     params.kernel.h,
                     params.kernel.w,
                     params.stride.h,
                     params.stride.w,
                     params.padding.top,
                     params.padding.left,
                     params.mode == PoolMode::Average,
                     params.padValue == PadValue::Zero,
                     params.countIncludePad,
                     false,
                     false,
                     false};
    plan.geometry.threes = kernel == PoolKernel::Windows3x3;
    plan.planes = src.n * src.c;
    plan.backward = backward;
    const double bytes =
        backward ? opMinimumBytes(PoolBackward{params, src}) : opMinimumBytes(PoolForward{params, src});
    plan.simd = levelForWidth(out.w, settings.simd);
    plan.pairs = backward && kernel == PoolKernel::Windows2x2;
    plan.threes = backward && kernel == PoolKernel::Windows3x3;
    const std::int64_t rows = plan.planes * plan.rowsPerPlane();
    plan.threads =
        bytes < kPoolTeamBytes ? 1 : static_cast<int>(std::min<std::int64_t>(settings.threads, rows));
    plan.stream = bytes > static_cast<double>(lastLevelCacheBytes());
    plan.geometry.fetchAhead = plan.stream;
    plan.geometry.halfVectors = !backward && kernel == PoolKernel::Windows2x2;
    return plan;
}

class PoolOp final : public HostOp {
  public:
    PoolOp(const Op& op, const PoolPlan& plan, std::string implementation,
           std::unique_ptr<DeviceBuffer> workspace)
        : HostOp(op, std::move(implementation)),
          m_plan(plan),
          m_kernels(kernelsFor(plan.simd).pool),
          m_workspace(std::move(workspace)) {
        // What lies beside the lines is read and must never count: values are zero already, codes get -1.
        for (int thread = 0; thread < plan.threads; ++thread) {
            const PoolLines lines = linesOf(thread);
            std::fill_n(lines.code, lines.count * lines.stride, -1);
        }
    }

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        runTeam(m_plan.threads, observer, [&](Member member) {
            const Share rows = shareOf(m_plan.planes * m_plan.rowsPerPlane(), member);
            forEachPlane(rows, [&](std::int64_t plane, Share planeRows) {
                if (m_plan.pairs)
                    backwardPairs(operands, plane, planeRows, member.index);
                else if (m_plan.backward)
                    backwardPlane(operands, plane, planeRows, member.index);
                else
                    forwardPlane(operands, plane, planeRows, member.index);
            });
            if (m_plan.stream)
                _mm_sfence(); // what went past the caches is there before the op ends
        });
        return {};
    }

  private:
    /// Splits a run of rows over all planes into runs within one plane.
    template <class Body>
    void forEachPlane(Share rows, const Body& body) const {
        const std::int64_t height = m_plan.rowsPerPlane();
        for (std::int64_t row = rows.begin; row < rows.end;) {
            const std::int64_t plane = row / height;
            const std::int64_t end = std::min(rows.end, (plane + 1) * height);
            body(plane, Share{row - plane * height, end - plane * height});
            row = end;
        }
    }

    float* blockOf(int thread) const {
        return static_cast<float*>(m_workspace->hostPointer()) + thread * m_plan.elementsPerThread();
    }

    PoolLines linesOf(int thread) const {
        float* values = blockOf(thread) + m_plan.blockElements();
        const std::int64_t elements = m_plan.lineCount() * m_plan.lineStride();
        // The second half of the lines holds integers; both types have four bytes.
        auto* codes = reinterpret_cast<std::int32_t*>(values + elements);
        return {values, codes, m_plan.lineStride(), m_plan.lineLeft(), m_plan.lineCount()};
    }

    ThreesLines threesLinesOf(int thread) const {
        float* values = blockOf(thread) + m_plan.blockElements();
        float* best = values + 3 * m_plan.lineStride();
        // Behind them lie words of bits; all of it starts at a multiple of 64 bytes.
        auto* bits = reinterpret_cast<std::uint64_t*>(best + 3 * m_plan.lineStride());
        return {values, best, bits, m_plan.lineStride(), m_plan.lineLeft(), m_plan.threesWords()};
    }

    /// Rows of whole cache lines can go past the caches as they are computed; others from a block. `unit`:
    /// for kernels that need less than a line of sixteen elements.
    bool streamsDirectly(const float* dst, std::int64_t rowLength, std::int64_t unit = kMaxVector) const {
        return m_plan.stream && rowLength % unit == 0 &&
               reinterpret_cast<std::uintptr_t>(dst) % (static_cast<std::size_t>(unit) * sizeof(float)) == 0;
    }

    void forwardPlane(const HostOperands& operands, std::int64_t plane, Share rows, int thread) const {
        const PoolGeometry& g = m_plan.geometry;
        const float* src = operands.src[0] + plane * g.h * g.w;
        float* dst = operands.dst[0] + plane * g.outH * g.outW;
        const bool direct = streamsDirectly(dst, g.outW, g.halfVectors ? kMaxVector / 2 : kMaxVector);
        if (!m_plan.stream || direct) {
            m_kernels.forward(g, src, rows.begin, rows.end, dst + rows.begin * g.outW, direct);
            return;
        }
        float* block = blockOf(thread);
        for (std::int64_t row = rows.begin; row < rows.end; row += m_plan.blockRows()) {
            const std::int64_t end = std::min(rows.end, row + m_plan.blockRows());
            m_kernels.forward(g, src, row, end, block, false);
            m_kernels.streamCopy(dst + row * g.outW, block, (end - row) * g.outW);
        }
    }

    void backwardPairs(const HostOperands& operands, std::int64_t plane, Share pairs, int thread) const {
        const PoolGeometry& g = m_plan.geometry;
        const float* src = operands.src[0] + plane * g.h * g.w;
        const float* dstGrad = operands.src[1] + plane * g.outH * g.outW;
        float* dst = operands.dst[0] + plane * g.h * g.w;
        const bool direct = streamsDirectly(dst, g.w) && 2 * g.outW == g.w;
        float* block = blockOf(thread);
        for (std::int64_t pair = pairs.begin; pair < pairs.end; ++pair) {
            float* to = dst + 2 * pair * g.w;
            if (!m_plan.stream || direct) {
                m_kernels.backwardPair(g, src, dstGrad, pair, to, direct);
                continue;
            }
            m_kernels.backwardPair(g, src, dstGrad, pair, block, false);
            m_kernels.streamCopy(to, block, std::min<std::int64_t>(2, g.h - 2 * pair) * g.w);
        }
    }

    void backwardPlane(const HostOperands& operands, std::int64_t plane, Share rows, int thread) const {
        const PoolGeometry& g = m_plan.geometry;
        const float* src = operands.src[0] + plane * g.h * g.w;
        const float* dstGrad = operands.src[1] + plane * g.outH * g.outW;
        float* srcGrad = operands.dst[0] + plane * g.h * g.w;
        const PoolLines lines = linesOf(thread);
        const ThreesLines threes = threesLinesOf(thread);
        float* block = blockOf(thread);
        std::int64_t nextLine = firstCovering(rows.begin);
        std::int64_t nextInput = std::max<std::int64_t>(nextLine * g.sh - g.padTop, 0);
        const bool direct = m_plan.threes && streamsDirectly(srcGrad, g.w);
        const auto gradientRow = [&](std::int64_t row, float* to) {
            for (; nextLine <= lastCovering(row); ++nextLine) {
                const float* gradient = dstGrad + nextLine * g.outW;
                if (!m_plan.threes) {
                    m_kernels.backwardLine(g, src, gradient, nextLine, lines);
                    continue;
                }
                for (const std::int64_t end = std::min(nextLine * g.sh - g.padTop + 3, g.h); nextInput < end;
                     ++nextInput)
                    m_kernels.threesRow(g, src, nextInput, threes);
                m_kernels.threesLine(g, gradient, nextLine, threes);
            }
            if (m_plan.threes)
                m_kernels.threesGradient(g, row, threes, to, direct);
            else
                m_kernels.backwardRow(g, row, lines, to);
        };
        if (direct) {
            for (std::int64_t row = rows.begin; row < rows.end; ++row)
                gradientRow(row, srcGrad + row * g.w);
            return;
        }
        const std::int64_t step = m_plan.stream ? m_plan.blockRows() : 1;
        for (std::int64_t row = rows.begin; row < rows.end; row += step) {
            const std::int64_t end = std::min(rows.end, row + step);
            // Vectors write beyond the end of a row: into rows of ours that come later, or else into the
            // block.
            if (!m_plan.stream && (rows.end - end) * g.w >= 2 * kMaxVector) {
                gradientRow(row, srcGrad + row * g.w);
                continue;
            }
            for (std::int64_t y = row; y < end; ++y)
                gradientRow(y, block + (y - row) * g.w);
            copyOut(srcGrad + row * g.w, block, (end - row) * g.w);
        }
    }

    void copyOut(float* dst, const float* block, std::int64_t count) const {
        if (m_plan.stream)
            m_kernels.streamCopy(dst, block, count);
        else
            std::memcpy(dst, block, static_cast<std::size_t>(count) * sizeof(float));
    }

    std::int64_t firstCovering(std::int64_t row) const {
        const std::int64_t reach = row + m_plan.geometry.padTop - m_plan.geometry.kh;
        return reach < 0 ? 0 : reach / m_plan.geometry.sh + 1;
    }

    std::int64_t lastCovering(std::int64_t row) const {
        return std::min((row + m_plan.geometry.padTop) / m_plan.geometry.sh, m_plan.geometry.outH - 1);
    }

    PoolPlan m_plan;
    const PoolKernels& m_kernels;
    std::unique_ptr<DeviceBuffer> m_workspace;
};

struct PoolProblem {
    const PoolParams& params;
    const Shape4& src;
    bool backward;
};

PoolProblem problemOf(const Op& op) {
    if (const auto* forward = std::get_if<PoolForward>(&op))
        return {forward->params, forward->src, false};
    const auto& backward = std::get<PoolBackward>(op);
    return {backward.params, backward.src, true};
}

PoolPlan planOf(PoolKernel kernel, const Op& op, const Settings& settings) {
    const PoolProblem problem = problemOf(op);
    return planPool(kernel, problem.params, problem.src, problem.backward, settings);
}

} // namespace

const char* poolKernelName(PoolKernel kernel) {
    switch (kernel) {
    case PoolKernel::Windows2x2:
        return "pool_2x2";
    case PoolKernel::Windows3x3:
        return "pool_3x3";
    case PoolKernel::Rows:
        return "pool_rows";
    }
    return "";
}

bool isPool(const Op& op) {
    return std::holds_alternative<PoolForward>(op) || std::holds_alternative<PoolBackward>(op);
}

std::string poolRefusal(PoolKernel kernel, const Op& op, const Settings& settings) {
    const PoolProblem problem = problemOf(op);
    const auto area = checkedMul(problem.params.kernel.h, problem.params.kernel.w);
    if (!area || *area > std::numeric_limits<std::int32_t>::max())
        return "indices within a window are 32-bit numbers here: the kernel has more than 2147483647 "
               "elements";
    const PoolPlan plan = planOf(kernel, op, settings);
    switch (kernel) {
    case PoolKernel::Windows2x2:
        return refusal2x2(plan);
    case PoolKernel::Windows3x3:
        return refusal3x3(plan);
    case PoolKernel::Rows:
        return {};
    }
    return {};
}

SimdLevel poolLevel(const Op& op, const Settings& settings) {
    return planOf(PoolKernel::Rows, op, settings).simd;
}

std::size_t poolWorkspaceBytes(PoolKernel kernel, const Op& op, const Settings& settings) {
    return planOf(kernel, op, settings).workspaceBytes();
}

Result<std::unique_ptr<PreparedOp>> preparePool(PoolKernel kernel, const Op& op, const Settings& settings) {
    const PoolPlan plan = planOf(kernel, op, settings);
    auto workspace = allocateHostBuffer(plan.workspaceBytes());
    if (!workspace)
        return workspace.error();
    return std::unique_ptr<PreparedOp>(std::make_unique<PoolOp>(
        op, plan, implementationName(poolKernelName(kernel), plan.simd), std::move(*workspace)));
}

} // namespace heteroscope::compute::openmp
