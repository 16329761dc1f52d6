// SPDX-License-Identifier: Apache-2.0
// With a window that starts at row y s - p, its row i lies over input row y s + i d - p: row y + (i d) / s of
// the plane of remainder (i d) mod s. Backward, input row r + s y gets from the window's row i where r + p -
// i d = s e, of output row y + e.
#include "compute/backends/openmp/conv_lattice.h"

#include <algorithm>
#include <cstring>

namespace heteroscope::compute::openmp {
namespace {

std::int64_t divideUp(std::int64_t a, std::int64_t b) {
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

/// Sorted remainders of the window's rows (or columns).
std::vector<std::int64_t> restsOf(std::int64_t kernel, std::int64_t dilation, std::int64_t stride) {
    std::vector<std::int64_t> rests;
    for (std::int64_t i = 0; i < kernel; ++i)
        rests.push_back(i * dilation % stride);
    std::sort(rests.begin(), rests.end());
    rests.erase(std::unique(rests.begin(), rests.end()), rests.end());
    return rests;
}

std::int64_t indexOf(const std::vector<std::int64_t>& rests, std::int64_t rest) {
    return std::lower_bound(rests.begin(), rests.end(), rest) - rests.begin();
}

/// Along one axis: which rows of the window reach input rows of remainder `rest`, and from how far.
struct Reach {
    struct One {
        std::int64_t index, shift;
    };
    std::vector<One> taps;
    std::int64_t outputs = 0;
};

Reach reachOf(std::int64_t rest, std::int64_t in, std::int64_t kernel, std::int64_t stride,
              std::int64_t dilation, std::int64_t padding) {
    Reach reach;
    reach.outputs = rest < in ? divideUp(in - rest, stride) : 0;
    for (std::int64_t i = 0; i < kernel; ++i)
        if (const std::int64_t distance = rest + padding - i * dilation; distance % stride == 0)
            reach.taps.push_back({i, distance / stride});
    return reach;
}

/// All remainders of one axis, and what the planes need before and in all.
struct Axis {
    std::vector<Reach> reaches;
    std::int64_t before = 0, extent = 1;
};

Axis axisOf(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
            std::int64_t padding) {
    Axis axis;
    std::int64_t last = 0;
    for (std::int64_t rest = 0; rest < std::min(stride, in); ++rest) {
        axis.reaches.push_back(reachOf(rest, in, kernel, stride, dilation, padding));
        for (const Reach::One& tap : axis.reaches.back().taps) {
            axis.before = std::max(axis.before, -tap.shift);
            last = std::max(last, axis.reaches.back().outputs - 1 + tap.shift);
        }
    }
    axis.extent = axis.before + last + 1;
    return axis;
}

} // namespace

std::int64_t Lattice::plane() const {
    if (inPlace)
        return src.h * src.w;
    // An odd number of cache lines: planes that lie powers of two apart would share the lines of a cache.
    return ((rows * width + 15) / 16 | 1) * 16;
}

void Lattice::fillPlane(const float* from, std::int64_t firstRow, std::int64_t firstColumn, float* to) const {
    const std::int64_t low = std::clamp<std::int64_t>(divideUp(left - firstColumn, step.w), 0, width);
    const std::int64_t high =
        std::clamp<std::int64_t>(divideUp(src.w + left - firstColumn, step.w), low, width);
    for (std::int64_t y = 0; y < rows; ++y, to += width) {
        const std::int64_t row = y * step.h + firstRow - top;
        if (row < 0 || row >= src.h) {
            std::fill_n(to, width, 0.0F);
            continue;
        }
        const float* line = from + row * src.w + firstColumn - left;
        std::fill_n(to, low, 0.0F);
        if (step.w == 1)
            std::copy(line + low, line + high, to + low);
        else
            for (std::int64_t x = low; x < high; ++x)
                to[x] = line[x * step.w];
        std::fill(to + high, to + width, 0.0F);
    }
}

void Lattice::fill(const float* images, std::int64_t count, float* to, Member member) const {
    const Share share = shareOf(count * src.c, member);
    for (std::int64_t c = share.begin; c < share.end; ++c) {
        float* plane0 = to + c * channel();
        for (const std::int64_t row : rowRests)
            for (const std::int64_t column : columnRests) {
                fillPlane(images + c * src.h * src.w, row, column, plane0);
                plane0 += plane();
            }
    }
}

LatticePlan forwardPlan(const ConvParams& p, const Shape4& src) {
    const Shape4 dst = *convOutputShape(p, src);
    Lattice lattice{src, p.stride};
    lattice.rowRests = restsOf(p.kernel.h, p.dilation.h, p.stride.h);
    lattice.columnRests = restsOf(p.kernel.w, p.dilation.w, p.stride.w);
    lattice.top = p.padding.top;
    lattice.left = p.padding.left;
    lattice.rows = dst.h + (p.kernel.h - 1) * p.dilation.h / p.stride.h;
    lattice.width = dst.w + (p.kernel.w - 1) * p.dilation.w / p.stride.w;
    lattice.inPlace = p.stride == Extent2d{} && p.padding == Padding2d{};
    OutputSet set{dst.h, dst.w, 0, dst.w, 1, {}};
    for (std::int64_t i = 0; i < p.kernel.h; ++i)
        for (std::int64_t j = 0; j < p.kernel.w; ++j) {
            const std::int64_t row = i * p.dilation.h, column = j * p.dilation.w;
            const std::int64_t plane =
                indexOf(lattice.rowRests, row % p.stride.h) * std::ssize(lattice.columnRests) +
                indexOf(lattice.columnRests, column % p.stride.w);
            set.taps.push_back(
                {plane * lattice.plane() + row / p.stride.h * lattice.width + column / p.stride.w,
                 i * p.kernel.w + j});
        }
    return {std::move(lattice), {std::move(set)}};
}

LatticePlan backwardPlan(const ConvParams& p, const Shape4& src) {
    const Axis down = axisOf(src.h, p.kernel.h, p.stride.h, p.dilation.h, p.padding.top);
    const Axis across = axisOf(src.w, p.kernel.w, p.stride.w, p.dilation.w, p.padding.left);
    LatticePlan plan;
    plan.lattice.src = *convOutputShape(p, src);
    plan.lattice.top = down.before;
    plan.lattice.left = across.before;
    plan.lattice.rows = down.extent;
    plan.lattice.width = across.extent;
    plan.lattice.inPlace = down.before == 0 && across.before == 0 && down.extent == plan.lattice.src.h &&
                           across.extent == plan.lattice.src.w;
    for (std::size_t y = 0; y < down.reaches.size(); ++y)
        for (std::size_t x = 0; x < across.reaches.size(); ++x) {
            const Reach &rows = down.reaches[y], &columns = across.reaches[x];
            const auto first = static_cast<std::int64_t>(y) * src.w + static_cast<std::int64_t>(x);
            OutputSet set{rows.outputs, columns.outputs, first, p.stride.h * src.w, p.stride.w, {}};
            for (const auto& row : rows.taps)
                for (const auto& column : columns.taps)
                    set.taps.push_back(
                        {(row.shift + down.before) * across.extent + column.shift + across.before,
                         row.index * p.kernel.w + column.index});
            plan.sets.push_back(std::move(set));
        }
    return plan;
}

} // namespace heteroscope::compute::openmp
