// SPDX-License-Identifier: Apache-2.0
// Convolution and its input's gradient: tiles of outputs by filters over an input laid out as conv_lattice.h
// says. Every output is summed by one thread in the order of channels and window, whatever the team.
#include "compute/backends/openmp/conv_lattice.h"
#include "compute/backends/openmp/conv_partition.h"
#include "compute/backends/openmp/gemm_partition.h"
#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/core/host_session.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute::openmp {
namespace {

constexpr std::int64_t kDepth = 576;                         ///< terms added in registers at a time
constexpr std::int64_t kChunkFloats = std::int64_t{1} << 21; ///< laid out at a time, if that is an image
/// Below this many multiply-adds one thread is as fast as a team.
constexpr double kTeamWork = 64.0 * 64 * 64;
/// Floats that a tile reads beyond the last place; also zeros, so that nothing there is no number.
constexpr std::int64_t kSlack = 64;

/// A convolution as the tiles see it: forward, or from the output's gradient to the input's.
struct DirectPlan {
    Op op;
    ConvParams params;
    LatticePlan plan;
    Shape4 result;
    std::int64_t groups, inputs, outputs; ///< channels of a group on both sides
    bool backward;
    int threads;
    SimdLevel simd;

    const ConvKernel& kernel() const { return kernelsFor(simd).conv; }
    std::int64_t images() const { return plan.lattice.src.n; }
    std::int64_t chunk() const {
        return std::clamp<std::int64_t>(kChunkFloats / plan.lattice.image(), 1, images());
    }
    std::int64_t weightsOf(const OutputSet& set) const { return inputs * std::ssize(set.taps) * outputs; }
    ConvTasks tasksOf(const OutputSet& set, std::int64_t count) const {
        return convTasks({count * groups, tilesOf(set), slivers()}, threads);
    }
    std::int64_t tilesOf(const OutputSet& set) const {
        return (set.places(plan.lattice) + kernel().columns - 1) / kernel().columns;
    }
    std::int64_t slivers() const { return (outputs + kernel().rows - 1) / kernel().rows; }
    /// Whether a single task reads a sliver's weights: it lays them out itself, a block at a time, which then
    /// stays in its caches. Else they are laid out once for all.
    bool taskPacks() const { return !backward && images() == 1 && tasksOf(plan.sets[0], 1).tileParts == 1; }
    /// Terms of the longest block: of a channel at least.
    std::int64_t mostDepth() const {
        std::int64_t most = kDepth;
        for (const OutputSet& set : plan.sets)
            most = std::max(most, std::ssize(set.taps));
        return most;
    }
    std::int64_t blockWeights() const { return kernel().rows * mostDepth(); }
    std::int64_t packedWeights() const {
        if (taskPacks())
            return threads * blockWeights();
        std::int64_t floats = 16;
        for (const OutputSet& set : plan.sets)
            floats += groups * weightsOf(set);
        return floats;
    }
    std::int64_t laidOut() const {
        return plan.lattice.inPlace ? 0 : chunk() * plan.lattice.image() + kSlack;
    }
    std::int64_t tailFloats() const { return mostDepth() * kernel().columns; }
    std::int64_t tails() const { return plan.lattice.inPlace ? threads * tailFloats() : 0; }
    std::size_t workspaceBytes() const {
        return static_cast<std::size_t>(packedWeights() + laidOut() + tails()) * sizeof(float);
    }
};

template <class Conv>
DirectPlan planOf(const Conv& op, const Settings& settings, bool backward) {
    const ConvParams& p = op.params;
    const std::int64_t channels = op.src.c / p.groups, filters = p.filters / p.groups;
    return {op,
            p,
            backward ? backwardPlan(p, op.src) : forwardPlan(p, op.src),
            backward ? op.src : *convOutputShape(p, op.src),
            p.groups,
            backward ? filters : channels,
            backward ? channels : filters,
            backward,
            opFlops(op) < 2 * kTeamWork ? 1 : settings.threads,
            settings.simd};
}

DirectPlan planDirect(const Op& op, const Settings& settings) {
    if (const auto* forward = std::get_if<ConvForward>(&op))
        return planOf(*forward, settings, false);
    return planOf(std::get<ConvBackwardData>(op), settings, true);
}

/// The part of a group's outputs that one tile holds: parts of equal height, at most the kernel's.
struct Sliver {
    std::int64_t first, rows;
};

class DirectOp final : public HostOp {
  public:
    DirectOp(DirectPlan plan, std::unique_ptr<DeviceBuffer> workspace)
        : HostOp(plan.op, implementationName(kConvDirectName, plan.simd)),
          m_plan(std::move(plan)),
          m_kernel(m_plan.kernel()),
          m_lattice(m_plan.plan.lattice),
          m_workspace(std::move(workspace)),
          m_laidOut(static_cast<float*>(m_workspace->hostPointer())),
          m_weights(m_laidOut + m_plan.laidOut()),
          m_tails(m_weights + m_plan.packedWeights()),
          m_taskPacks(m_plan.taskPacks()) {
        m_blockChannels = kDepth;
        for (const OutputSet& set : m_plan.plan.sets) {
            const std::int64_t taps = std::max<std::int64_t>(std::ssize(set.taps), 1);
            m_blockChannels = std::min(m_blockChannels, std::max<std::int64_t>(kDepth / taps, 1));
        }
        m_blockChannels = std::min(m_blockChannels, m_plan.inputs);
        for (const OutputSet& set : m_plan.plan.sets) {
            auto& offsets = m_offsets.emplace_back();
            for (std::int64_t c = 0; c < m_blockChannels; ++c)
                for (const Tap& tap : set.taps)
                    offsets.push_back(c * m_lattice.channel() + tap.offset);
            m_most = std::max(m_most, std::ssize(set.taps) * m_blockChannels);
        }
        for (std::int64_t p = 0; p < m_most; ++p)
            m_tailOffsets.push_back(p * m_kernel.columns);
    }

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        const float* bias = !m_plan.backward && m_plan.params.bias ? operands.src[2] : nullptr;
        const std::int64_t imageFloats = m_lattice.src.c * m_lattice.src.h * m_lattice.src.w;
        runTeam(m_plan.threads, observer, [&](Member member) {
            if (!m_taskPacks)
                packWeights(operands.src[1], member);
            for (std::int64_t n = 0; n < m_plan.images(); n += m_plan.chunk()) {
                const std::int64_t count = std::min(m_plan.chunk(), m_plan.images() - n);
                const float* images = operands.src[0] + n * imageFloats;
                if (!m_lattice.inPlace)
                    m_lattice.fill(images, count, m_laidOut, member);
                member.waitForTeam();
                convolve({m_lattice.inPlace ? images : m_laidOut, m_taskPacks ? operands.src[1] : m_weights,
                          bias, operands.dst[0]},
                         n, count, member);
                member.waitForTeam();
            }
        });
        return {};
    }

  private:
    /// For each set, group and sliver: channel after channel, tap after tap, a number for each of its
    /// outputs.
    void packWeights(const float* weights, Member member) const {
        float* to = m_weights;
        for (const OutputSet& set : m_plan.plan.sets) {
            const std::int64_t depth = m_plan.inputs * std::ssize(set.taps);
            const std::int64_t slivers = m_plan.slivers();
            const Share share = shareOf(m_plan.groups * slivers, member);
            for (std::int64_t i = share.begin; i < share.end; ++i) {
                const std::int64_t group = i / slivers;
                const Sliver part = sliver(i % slivers);
                packSliver(weights, set, group, part, to + (group * m_plan.outputs + part.first) * depth);
            }
            to += m_plan.groups * m_plan.outputs * depth;
        }
    }

    /// Lines of weights, `stride` floats from one to the next, side by side.
    void packLines(const float* first, std::int64_t stride, std::int64_t depth, std::int64_t rows,
                   float* to) const {
        kernelsFor(m_plan.simd).gemm.packTransposed(rows, depth, first, stride, to, rows);
    }

    void packSliver(const float* weights, const OutputSet& set, std::int64_t group, const Sliver& sliver,
                    float* to) const {
        const std::int64_t area = m_plan.params.kernel.h * m_plan.params.kernel.w;
        // weights[filter][channel of the group][tap]
        const std::int64_t perFilter = (m_plan.backward ? m_plan.outputs : m_plan.inputs) * area;
        const std::int64_t output = m_plan.backward ? area : perFilter;
        const std::int64_t input = m_plan.backward ? perFilter : area;
        const std::int64_t filters = m_plan.backward ? m_plan.inputs : m_plan.outputs;
        const float* first = weights + group * filters * perFilter + sliver.first * output;
        if (!m_plan.backward) { // all taps in their order: a line of weights for each output
            packLines(first, perFilter, perFilter, sliver.rows, to);
            return;
        }
        for (std::int64_t c = 0; c < m_plan.inputs; ++c)
            for (const Tap& tap : set.taps)
                for (std::int64_t i = 0; i < sliver.rows; ++i)
                    *to++ = first[i * output + c * input + tap.weight];
    }

    Sliver sliver(std::int64_t index) const {
        const Range range = partOf(m_plan.outputs, 1, index, m_plan.slivers());
        return {range.begin, range.size()};
    }

    struct Arrays {
        const float *input, *weights, *bias; ///< weights: laid out, or the op's where tasks do that
        float* result;
    };

    void convolve(const Arrays& arrays, std::int64_t firstImage, std::int64_t count, Member member) const {
        const float* weights = arrays.weights;
        for (std::size_t s = 0; s < m_plan.plan.sets.size(); ++s) {
            const OutputSet& set = m_plan.plan.sets[s];
            const ConvTasks tasks = m_plan.tasksOf(set, count);
            const Share share = shareOf(count * m_plan.groups * tasks.ofPlane(), member);
            for (std::int64_t task = share.begin; task < share.end; ++task) {
                const std::int64_t plane = task / tasks.ofPlane(), part = task % tasks.ofPlane();
                const std::int64_t image = plane / m_plan.groups, group = plane % m_plan.groups;
                Work work{set, m_offsets[s], {}, {}, {}, {}, {}, {}, member.index};
                work.tiles = partOf(m_plan.tilesOf(set), 1, part / tasks.sliverParts, tasks.tileParts);
                work.slivers = partOf(m_plan.slivers(), 1, part % tasks.sliverParts, tasks.sliverParts);
                work.input =
                    arrays.input + image * m_lattice.image() + group * m_plan.inputs * m_lattice.channel();
                work.weights = weights + group * m_plan.weightsOf(set);
                work.bias = arrays.bias == nullptr ? nullptr : arrays.bias + group * m_plan.outputs;
                work.result =
                    arrays.result + ((firstImage + image) * m_plan.result.c + group * m_plan.outputs) *
                                        m_plan.result.h * m_plan.result.w;
                runTask(work);
            }
            weights += m_plan.groups * m_plan.weightsOf(set);
        }
    }

    /// Some tiles of some slivers of one group of one image.
    struct Work {
        const OutputSet& set;
        const std::vector<std::int64_t>& offsets;
        const float *input, *weights, *bias;
        float* result;
        Range tiles, slivers;
        int member;
    };

    void runTask(const Work& work) const {
        if (work.set.taps.empty()) { // a gap between windows
            const std::int64_t first = sliver(work.slivers.begin).first;
            const std::int64_t end =
                work.slivers.end < m_plan.slivers() ? sliver(work.slivers.end).first : m_plan.outputs;
            for (std::int64_t r = first; r < end; ++r)
                for (std::int64_t tile = work.tiles.begin; tile < work.tiles.end; ++tile)
                    scatter(work, tile, r, kZeros, false);
            return;
        }
        for (std::int64_t c = 0; c < m_plan.inputs; c += m_blockChannels)
            runBlock(work, c, std::min(m_blockChannels, m_plan.inputs - c));
    }

    void runBlock(const Work& work, std::int64_t channel, std::int64_t channels) const {
        const std::int64_t taps = std::ssize(work.set.taps), depth = channels * taps;
        const float* input = work.input + channel * m_lattice.channel();
        const bool tail = m_lattice.inPlace && work.tiles.end == m_plan.tilesOf(work.set);
        if (tail)
            packTail(work, input, depth);
        for (std::int64_t s = work.slivers.begin; s < work.slivers.end; ++s) {
            const Sliver part = sliver(s);
            const std::int64_t line = m_plan.inputs * taps;
            const float* weights = work.weights + part.first * line;
            if (m_taskPacks) {
                float* packed = m_weights + work.member * m_plan.blockWeights();
                packLines(weights + channel * taps, line, depth, part.rows, packed);
                weights = packed;
            } else {
                weights += channel * taps * part.rows;
            }
            for (std::int64_t tile = work.tiles.begin; tile < work.tiles.end; ++tile) {
                const bool fromTail = tail && tile + 1 == work.tiles.end;
                const float* at = fromTail ? tailOf(work.member) : input + tile * m_kernel.columns;
                const auto& offsets = fromTail ? m_tailOffsets : work.offsets;
                runTile(work, tile, part, {depth, weights, at, offsets.data(), channel > 0});
            }
        }
    }

    struct TileRun {
        std::int64_t depth;
        const float *weights, *input;
        const std::int64_t* offsets;
        bool add;
    };

    void runTile(const Work& work, std::int64_t tile, const Sliver& sliver, const TileRun& run) const {
        const ConvKernel::Tile kernel = m_kernel.tile[sliver.rows - 1];
        const float* start = run.add || work.bias == nullptr ? nullptr : work.bias + sliver.first;
        const std::int64_t plane = m_plan.result.h * m_plan.result.w;
        if (const std::int64_t place = wholeTile(work.set, tile); place >= 0) {
            kernel(run.depth, run.weights, run.input, run.offsets, start,
                   work.result + sliver.first * plane + place, plane, run.add);
            return;
        }
        alignas(64) float part[ConvKernel::kMostRows * ConvKernel::kMostColumns];
        kernel(run.depth, run.weights, run.input, run.offsets, start, part, m_kernel.columns, false);
        for (std::int64_t r = 0; r < sliver.rows; ++r)
            scatter(work, tile, sliver.first + r, part + r * m_kernel.columns, run.add);
    }

    /// Where a tile begins in a channel of the result when all of its columns are outputs side by side; or
    /// -1.
    std::int64_t wholeTile(const OutputSet& set, std::int64_t tile) const {
        const std::int64_t first = tile * m_kernel.columns, last = first + m_kernel.columns - 1;
        const std::int64_t row = first / m_lattice.width, column = first % m_lattice.width;
        const bool dense = set.columns == m_lattice.width && set.rowStep == set.columns;
        const bool oneRow = column + m_kernel.columns <= set.columns;
        if (set.step != 1 || last >= set.places(m_lattice) || !(dense || oneRow))
            return -1;
        return set.first + row * set.rowStep + column;
    }

    /// The wanted columns of a tile's row to where they belong.
    void scatter(const Work& work, std::int64_t tile, std::int64_t output, const float* part,
                 bool add) const {
        const OutputSet& set = work.set;
        std::int64_t at = tile * m_kernel.columns;
        const std::int64_t end = std::min(at + m_kernel.columns, set.places(m_lattice));
        float* channel = work.result + output * m_plan.result.h * m_plan.result.w + set.first;
        while (at < end) {
            const std::int64_t row = at / m_lattice.width, column = at % m_lattice.width;
            const std::int64_t wanted = std::min(set.columns - column, end - at);
            float* to = channel + row * set.rowStep + column * set.step;
            for (std::int64_t i = 0; i < wanted; ++i)
                to[i * set.step] = part[i] + (add ? to[i * set.step] : 0.0F);
            const std::int64_t on = std::min(m_lattice.width - column, end - at);
            part += on;
            at += on;
        }
    }

    float* tailOf(int member) const { return m_tails + member * m_plan.tailFloats(); }

    /// Where the input is not laid out, the last tile would read beyond it: its columns by themselves.
    void packTail(const Work& work, const float* input, std::int64_t depth) const {
        const std::int64_t first = (work.tiles.end - 1) * m_kernel.columns;
        const std::int64_t filled = work.set.places(m_lattice) - first;
        float* to = tailOf(work.member);
        for (std::int64_t p = 0; p < depth; ++p, to += m_kernel.columns) {
            std::copy_n(input + work.offsets[static_cast<std::size_t>(p)] + first, filled, to);
            std::fill(to + filled, to + m_kernel.columns, 0.0F);
        }
    }

    static constexpr float kZeros[ConvKernel::kMostColumns] = {};

    DirectPlan m_plan;
    const ConvKernel& m_kernel;
    const Lattice& m_lattice;
    std::unique_ptr<DeviceBuffer> m_workspace;
    float *m_laidOut, *m_weights, *m_tails;
    bool m_taskPacks;
    std::int64_t m_blockChannels = 1, m_most = 0;
    std::vector<std::vector<std::int64_t>> m_offsets; ///< for each set: of a block of channels
    std::vector<std::int64_t> m_tailOffsets;
};

} // namespace

bool isConvDirect(const Op& op) {
    return std::holds_alternative<ConvForward>(op) || std::holds_alternative<ConvBackwardData>(op);
}

std::size_t convDirectWorkspaceBytes(const Op& op, const Settings& settings) {
    return planDirect(op, settings).workspaceBytes();
}

Result<std::unique_ptr<PreparedOp>> prepareConvDirect(const Op& op, const Settings& settings) {
    DirectPlan plan = planDirect(op, settings);
    auto workspace = allocateHostBuffer(plan.workspaceBytes());
    if (!workspace)
        return workspace.error();
    return std::unique_ptr<PreparedOp>(std::make_unique<DirectOp>(std::move(plan), std::move(*workspace)));
}

} // namespace heteroscope::compute::openmp
