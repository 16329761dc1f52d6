// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/kernels/conv/conv_axis.h"

#include <numeric>

namespace heteroscope::compute::nvidia {
namespace {

/// x with x * value = 1 modulo `modulus`, by Euclid's algorithm; they have no common divisor.
int inverseOf(int value, int modulus) {
    std::int64_t before = value % modulus, rest = modulus, x = 1, y = 0;
    while (rest != 0) {
        const std::int64_t quotient = before / rest, nextRest = before - quotient * rest,
                           nextY = x - quotient * y;
        before = rest, rest = nextRest, x = y, y = nextY;
    }
    return static_cast<int>((x % modulus + modulus) % modulus);
}

} // namespace

GradientAxis::GradientAxis(int inputs, int kernel, int stride, int padding, int dilation)
    : inputs(inputs),
      kernel(kernel),
      stride(stride),
      padding(padding),
      dilation(dilation),
      common(std::gcd(stride, dilation)),
      inverse(inverseOf(dilation / common, stride / common)) {}

PhasedAxis::PhasedAxis(const CorrelationAxis& forward)
    : m_count(1), m_mostOutputs(forward.outputs), m_mostTaps(forward.taps), m_first{AxisPhase(forward)} {}

PhasedAxis::PhasedAxis(const GradientAxis& gradient)
    : m_count(gradient.phases()),
      m_mostOutputs(gradient.mostOutputs()),
      m_mostTaps(gradient.mostTaps()),
      m_busyCount(gradient.busyPhases()),
      m_gradient(gradient) {
    for (int phase = 0; phase < kFirst && phase < m_count; ++phase)
        m_first[phase] = AxisPhase(gradient.at(phase));
}

} // namespace heteroscope::compute::nvidia
