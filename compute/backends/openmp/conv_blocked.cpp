// SPDX-License-Identifier: Apache-2.0
// Convolution forward with two vectors of filters by a few neighbouring outputs in registers, over an input
// laid out as conv_lattice.h says. No lane is spent on what lies between the rows of outputs, which costs
// conv_direct.cpp much of small images. Every output is summed by one thread in the order of channels and
// window.
#include "compute/backends/openmp/conv_lattice.h"
#include "compute/backends/openmp/conv_partition.h"
#include "compute/backends/openmp/gemm_partition.h"
#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/base/ceil_div.h"
#include "compute/base/units.h"
#include "compute/core/host_session.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heteroscope::compute::openmp {
namespace {

constexpr std::int64_t kDepth = 576; ///< terms added in registers at a time, if that is a channel
constexpr std::int64_t kChunkFloats = std::int64_t{1} << 21; ///< laid out at a time, if that is an image
constexpr std::int64_t kMostTiles = 32; ///< of a task: their sums stay in the second cache
/// Below this many multiply-adds one thread is as fast as a team.
constexpr double kTeamWork = 64.0 * 64 * 64;

struct BlockedPlan {
    ConvForward op;
    LatticePlan plan;
    std::int64_t channels, filters; ///< of a group
    int threads;
    SimdLevel simd;

    const ConvKernel& kernel() const { return kernelsFor(simd).conv; }
    std::int64_t groups() const { return op.params.groups; }
    const OutputSet& set() const { return plan.sets[0]; }
    std::int64_t taps() const { return std::ssize(set().taps); }
    std::int64_t chunk() const {
        return std::clamp<std::int64_t>(kChunkFloats / plan.lattice.image(), 1, op.src.n);
    }
    std::int64_t laidOut() const { return plan.lattice.inPlace ? 0 : chunk() * plan.lattice.image(); }
    /// A panel: the filters of two vectors.
    std::int64_t panelWidth() const { return kernel().columns; }
    std::int64_t panels() const { return ceilDiv(filters, panelWidth()); }
    /// Tiles of a row of outputs.
    std::int64_t cuts() const { return ceilDiv(set().columns, kernel().rows); }
    std::int64_t tiles() const { return set().rows * cuts(); }
    ConvTasks tasks(std::int64_t images) const {
        return convTasks({images * groups(), tiles(), panels(), kMostTiles}, threads);
    }
    std::int64_t blockChannels() const { return std::clamp<std::int64_t>(kDepth / taps(), 1, channels); }
    /// Whether a single task reads a panel: it lays its weights out itself, a block at a time.
    bool taskPacks() const { return op.src.n == 1 && tasks(1).tileParts == 1; }
    std::int64_t panelFloats() const { return channels * taps() * panelWidth(); }
    std::int64_t packedWeights() const {
        return taskPacks() ? threads * blockChannels() * taps() * panelWidth()
                           : groups() * panels() * panelFloats();
    }
    std::int64_t tileFloats() const { return kernel().rows * panelWidth(); }
    std::int64_t sums() const { return threads * kMostTiles * tileFloats(); }
    std::int64_t starts() const { return groups() * panels() * panelWidth(); }
    std::size_t workspaceBytes() const {
        return static_cast<std::size_t>(laidOut() + packedWeights() + sums() + starts()) * sizeof(float);
    }
};

BlockedPlan planBlocked(const ConvForward& op, const Settings& settings) {
    const ConvParams& p = op.params;
    return {op,
            forwardPlan(p, op.src),
            op.src.c / p.groups,
            p.filters / p.groups,
            opFlops(op) < 2 * kTeamWork ? 1 : settings.threads,
            settings.simd};
}

class BlockedOp final : public HostOp {
  public:
    BlockedOp(BlockedPlan plan, std::unique_ptr<DeviceBuffer> workspace)
        : HostOp(plan.op, implementationName(kConvBlockedName, plan.simd)),
          m_plan(std::move(plan)),
          m_kernel(m_plan.kernel()),
          m_lattice(m_plan.plan.lattice),
          m_workspace(std::move(workspace)),
          m_laidOut(static_cast<float*>(m_workspace->hostPointer())),
          m_weights(m_laidOut + m_plan.laidOut()),
          m_sums(m_weights + m_plan.packedWeights()),
          m_starts(m_sums + m_plan.sums()),
          m_taskPacks(m_plan.taskPacks()) {
        for (std::int64_t c = 0; c < m_plan.blockChannels(); ++c)
            for (const Tap& tap : m_plan.set().taps)
                m_offsets.push_back(c * m_lattice.channel() + tap.offset);
    }

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        const Shape4& src = m_plan.op.src;
        runTeam(m_plan.threads, observer, [&](Member member) {
            prepare(operands, member);
            for (std::int64_t n = 0; n < src.n; n += m_plan.chunk()) {
                const std::int64_t count = std::min(m_plan.chunk(), src.n - n);
                const float* images = operands.src[0] + n * src.c * src.h * src.w;
                if (!m_lattice.inPlace)
                    m_lattice.fill(images, count, m_laidOut, member);
                member.waitForTeam();
                const std::int64_t outputs = m_plan.set().rows * m_plan.set().columns;
                convolve({m_lattice.inPlace ? images : m_laidOut, operands.src[1],
                          operands.dst[0] + n * m_plan.op.params.filters * outputs},
                         count, member);
                member.waitForTeam();
            }
        });
        return {};
    }

  private:
    /// Weights: for each group and panel, channel after channel and tap after tap, those of the panel's
    /// filters. Where sums start: the bias, or zeros.
    void prepare(const HostOperands& operands, Member member) const {
        const std::int64_t depth = m_plan.channels * m_plan.taps();
        const Share share = shareOf(m_plan.groups() * m_plan.panels(), member);
        for (std::int64_t i = share.begin; i < share.end; ++i) {
            const Range filters = filtersOf(i % m_plan.panels());
            const std::int64_t first = i / m_plan.panels() * m_plan.filters + filters.begin;
            float* start = m_starts + i * m_plan.panelWidth();
            std::fill_n(start, m_plan.panelWidth(), 0.0F);
            if (m_plan.op.params.bias)
                std::copy_n(operands.src[2] + first, filters.size(), start);
            if (!m_taskPacks)
                pack(operands.src[1] + first * depth, filters, depth, m_weights + i * m_plan.panelFloats());
        }
    }

    Range filtersOf(std::int64_t panel) const {
        const std::int64_t first = panel * m_plan.panelWidth();
        return {first, std::min(first + m_plan.panelWidth(), m_plan.filters)};
    }

    void pack(const float* lines, const Range& filters, std::int64_t depth, float* to) const {
        kernelsFor(m_plan.simd)
            .gemm.packTransposed(filters.size(), depth, lines, m_plan.channels * m_plan.taps(), to,
                                 m_plan.panelWidth());
    }

    struct Arrays {
        const float *input, *weights;
        float* result;
    };

    void convolve(const Arrays& arrays, std::int64_t images, Member member) const {
        const ConvTasks tasks = m_plan.tasks(images);
        const Share share = shareOf(images * m_plan.groups() * tasks.ofPlane(), member);
        const std::int64_t outputs = m_plan.set().rows * m_plan.set().columns;
        for (std::int64_t task = share.begin; task < share.end; ++task) {
            const std::int64_t plane = task / tasks.ofPlane(), part = task % tasks.ofPlane();
            const std::int64_t image = plane / m_plan.groups(), group = plane % m_plan.groups();
            const Range panels = partOf(m_plan.panels(), 1, part % tasks.sliverParts, tasks.sliverParts);
            for (std::int64_t panel = panels.begin; panel < panels.end; ++panel) {
                Work work{partOf(m_plan.tiles(), 1, part / tasks.sliverParts, tasks.tileParts),
                          filtersOf(panel),
                          group * m_plan.panels() + panel,
                          member.index,
                          {},
                          {},
                          {}};
                const std::int64_t filter = group * m_plan.filters + work.filters.begin;
                work.input =
                    arrays.input + image * m_lattice.image() + group * m_plan.channels * m_lattice.channel();
                work.lines = arrays.weights + filter * m_plan.channels * m_plan.taps();
                work.result = arrays.result + (image * m_plan.op.params.filters + filter) * outputs;
                runPanel(work);
            }
        }
    }

    /// Some tiles of the filters of a panel.
    struct Work {
        Range tiles, filters;
        std::int64_t panel; ///< of all groups
        int member;
        const float *input, *lines; ///< lines: of the filters' weights as they lie
        float* result;
    };

    void runPanel(const Work& work) const {
        const std::int64_t taps = m_plan.taps(), outputs = m_plan.set().rows * m_plan.set().columns;
        float* const sums = m_sums + work.member * kMostTiles * m_plan.tileFloats();
        for (std::int64_t c = 0; c < m_plan.channels; c += m_plan.blockChannels()) {
            const std::int64_t depth = std::min(m_plan.blockChannels(), m_plan.channels - c) * taps;
            const float* weights =
                m_weights + work.panel * m_plan.panelFloats() + c * taps * m_plan.panelWidth();
            if (m_taskPacks) {
                float* mine = m_weights + work.member * m_plan.blockChannels() * taps * m_plan.panelWidth();
                pack(work.lines + c * taps, work.filters, depth, mine);
                weights = mine;
            }
            for (std::int64_t i = work.tiles.begin; i < work.tiles.end; ++i) {
                const Place place = placeOf(i);
                m_kernel.blockedTile[place.columns.size() -
                                     1][work.filters.size() > m_plan.panelWidth() / 2 ? 1 : 0](
                    {depth, weights,
                     work.input + c * m_lattice.channel() + place.row * m_lattice.width + place.columns.begin,
                     m_offsets.data(), c == 0 ? m_starts + work.panel * m_plan.panelWidth() : nullptr,
                     sums + (i - work.tiles.begin) * m_plan.tileFloats()});
            }
        }
        for (std::int64_t i = work.tiles.begin; i < work.tiles.end; ++i) {
            const Place place = placeOf(i);
            m_kernel.blockedStore({sums + (i - work.tiles.begin) * m_plan.tileFloats(), place.columns.size(),
                                   work.filters.size(), outputs,
                                   work.result + place.row * m_plan.set().columns + place.columns.begin});
        }
    }

    struct Place {
        std::int64_t row;
        Range columns;
    };

    Place placeOf(std::int64_t tile) const {
        return {tile / m_plan.cuts(), partOf(m_plan.set().columns, 1, tile % m_plan.cuts(), m_plan.cuts())};
    }

    BlockedPlan m_plan;
    const ConvKernel& m_kernel;
    const Lattice& m_lattice;
    std::unique_ptr<DeviceBuffer> m_workspace;
    float *m_laidOut, *m_weights, *m_sums, *m_starts;
    bool m_taskPacks;
    std::vector<std::int64_t> m_offsets;
};

/// Lanes times steps, of all that is computed, per output and term that is wanted.
struct Waste {
    double blocked, direct;
};

Waste wasteOf(const BlockedPlan& plan) {
    const auto ratio = [](std::int64_t a, std::int64_t b) {
        return static_cast<double>(a) / static_cast<double>(b);
    };
    const OutputSet& set = plan.set();
    const std::int64_t width = plan.panelWidth(), vector = width / 2;
    const std::int64_t places = ceilDiv(set.places(plan.plan.lattice), width) * width;
    const double rows = ratio(set.columns, plan.cuts());
    // Few sums are waited for, and short ones cost no more than to bring them to their places.
    const double waited = std::max(1.0, 4 / rows), stored = 1 + 24 * ratio(1, plan.channels * plan.taps());
    return {ratio(ceilDiv(plan.filters, vector) * vector, plan.filters) * waited * stored,
            ratio(places, set.rows * set.columns)};
}

} // namespace

bool isConvForward(const Op& op) {
    return std::holds_alternative<ConvForward>(op);
}

std::string convBlockedRefusal(const Op& op, const Settings& settings) {
    const Waste waste = wasteOf(planBlocked(std::get<ConvForward>(op), settings));
    if (waste.blocked <= waste.direct)
        return {};
    return "conv_direct is expected to take " + formatFixed(waste.direct / waste.blocked, 2) + " of its time";
}

std::size_t convBlockedWorkspaceBytes(const Op& op, const Settings& settings) {
    return planBlocked(std::get<ConvForward>(op), settings).workspaceBytes();
}

Result<std::unique_ptr<PreparedOp>> prepareConvBlocked(const Op& op, const Settings& settings) {
    BlockedPlan plan = planBlocked(std::get<ConvForward>(op), settings);
    auto workspace = allocateHostBuffer(plan.workspaceBytes());
    if (!workspace)
        return workspace.error();
    return std::unique_ptr<PreparedOp>(std::make_unique<BlockedOp>(std::move(plan), std::move(*workspace)));
}

} // namespace heteroscope::compute::openmp
