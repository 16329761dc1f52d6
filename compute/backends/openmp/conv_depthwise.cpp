// SPDX-License-Identifier: Apache-2.0
// Convolutions whose groups have one input channel (depthwise), and the input's gradient where they have one
// filter, too. Rows of a channel, or several small channels, are laid out with their padding, strides apart,
// in the first cache; there each tap of neighbouring outputs reads neighbours. Limited by these reads, two a
// cycle.
#include "compute/backends/openmp/kernels.h"
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/core/host_session.h"
#include "compute/core/ops/convolution.h"
#include "compute/core/team.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heteroscope::compute::openmp {
namespace {

/// Below this many multiply-adds one thread is as fast as a team.
constexpr double kTeamWork = 64.0 * 64 * 64;
constexpr std::int64_t kBandFloats = 8192; ///< laid out at a time, if that is enough for a row of outputs
constexpr std::int64_t kMostVector = 16;   ///< floats of a vector of any instruction set

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

struct DepthwisePlan {
    Op op;
    Shape4 from, to; ///< what is read and what is written
    Extent2d kernel, stride, dilation;
    std::int64_t top, left; ///< zeros before the first row and column
    bool bias, backward;
    int threads;
    SimdLevel simd;

    const ConvKernel& kernels() const { return kernelsFor(simd).conv; }
    /// Floats of a line for each remainder of its columns: all that outputs read, and whole vectors.
    std::int64_t part() const {
        return roundUp(to.w, kMostVector) + roundUp((kernel.w - 1) * dilation.w / stride.w, kMostVector);
    }
    std::int64_t line() const { return part() * stride.w; }
    /// Lines that so many rows of outputs read.
    std::int64_t lines(std::int64_t rows) const {
        return (rows - 1) * stride.h + (kernel.h - 1) * dilation.h + 1;
    }
    /// Rows of outputs in a band.
    std::int64_t band() const {
        const std::int64_t more = (kBandFloats / line() - lines(1)) / stride.h;
        return std::clamp<std::int64_t>(1 + more, 1, to.h);
    }
    std::int64_t memberFloats() const { return std::max(lines(band()) * line(), kBandFloats); }
    std::size_t workspaceBytes() const {
        return static_cast<std::size_t>(threads * memberFloats()) * sizeof(float);
    }
    /// From where an output's row and column begin to each element of its window, in the window's order.
    std::vector<std::int64_t> offsets() const {
        std::vector<std::int64_t> all;
        for (std::int64_t i = 0; i < kernel.h; ++i)
            for (std::int64_t j = 0; j < kernel.w; ++j) {
                const std::int64_t row = (backward ? kernel.h - 1 - i : i) * dilation.h;
                const std::int64_t column = (backward ? kernel.w - 1 - j : j) * dilation.w;
                all.push_back(row * line() + column % stride.w * part() + column / stride.w);
            }
        return all;
    }
};

DepthwisePlan planDepthwise(const Op& op, const Settings& settings) {
    const int threads = opFlops(op) < 2 * kTeamWork ? 1 : settings.threads;
    if (const auto* forward = std::get_if<ConvForward>(&op)) {
        const ConvParams& p = forward->params;
        return {op,
                forward->src,
                *convOutputShape(p, forward->src),
                p.kernel,
                p.stride,
                p.dilation,
                p.padding.top,
                p.padding.left,
                p.bias,
                false,
                threads,
                settings.simd};
    }
    const auto& backward = std::get<ConvBackwardData>(op);
    const ConvParams& p = backward.params;
    return {op,
            *convOutputShape(p, backward.src),
            backward.src,
            p.kernel,
            {},
            p.dilation,
            (p.kernel.h - 1) * p.dilation.h - p.padding.top,
            (p.kernel.w - 1) * p.dilation.w - p.padding.left,
            false,
            true,
            threads,
            settings.simd};
}

class DepthwiseOp final : public HostOp {
  public:
    DepthwiseOp(DepthwisePlan plan, std::unique_ptr<DeviceBuffer> workspace)
        : HostOp(plan.op, implementationName(kConvDepthwiseName, plan.simd)),
          m_plan(std::move(plan)),
          m_kernels(m_plan.kernels()),
          m_workspace(std::move(workspace)),
          m_laidOut(static_cast<float*>(m_workspace->hostPointer())),
          m_offsets(m_plan.offsets()) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        const Shape4& to = m_plan.to;
        runTeam(m_plan.threads, observer, [&](Member member) {
            const Share rows = shareOf(to.n * to.c * to.h, member);
            std::vector<Band> bands;
            for (std::int64_t row = rows.begin; row < rows.end;) {
                // All are laid out before the first is read: what was just written is slow to read elsewhere.
                row = layOut(operands.src[0], {row, rows.end}, member.index, bands);
                for (const Band& band : bands)
                    convolve(operands, band);
            }
        });
        return {};
    }

  private:
    /// Rows of outputs of one plane, and the input's that they read.
    struct Band {
        std::int64_t plane, first, count;
        const float* input;
    };

    /// As many bands of the rows as there is room for; returns the first row beyond them.
    std::int64_t layOut(const float* src, Share rows, int member, std::vector<Band>& bands) const {
        const Shape4 &from = m_plan.from, &to = m_plan.to;
        const std::int64_t made = to.c / from.c; // planes that are made of one
        float* at = m_laidOut + member * m_plan.memberFloats();
        const float* const end = at + m_plan.memberFloats();
        bands.clear();
        while (rows.begin < rows.end) {
            Band band{rows.begin / to.h, rows.begin % to.h, 0, at};
            band.count = std::min({m_plan.band(), to.h - band.first, rows.end - rows.begin});
            const std::int64_t lines = m_plan.lines(band.count);
            if (lines * m_plan.line() > end - at)
                break;
            m_kernels.depthwiseLines({src + band.plane / made * from.h * from.w, from.h, from.w,
                                      band.first * m_plan.stride.h - m_plan.top, lines, m_plan.left,
                                      m_plan.stride.w, m_plan.part(), at});
            at += lines * m_plan.line();
            rows.begin += band.count;
            bands.push_back(band);
        }
        return rows.begin;
    }

    void convolve(const HostOperands& operands, const Band& band) const {
        const Shape4& to = m_plan.to;
        const std::int64_t filter = band.plane % to.c, rowStride = m_plan.stride.h * m_plan.line();
        const float* weights = operands.src[1] + filter * m_plan.kernel.h * m_plan.kernel.w;
        const float start = m_plan.bias ? operands.src[2][filter] : 0.0F;
        float* dst = operands.dst[0] + (band.plane * to.h + band.first) * to.w;
        for (std::int64_t r = 0; r < band.count; r += ConvKernel::kDepthwiseRows) {
            const std::int64_t rows = std::min<std::int64_t>(ConvKernel::kDepthwiseRows, band.count - r);
            m_kernels.depthwiseTile[rows - 1]({band.input + r * rowStride, rowStride, std::ssize(m_offsets),
                                               m_offsets.data(), weights, start, dst + r * to.w, to.w, to.w});
        }
    }

    DepthwisePlan m_plan;
    const ConvKernel& m_kernels;
    std::unique_ptr<DeviceBuffer> m_workspace;
    float* m_laidOut;
    std::vector<std::int64_t> m_offsets;
};

} // namespace

std::string convDepthwiseRefusal(const Op& op) {
    const auto* forward = std::get_if<ConvForward>(&op);
    const ConvParams& p = forward != nullptr ? forward->params : std::get<ConvBackwardData>(op).params;
    const std::int64_t channels = forward != nullptr ? forward->src.c : std::get<ConvBackwardData>(op).src.c;
    if (p.groups != channels)
        return "it takes as many groups as channels";
    if (forward != nullptr)
        return {};
    if (p.filters != channels)
        return "it takes the gradient of a single filter for each channel";
    return p.stride == Extent2d{} ? "" : "it takes gradients of strides of 1";
}

std::size_t convDepthwiseWorkspaceBytes(const Op& op, const Settings& settings) {
    return planDepthwise(op, settings).workspaceBytes();
}

Result<std::unique_ptr<PreparedOp>> prepareConvDepthwise(const Op& op, const Settings& settings) {
    DepthwisePlan plan = planDepthwise(op, settings);
    auto workspace = allocateHostBuffer(plan.workspaceBytes());
    if (!workspace)
        return workspace.error();
    return std::unique_ptr<PreparedOp>(std::make_unique<DepthwiseOp>(std::move(plan), std::move(*workspace)));
}

} // namespace heteroscope::compute::openmp
