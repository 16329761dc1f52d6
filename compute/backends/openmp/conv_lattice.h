// SPDX-License-Identifier: Apache-2.0
// Convolution without strides: the input is laid out once so that the outputs of a channel lie in one line
// and the elements of their windows at fixed offsets from them.
#pragma once

#include "compute/core/ops/convolution.h"
#include "compute/core/team.h"

#include <cstdint>
#include <vector>

namespace heteroscope::compute::openmp {

/// Channels of an image as planes with padding around. Where windows move by more than one, a channel becomes
/// one plane for each remainder of its rows and columns that a window reads.
struct Lattice {
    Shape4 src;          ///< what is laid out
    Extent2d step{1, 1}; ///< rows and columns of src from one of a plane to the next
    std::vector<std::int64_t> rowRests{0}, columnRests{0}; ///< the first rows and columns of planes
    std::int64_t top = 0, left = 0;                        ///< zeros before row and column 0 of src
    std::int64_t rows = 1, width = 1;                      ///< of a plane
    bool inPlace = false;                                  ///< it is src itself

    std::int64_t plane() const; ///< floats from plane to plane
    std::int64_t channel() const {
        return plane() * static_cast<std::int64_t>(rowRests.size() * columnRests.size());
    }
    std::int64_t image() const { return channel() * src.c; }
    /// Lays out one member's share of `images` images.
    void fill(const float* images, std::int64_t count, float* to, Member member) const;

  private:
    void fillPlane(const float* from, std::int64_t firstRow, std::int64_t firstColumn, float* to) const;
};

/// One element of a window.
struct Tap {
    std::int64_t offset; ///< in the lattice, from the output's place
    std::int64_t weight; ///< row of the kernel times its width plus column
};

/// Outputs that share their taps.
struct OutputSet {
    std::int64_t rows = 0, columns = 0;            ///< of outputs
    std::int64_t first = 0, rowStep = 0, step = 1; ///< where they lie in a channel of the result
    std::vector<Tap> taps;

    /// Outputs in the line, with those between rows that nobody wants.
    std::int64_t places(const Lattice& lattice) const { return (rows - 1) * lattice.width + columns; }
};

struct LatticePlan {
    Lattice lattice;
    std::vector<OutputSet> sets;
};

/// Forward: the input laid out, one set of outputs.
LatticePlan forwardPlan(const ConvParams& params, const Shape4& src);

/// The input's gradient: the output's gradient laid out, one set for each remainder of rows and columns.
LatticePlan backwardPlan(const ConvParams& params, const Shape4& src);

} // namespace heteroscope::compute::openmp
