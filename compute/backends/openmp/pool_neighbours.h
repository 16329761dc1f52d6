// SPDX-License-Identifier: Apache-2.0
// Windows of 3x3 with stride 1 or 2: the maximum of three neighbours in a row of inputs, for forward and
// backward.
#pragma once

#include "compute/backends/openmp/pool_vectors.h"
#include "compute/backends/openmp/pool_window.h"

namespace heteroscope::compute::openmp {
namespace {

/// The geometry with what is known when this is compiled, so that divisions by it need no division.
template <int stride, int pad>
inline PoolGeometry threesGeometry(PoolGeometry g) {
    g.kh = g.kw = 3;
    g.sh = g.sw = stride;
    g.padLeft = pad;
    return g;
}

/// body.template operator()<stride, pad>() with those of the geometry.
template <class Body>
inline void withThrees(const PoolGeometry& g, const Body& body) {
    if (g.sw == 1)
        g.padLeft == 0 ? body.template operator()<1, 0>() : body.template operator()<1, 1>();
    else
        g.padLeft == 0 ? body.template operator()<2, 0>() : body.template operator()<2, 1>();
}

/// Which of three is the maximum, for S::kWidth of them.
template <class S>
struct Choice {
    typename S::V best;
    typename S::M bySecond, byThird;
};

/// Of three elements, the first of the largest, or the first NaN.
template <class S>
inline Choice<S> choose(typename S::V first, typename S::V second, typename S::V third) {
    typename S::M bySecond = S::less(first, second);
    typename S::V two = S::larger(first, second); // a NaN in `first` stays
    typename S::M byThird = S::less(two, third);
    typename S::V best = S::larger(two, third);
    if (__builtin_expect(S::any(S::unordered(second, third)), 0)) {
        bySecond = S::replaces(first, second);
        two = S::select(bySecond, second, first);
        byThird = S::replaces(two, third);
        best = S::select(byThird, third, two);
    }
    return {best, bySecond, byThird};
}

/// Of three neighbours in a row; a first one that is padding loses, whatever lies there.
template <class S, int stride, class Reader>
inline Choice<S> chooseNeighbour(const Reader& reader, const float* p, bool firstIsPadding) {
    typename S::V first = windowElements<S, stride>(reader, p, 0, stride);
    const typename S::V second = windowElements<S, stride>(reader, p, 1, stride);
    const typename S::V third = windowElements<S, stride>(reader, p, 2, stride);
    if (!firstIsPadding)
        return choose<S>(first, second, third);
    first = S::select(S::firstLane(), S::set(kMinusInfinity), first); // of the first window
    Choice<S> choice = choose<S>(first, second, third);
    choice.bySecond = S::either(choice.bySecond, S::firstLane()); // also above an equal one
    return choice;
}

/// Chooses among the neighbours of one row of inputs.
template <class S, int stride>
struct NeighbourRow {
    NeighbourRow(const PoolGeometry& g, const float* plane, std::int64_t row)
        : line(plane + row * g.w),
          next(fetchFrom(g, line, stride)),
          edge{line, line + g.w, kMinusInfinity},
          padLeft(g.padLeft),
          first(row > 0 || g.padLeft == 0 ? 0 : 1) {
        // What lies beside the row never counts when each window has its last element inside; it only has to
        // be there: vectors up to `last` read nothing beyond the plane.
        const Range interior = interiorColumns(g);
        const std::int64_t room = (g.h - row) * g.w + g.padLeft - 3 - stride * (S::kWidth - 1);
        last = room < 0 ? -1 : room / stride;
        if (interior.end < g.outW && interior.end - S::kWidth < last)
            last = interior.end - S::kWidth;
    }
    /// For S::kWidth windows from `x`.
    Choice<S> at(std::int64_t x) const {
        const float* p = line - padLeft + x * stride;
        const bool padding = x < padLeft;
        return x >= first && x <= last ? chooseNeighbour<S, stride>(InsideReader<S>{}, p, padding)
                                       : chooseNeighbour<S, stride>(edge, p, padding);
    }
    void prefetchNext(std::int64_t x) const { fetch(next + x * stride, stride * S::kWidth); }

    const float* line;
    const float* next;
    EdgeReader<S> edge;
    std::int64_t padLeft, first, last;
};

/// Goes over the windows of a row from left to right, S::kWidth at a time.
template <class S, int stride, int pad>
struct NeighbourWalk {
    const NeighbourRow<S, stride>& row;

    NeighbourWalk(const NeighbourRow<S, stride>& over, std::int64_t) : row(over) {}
    Choice<S> next(std::int64_t x) { return row.at(x); }
};

/// The first of three neighbours is the third of the window before: each element is loaded once.
template <class S>
struct NeighbourWalk<S, 2, 1> {
    const NeighbourRow<S, 2>& row;
    typename S::V before;

    NeighbourWalk(const NeighbourRow<S, 2>& over, std::int64_t x)
        : row(over), before(S::set(x == 0 ? kMinusInfinity : over.line[2 * x - 1])) {}
    Choice<S> next(std::int64_t x) {
        const float* p = row.line + 2 * x;
        const bool inside = x <= row.last;
        const typename S::V left = inside ? S::load(p) : row.edge.load(p);
        const typename S::V right = inside ? S::load(p + S::kWidth) : row.edge.load(p + S::kWidth);
        const typename S::V third = S::odd(left, right), first = S::follow(before, third);
        before = third;
        Choice<S> choice = choose<S>(first, S::even(left, right), third);
        if (x == 0)
            choice.bySecond = S::either(choice.bySecond, S::firstLane());
        return choice;
    }
};

} // namespace
} // namespace heteroscope::compute::openmp
