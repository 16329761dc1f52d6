// SPDX-License-Identifier: Apache-2.0
// One axis of a convolution, or of the gradient of its input, as a correlation.
//
// With a stride s the gradient of input row y only adds up those taps i of the window for which
// y + padding - i * dilation is a multiple of s. Rows whose y + padding leave the same remainder (a phase)
// have the same taps, every s / gcd(s, dilation)-th one: each phase is a correlation with stride 1.
#pragma once

#include "compute/backends/nvidia/kernels/common/fast_division.h"

#include <cstdint>

namespace heteroscope::compute::nvidia {

/// Output t, 0 <= t < outputs, is row first + t * step of the result. It adds up rows
/// t * stride + offset + a * dilation of the operand, those that exist, times tap firstTap + a * tapStep of
/// the window, 0 <= a < taps.
struct CorrelationAxis {
    int outputs = 0, first = 0, step = 1;
    int stride = 1, offset = 0, dilation = 1;
    int taps = 0, firstTap = 0, tapStep = 1;
};

inline CorrelationAxis forwardAxis(int outputs, int kernel, int stride, int padding, int dilation) {
    return {outputs, 0, 1, stride, -padding, dilation, kernel, 0, 1};
}

/// The gradient of `inputs` rows.
struct GradientAxis {
    int inputs = 1, kernel = 1, stride = 1, padding = 0, dilation = 1;
    int common = 1;  ///< gcd of stride and dilation
    int inverse = 0; ///< of dilation / common modulo stride / common

    GradientAxis() = default;
    GradientAxis(int inputs, int kernel, int stride, int padding, int dilation);

    /// From one tap of a phase to the next.
    HETEROSCOPE_HOST_DEVICE int cycle() const { return stride / common; }
    /// Those that have rows.
    HETEROSCOPE_HOST_DEVICE int phases() const { return stride < inputs ? stride : inputs; }
    HETEROSCOPE_HOST_DEVICE int mostOutputs() const { return (inputs + stride - 1) / stride; }
    HETEROSCOPE_HOST_DEVICE int mostTaps() const { return (kernel + cycle() - 1) / cycle(); }
    /// Phases that have taps, unless there are fewer rows than the stride: then at most.
    HETEROSCOPE_HOST_DEVICE int busyPhases() const {
        const int busy = kernel < cycle() ? kernel : cycle();
        return busy < phases() ? busy : phases();
    }

    /// The phase that adds up this tap of the window; phases() or more: none
    /// does.
    HETEROSCOPE_HOST_DEVICE int phaseOf(int tap) const {
        const std::int64_t rest = (std::int64_t{tap} * dilation - padding) % stride;
        return int(rest < 0 ? rest + stride : rest);
    }

    /// Of the rows first, first + stride, ..., 0 <= first < phases(). Outputs and taps are the most there are
    /// or one less, or there is no tap.
    HETEROSCOPE_HOST_DEVICE CorrelationAxis at(int first) const {
        CorrelationAxis axis;
        axis.first = first;
        axis.step = stride;
        axis.outputs = (inputs - first + stride - 1) / stride;
        const int phase = (first + padding) % stride;
        const int tap = int(std::int64_t(phase / common) * inverse % cycle());
        if (phase % common != 0 || tap >= kernel)
            return axis;
        axis.taps = (kernel - tap + cycle() - 1) / cycle();
        axis.dilation = dilation / common;
        axis.firstTap = tap + (axis.taps - 1) * cycle();
        axis.tapStep = -cycle();
        axis.offset =
            int((std::int64_t(axis.first) + padding - std::int64_t(axis.firstTap) * dilation) / stride);
        return axis;
    }
};

/// A phase and the divisors that its indices need, at least 1.
struct AxisPhase {
    CorrelationAxis axis;
    FastDivision overOutputs, overTaps;

    AxisPhase() = default;
    HETEROSCOPE_HOST_DEVICE explicit AxisPhase(const CorrelationAxis& given)
        : axis(given),
          overOutputs(given.outputs > 0 ? given.outputs : 1),
          overTaps(given.taps > 0 ? given.taps : 1) {}
};

/// Rows or columns of a convolution, which is one phase, or of the gradient of its input.
class PhasedAxis {
  public:
    PhasedAxis() = default;
    explicit PhasedAxis(const CorrelationAxis& forward);
    explicit PhasedAxis(const GradientAxis& gradient);

    HETEROSCOPE_HOST_DEVICE int count() const { return m_count; }
    HETEROSCOPE_HOST_DEVICE int mostOutputs() const { return m_mostOutputs; }
    HETEROSCOPE_HOST_DEVICE int mostTaps() const { return m_mostTaps; }
    /// Of count(), those in which something is added up.
    HETEROSCOPE_HOST_DEVICE int busyCount() const { return m_busyCount; }
    HETEROSCOPE_HOST_DEVICE const AxisPhase& only() const { return m_first[0]; }
    /// The phase that adds up this tap of the window; count() or more: none does.
    HETEROSCOPE_HOST_DEVICE int phaseOf(int tap) const { return m_gradient.phaseOf(tap); }
    /// Those of larger strides are computed where they are asked for.
    HETEROSCOPE_HOST_DEVICE AxisPhase at(int phase) const {
        if (m_count == 1)
            return m_first[0];
        switch (phase) {
        case 0:
            return m_first[0];
        case 1:
            return m_first[1];
        case 2:
            return m_first[2];
        case 3:
            return m_first[3];
        default:
            return AxisPhase(m_gradient.at(phase));
        }
    }

  private:
    static constexpr int kFirst = 4;
    int m_count = 1, m_mostOutputs = 1, m_mostTaps = 1, m_busyCount = 1;
    AxisPhase m_first[kFirst];
    GradientAxis m_gradient;
};

} // namespace heteroscope::compute::nvidia
