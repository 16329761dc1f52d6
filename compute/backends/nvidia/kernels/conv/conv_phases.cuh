// SPDX-License-Identifier: Apache-2.0
// What the matrix products of the phases of a strided gradient (conv_axis.h)
// share.
#pragma once

#include "compute/backends/nvidia/kernels/common/epilogue.h"
#include "compute/backends/nvidia/kernels/conv/conv_axis.h"
#include "compute/backends/nvidia/kernels/conv/conv_geometry.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {

/// What the pixels of a phase have in common.
struct Phase {
    AxisPhase y, x;
};

struct Phases {
    PhasedAxis y, x;
    FastDivision overX;

    Phases(const PhasedAxis& rows, const PhasedAxis& columns) : y(rows), x(columns), overX(columns.count()) {}
    /// Of the gradient of the input.
    explicit Phases(const ConvGeometry& g)
        : Phases(PhasedAxis(GradientAxis(g.height, g.kernelH, g.strideH, g.top, g.dilationH)),
                 PhasedAxis(GradientAxis(g.width, g.kernelW, g.strideW, g.left, g.dilationW))) {}

    std::int64_t count() const { return std::int64_t{y.count()} * x.count(); }
    std::int64_t busyCount() const { return std::int64_t{y.busyCount()} * x.busyCount(); }
    std::int64_t mostOutputs() const { return std::int64_t{y.mostOutputs()} * x.mostOutputs(); }
    std::int64_t mostTaps() const { return std::int64_t{y.mostTaps()} * x.mostTaps(); }
    /// Whether there is one, with every tap: not where one row or column lies
    /// between those that strides reach.
    bool isWhole() const {
        return count() == 1 && y.only().axis.taps == y.mostTaps() && x.only().axis.taps == x.mostTaps();
    }
    HETEROSCOPE_HOST_DEVICE Phase only() const { return {y.only(), x.only()}; }
    __device__ Phase at(unsigned phase) const {
        const unsigned row = overX.split(phase);
        return {y.at(int(row)), x.at(int(phase))};
    }
};

/// m: channels of a group; n: pixels of a phase.
struct PixelsOfPhase {
    static constexpr bool vec4 = false;
    float* base;
    Epilogue epilogue;
    unsigned plane, width, imagePlanes, groupPlanes;
    std::size_t offset = 0; ///< of the group
    Phase phase{};

    __device__ void select(unsigned group) {
        offset = std::size_t(group) * groupPlanes * plane;
        epilogue.select(group * groupPlanes);
    }
    __device__ unsigned column(unsigned pixel) const {
        unsigned row = phase.x.overOutputs.split(pixel);
        const unsigned image = phase.y.overOutputs.split(row);
        const CorrelationAxis &y = phase.y.axis, &x = phase.x.axis;
        return image * imagePlanes * plane + (unsigned(y.first) + row * unsigned(y.step)) * width +
               unsigned(x.first) + pixel * unsigned(x.step);
    }
    __device__ void put(unsigned m, unsigned column, float value) const {
        const std::size_t index = offset + column + m * plane;
        base[index] = epilogue.of(value, m, index);
    }
    __device__ void putVec4(unsigned, unsigned, const float4&) const {}
};

} // namespace heteroscope::compute::nvidia
