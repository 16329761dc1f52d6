// SPDX-License-Identifier: Apache-2.0
// The phases of a strided convolution's gradient against its definition, for every small size.
#include "compute/backends/nvidia/kernels/conv/conv_axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace heteroscope::compute::nvidia {
namespace {

struct Axis {
    int inputs, kernel, stride, padding, dilation;
    int outputs() const { return (inputs + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1; }
    bool possible() const { return inputs + 2 * padding > dilation * (kernel - 1); }
};

/// Which output each tap of the window reads for the gradient of input row y.
std::map<int, int> definition(const Axis& a, int y) {
    std::map<int, int> reads;
    for (int tap = 0; tap < a.kernel; ++tap) {
        const int offset = y + a.padding - tap * a.dilation;
        if (offset >= 0 && offset % a.stride == 0 && offset / a.stride < a.outputs())
            reads[tap] = offset / a.stride;
    }
    return reads;
}

void check(const Axis& a) {
    SCOPED_TRACE(testing::Message() << a.inputs << " rows, window of " << a.kernel << ", stride " << a.stride
                                    << ", padding " << a.padding << ", dilation " << a.dilation);
    const PhasedAxis axis(GradientAxis(a.inputs, a.kernel, a.stride, a.padding, a.dilation));
    ASSERT_EQ(axis.count(), std::min(a.stride, a.inputs));
    int rows = 0, most = 0, taps = 0, tapsOfPhases = 0;
    for (int phase = 0; phase < axis.count(); ++phase) {
        const CorrelationAxis one = axis.at(phase).axis;
        ASSERT_LE(one.outputs, axis.mostOutputs());
        ASSERT_GE(one.outputs, axis.mostOutputs() - 1);
        ASSERT_TRUE(one.taps == 0 || one.taps == axis.mostTaps() || one.taps == axis.mostTaps() - 1);
        most = std::max(most, one.taps);
        rows += one.outputs;
        tapsOfPhases += one.taps;
        for (int tap = 0; tap < one.taps; ++tap)
            ASSERT_EQ(axis.phaseOf(one.firstTap + tap * one.tapStep), phase);
        for (int t = 0; t < one.outputs; ++t) {
            std::map<int, int> reads;
            for (int tap = 0; tap < one.taps; ++tap) {
                const int row = t * one.stride + one.offset + tap * one.dilation;
                if (row >= 0 && row < a.outputs())
                    reads[one.firstTap + tap * one.tapStep] = row;
            }
            ASSERT_EQ(reads, definition(a, one.first + t * one.step));
        }
    }
    EXPECT_EQ(rows, a.inputs);
    for (int tap = 0; tap < a.kernel; ++tap)
        taps += axis.phaseOf(tap) < axis.count() ? 1 : 0;
    EXPECT_EQ(taps, tapsOfPhases) << "the others reach no row";
    EXPECT_LE(most, axis.mostTaps()); // a phase without rows may have most
    if (a.stride <= a.inputs) {
        EXPECT_EQ(most, axis.mostTaps());
    }
}

TEST(ConvAxis, PhasesOfAGradientAddUpWhatTheDefinitionDoes) {
    for (int inputs = 1; inputs < 12; ++inputs)
        for (int kernel = 1; kernel < 7; ++kernel)
            for (int stride = 1; stride < 8; ++stride)
                for (int padding = 0; padding < kernel; ++padding)
                    for (int dilation = 1; dilation < 6; ++dilation)
                        if (const Axis axis{inputs, kernel, stride, padding, dilation}; axis.possible())
                            check(axis);
}

TEST(ConvAxis, AConvolutionIsOnePhase) {
    const PhasedAxis axis(forwardAxis(5, 3, 2, 1, 4));
    EXPECT_EQ(axis.count(), 1);
    EXPECT_EQ(axis.mostOutputs(), 5);
    EXPECT_EQ(axis.mostTaps(), 3);
    const CorrelationAxis one = axis.only().axis;
    EXPECT_EQ(one.stride, 2);
    EXPECT_EQ(one.offset, -1);
    EXPECT_EQ(one.dilation, 4);
    EXPECT_EQ(one.firstTap, 0);
    EXPECT_EQ(one.tapStep, 1);
}

} // namespace
} // namespace heteroscope::compute::nvidia
