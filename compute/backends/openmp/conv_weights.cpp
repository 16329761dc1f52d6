// SPDX-License-Identifier: Apache-2.0
// The gradients of a convolution's weights and bias: input and output gradient are laid out on one lattice,
// so that each weight's gradient is the product of two lines. Every one is summed by one thread, a few images
// at a time, in an order that no team changes.
#include "compute/backends/openmp/conv_lattice.h"
#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/core/host_session.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute::openmp {
namespace {

constexpr std::int64_t kChunkPlaces = 8192; ///< added in registers before the lanes are
constexpr double kTeamWork = 64.0 * 64 * 64;
constexpr std::int64_t kLine = 16; ///< lines are whole vectors of any instruction set
constexpr std::int64_t kSlack = 64;

struct WeightPlan {
    ConvBackwardWeights op;
    LatticePlan plan;
    Shape4 dst;
    int threads;
    SimdLevel simd;

    const OutputSet& set() const { return plan.sets[0]; }
    const ConvKernel& kernel() const { return kernelsFor(simd).conv; }
    std::int64_t places() const { return (set().places(plan.lattice) + kLine - 1) / kLine * kLine; }
    std::int64_t chunk() const {
        return std::clamp<std::int64_t>((kChunkPlaces + places() - 1) / places(), 1, op.src.n);
    }
    std::int64_t inputFloats() const { return chunk() * plan.lattice.image() + kSlack; }
    std::int64_t gradientFloats() const { return chunk() * dst.c * places(); }
    std::size_t workspaceBytes() const {
        return static_cast<std::size_t>(inputFloats() + gradientFloats()) * sizeof(float);
    }
};

WeightPlan planWeights(const ConvBackwardWeights& op, const Settings& settings) {
    WeightPlan plan{op, forwardPlan(op.params, op.src), *convOutputShape(op.params, op.src),
                    opFlops(op) < 2 * kTeamWork ? 1 : settings.threads, settings.simd};
    if (plan.plan.lattice.inPlace) { // the lines' ends would be read beyond the input
        LatticePlan& made = plan.plan;
        made.lattice.inPlace = false;
    }
    return plan;
}

class WeightOp final : public HostOp {
  public:
    WeightOp(WeightPlan plan, std::unique_ptr<DeviceBuffer> workspace)
        : HostOp(plan.op, implementationName(kConvWeightsName, plan.simd)),
          m_plan(std::move(plan)),
          m_kernel(m_plan.kernel()),
          m_lattice(m_plan.plan.lattice),
          m_workspace(std::move(workspace)),
          m_input(static_cast<float*>(m_workspace->hostPointer())),
          m_gradient(m_input + m_plan.inputFloats()),
          m_channels(m_plan.op.src.c / m_plan.op.params.groups),
          m_filters(m_plan.op.params.filters / m_plan.op.params.groups) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        const Shape4 &src = m_plan.op.src, &dst = m_plan.dst;
        runTeam(m_plan.threads, observer, [&](Member member) {
            if (m_plan.op.params.bias)
                sumBias(operands.src[1], operands.dst[1], member);
            for (std::int64_t n = 0; n < src.n; n += m_plan.chunk()) {
                const std::int64_t count = std::min(m_plan.chunk(), src.n - n);
                m_lattice.fill(operands.src[0] + n * src.c * src.h * src.w, count, m_input, member);
                layGradient(operands.src[1] + n * dst.c * dst.h * dst.w, count, member);
                member.waitForTeam();
                addProducts(operands.dst[0], count, n > 0, member);
                member.waitForTeam();
            }
        });
        return {};
    }

  private:
    void sumBias(const float* gradient, float* to, Member member) const {
        const Shape4& dst = m_plan.dst;
        const std::int64_t plane = dst.h * dst.w;
        const Share share = shareOf(dst.c, member);
        for (std::int64_t f = share.begin; f < share.end; ++f) {
            double sum = 0.0;
            for (std::int64_t n = 0; n < dst.n; ++n) {
                const float* line = gradient + (n * dst.c + f) * plane;
                double lanes[8] = {};
                std::int64_t i = 0;
                for (; i + 8 <= plane; i += 8)
                    for (int lane = 0; lane < 8; ++lane)
                        lanes[lane] += static_cast<double>(line[i + lane]);
                for (; i < plane; ++i)
                    lanes[0] += static_cast<double>(line[i]);
                for (const double lane : lanes)
                    sum += lane;
            }
            to[f] = static_cast<float>(sum);
        }
    }

    /// Rows as far apart as the lattice's, zeros where no output is.
    void layGradient(const float* gradient, std::int64_t images, Member member) const {
        const Shape4& dst = m_plan.dst;
        const Share share = shareOf(images * dst.c, member);
        for (std::int64_t i = share.begin; i < share.end; ++i) {
            const float* from = gradient + i * dst.h * dst.w;
            float *to = m_gradient + i * m_plan.places(), *end = to + m_plan.places();
            for (std::int64_t y = 0; y < dst.h; ++y, from += dst.w) {
                to = std::copy_n(from, dst.w, to);
                float* next = std::min(to + m_lattice.width - dst.w, end);
                std::fill(to, next, 0.0F);
                to = next;
            }
            std::fill(to, end, 0.0F);
        }
    }

    void addProducts(float* weightGrad, std::int64_t images, bool add, Member member) const {
        const std::int64_t height = m_filters == 1 ? 1 : m_kernel.weightRows, width = m_kernel.weightColumns;
        const std::int64_t depth = m_channels * std::ssize(m_plan.set().taps);
        const std::int64_t down = (m_filters + height - 1) / height, across = (depth + width - 1) / width;
        const Share share = shareOf(m_plan.op.params.groups * down * across, member);
        for (std::int64_t i = share.begin; i < share.end; ++i) {
            const std::int64_t group = i / across / down;
            const Tile tile{group, i / across % down * height, i % across * width, height, depth};
            addTile(weightGrad, tile, images, add);
        }
    }

    struct Tile {
        std::int64_t group, row, column, height, depth;
    };

    void addTile(float* weightGrad, const Tile& tile, std::int64_t images, bool add) const {
        const auto& taps = m_plan.set().taps;
        std::int64_t rows[ConvKernel::kMostWeightRows], columns[ConvKernel::kMostWeightColumns];
        for (std::int64_t i = 0; i < tile.height; ++i) // beyond the last: the last again, not stored
            rows[i] = (tile.group * m_filters + std::min(tile.row + i, m_filters - 1)) * m_plan.places();
        for (std::int64_t j = 0; j < m_kernel.weightColumns; ++j) {
            const std::int64_t k = std::min(tile.column + j, tile.depth - 1);
            columns[j] = (tile.group * m_channels + k / std::ssize(taps)) * m_lattice.channel() +
                         taps[static_cast<std::size_t>(k % std::ssize(taps))].offset;
        }
        const WeightRuns runs{m_gradient,        m_input,        images, m_plan.dst.c * m_plan.places(),
                              m_lattice.image(), m_plan.places()};
        float sums[ConvKernel::kMostWeightRows * ConvKernel::kMostWeightColumns];
        (tile.height == 1 ? m_kernel.weightRow : m_kernel.weightTile)(runs, rows, columns, sums);
        for (std::int64_t i = 0; i < tile.height && tile.row + i < m_filters; ++i)
            for (std::int64_t j = 0; j < m_kernel.weightColumns && tile.column + j < tile.depth; ++j) {
                float& to =
                    weightGrad[(tile.group * m_filters + tile.row + i) * tile.depth + tile.column + j];
                to = sums[i * m_kernel.weightColumns + j] + (add ? to : 0.0F);
            }
    }

    WeightPlan m_plan;
    const ConvKernel& m_kernel;
    const Lattice& m_lattice;
    std::unique_ptr<DeviceBuffer> m_workspace;
    float *m_input, *m_gradient;
    std::int64_t m_channels, m_filters; ///< of a group
};

} // namespace

bool isConvWeights(const Op& op) {
    return std::holds_alternative<ConvBackwardWeights>(op);
}

std::size_t convWeightsWorkspaceBytes(const Op& op, const Settings& settings) {
    return planWeights(std::get<ConvBackwardWeights>(op), settings).workspaceBytes();
}

Result<std::unique_ptr<PreparedOp>> prepareConvWeights(const Op& op, const Settings& settings) {
    WeightPlan plan = planWeights(std::get<ConvBackwardWeights>(op), settings);
    auto workspace = allocateHostBuffer(plan.workspaceBytes());
    if (!workspace)
        return workspace.error();
    return std::unique_ptr<PreparedOp>(std::make_unique<WeightOp>(std::move(plan), std::move(*workspace)));
}

} // namespace heteroscope::compute::openmp
