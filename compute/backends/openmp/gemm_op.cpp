// SPDX-License-Identifier: Apache-2.0
// Matrix multiplication on a team of threads: both matrices are packed in slices that fit the caches, and the
// tiles of a slice are shared out. Every sum runs over k in the same order for any number of threads.
#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/backends/openmp/parallel.h"
#include "compute/core/host_session.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute::openmp {
namespace {

constexpr std::int64_t kDepth = 256;         ///< of a slice: a B sliver of 32 columns takes 32 KiB
constexpr std::int64_t kSliceRows = 4032;    ///< of A packed at a time: at most 4 MiB
constexpr std::int64_t kSliceColumns = 2048; ///< of B packed at a time: at most 2 MiB
constexpr std::int64_t kTaskRows = 96;       ///< of a task: 96 KiB of packed A stay in the second cache
constexpr std::int64_t kTaskColumns = 512;
/// Below this many multiply-adds one thread is as fast as a team.
constexpr double kTeamWork = 48.0 * 48 * 48;
constexpr int kMaxTile = 32 * 12;

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

struct Slice {
    std::int64_t row, rows, column, columns, depth, depths;
};

struct GemmPlan {
    Gemm op;
    int threads = 1;
    SimdLevel simd = SimdLevel::Baseline;

    std::int64_t packedA() const {
        return roundUp(std::min(op.m, kSliceRows), kernel().rows) * std::min(op.k, kDepth) + 16;
    }
    std::int64_t packedB() const {
        return roundUp(std::min(op.n, kSliceColumns), kernel().columns) * std::min(op.k, kDepth);
    }
    std::size_t workspaceBytes() const {
        return static_cast<std::size_t>(packedA() + packedB()) * sizeof(float);
    }
    const GemmKernel& kernel() const { return kernelsFor(simd).gemm; }
};

GemmPlan planGemm(const Gemm& op, const Settings& settings) {
    const double work = static_cast<double>(op.m) * static_cast<double>(op.n) * static_cast<double>(op.k);
    return {op, work < kTeamWork ? 1 : settings.threads, settings.simd};
}

std::string gemmName(SimdLevel level) {
    return "openmp:gemm:" + std::string(simdName(level));
}

class GemmOp final : public HostOp {
  public:
    GemmOp(const GemmPlan& plan, std::unique_ptr<DeviceBuffer> workspace)
        : HostOp(plan.op, gemmName(plan.simd)),
          m_plan(plan),
          m_kernel(plan.kernel()),
          m_workspace(std::move(workspace)),
          m_packedB(static_cast<float*>(m_workspace->hostPointer())),
          m_packedA(m_packedB + plan.packedB()) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        runTeam(m_plan.threads, observer, [&](Member member) {
            const Gemm& op = m_plan.op;
            Slice s{};
            for (s.column = 0; s.column < op.n; s.column += kSliceColumns) {
                s.columns = std::min(kSliceColumns, op.n - s.column);
                for (s.depth = 0; s.depth < op.k; s.depth += kDepth) {
                    s.depths = std::min(kDepth, op.k - s.depth);
                    packB(operands.src[1], s, member);
                    multiplyRows(operands, s, member);
                }
            }
        });
        return {};
    }

  private:
    void multiplyRows(const HostOperands& operands, Slice s, Member member) const {
        for (s.row = 0; s.row < m_plan.op.m; s.row += kSliceRows) {
            s.rows = std::min(kSliceRows, m_plan.op.m - s.row);
            packA(operands.src[0], s, member);
            member.waitForTeam();
            const std::int64_t across = (s.columns + kTaskColumns - 1) / kTaskColumns;
            const std::int64_t taskRows = roundUp(kTaskRows, m_kernel.rows);
            const std::int64_t down = (s.rows + taskRows - 1) / taskRows;
            const Share tasks = shareOf(across * down, member);
            for (std::int64_t task = tasks.begin; task < tasks.end; ++task)
                multiplyTask(operands.dst[0], s, task / across * taskRows, task % across * kTaskColumns);
            member.waitForTeam();
        }
    }

    /// Slivers of kernel.columns columns, depth after depth, zeros beyond the matrix.
    void packB(const float* b, const Slice& s, Member member) const {
        const std::int64_t width = m_kernel.columns;
        const Share slivers = shareOf(roundUp(s.columns, width) / width, member);
        for (std::int64_t sliver = slivers.begin; sliver < slivers.end; ++sliver) {
            const std::int64_t first = sliver * width, filled = std::min(width, s.columns - first);
            float* to = m_packedB + sliver * width * s.depths;
            for (std::int64_t p = 0; p < s.depths; ++p, to += width) {
                const float* from = b + (s.depth + p) * m_plan.op.n + s.column + first;
                std::copy_n(from, filled, to);
                std::fill(to + filled, to + width, 0.0F);
            }
        }
    }

    /// Slivers of kernel.rows rows, transposed.
    void packA(const float* a, const Slice& s, Member member) const {
        const std::int64_t height = m_kernel.rows;
        const Share slivers = shareOf(roundUp(s.rows, height) / height, member);
        for (std::int64_t sliver = slivers.begin; sliver < slivers.end; ++sliver) {
            const std::int64_t first = sliver * height;
            float* to = m_packedA + first * s.depths;
            for (std::int64_t i = 0; i < height; ++i) {
                const float* from = a + (s.row + first + i) * m_plan.op.k + s.depth;
                const bool inside = first + i < s.rows;
                for (std::int64_t p = 0; p < s.depths; ++p)
                    to[p * height + i] = inside ? from[p] : 0.0F;
            }
        }
    }

    void multiplyTask(float* c, const Slice& s, std::int64_t rowBegin, std::int64_t columnBegin) const {
        const std::int64_t rowEnd = std::min(rowBegin + roundUp(kTaskRows, m_kernel.rows), s.rows);
        const std::int64_t columnEnd = std::min(columnBegin + kTaskColumns, s.columns);
        for (std::int64_t column = columnBegin; column < columnEnd; column += m_kernel.columns) {
            for (std::int64_t row = rowBegin; row < rowEnd; row += m_kernel.rows)
                multiplyTile(c, s, row, column);
        }
    }

    void multiplyTile(float* c, const Slice& s, std::int64_t row, std::int64_t column) const {
        const float* a = m_packedA + row * s.depths;
        const float* b = m_packedB + column * s.depths;
        float* tile = c + (s.row + row) * m_plan.op.n + s.column + column;
        const bool add = s.depth > 0;
        const std::int64_t rows = std::min<std::int64_t>(m_kernel.rows, s.rows - row);
        const std::int64_t columns = std::min<std::int64_t>(m_kernel.columns, s.columns - column);
        if (rows == m_kernel.rows && columns == m_kernel.columns) {
            m_kernel.tile(s.depths, a, b, tile, m_plan.op.n, add);
            return;
        }
        float part[kMaxTile];
        m_kernel.tile(s.depths, a, b, part, m_kernel.columns, false);
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < columns; ++j) {
                float& element = tile[i * m_plan.op.n + j];
                element = part[i * m_kernel.columns + j] + (add ? element : 0.0F);
            }
        }
    }

    GemmPlan m_plan;
    const GemmKernel& m_kernel;
    std::unique_ptr<DeviceBuffer> m_workspace;
    float* m_packedB;
    float* m_packedA;
};

} // namespace

Support supportsGemm(const Gemm&, const Settings& settings) {
    return Support::yes(gemmName(settings.simd));
}

std::size_t gemmWorkspaceBytes(const Gemm& op, const Settings& settings) {
    return planGemm(op, settings).workspaceBytes();
}

Result<std::unique_ptr<PreparedOp>> prepareGemm(const Gemm& op, const Settings& settings) {
    const GemmPlan plan = planGemm(op, settings);
    auto workspace = allocateHostBuffer(plan.workspaceBytes());
    if (!workspace)
        return workspace.error();
    return std::unique_ptr<PreparedOp>(std::make_unique<GemmOp>(plan, std::move(*workspace)));
}

} // namespace heteroscope::compute::openmp
