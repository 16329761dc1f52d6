// SPDX-License-Identifier: Apache-2.0
// Peaks of this machine's processors: possible figures, and what they were measured with.
#include "compute/core/cpu.h"
#include "compute/core/processor_peaks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace processor_peaks_test {
namespace {

using ::testing::HasSubstr;

/// No processor's clock is above 10 GHz, none has more than two units of multiply-adds or loads.
TEST(ProcessorPeaks, ArePossible) {
    const auto peaks = measureProcessorPeaks();
    ASSERT_TRUE(peaks) << peaks.error().sentence();
    EXPECT_EQ(peaks->threads, usableCores());
    constexpr double kMostClock = 1e10;
    const double lanes = detectSimd() == SimdLevel::Avx512 ? 16 : detectSimd() == SimdLevel::Avx2 ? 8 : 4;
    EXPECT_LT(peaks->fp32FlopPerS, 2 * 2 * lanes * kMostClock * peaks->threads);
    EXPECT_GT(peaks->fp32FlopPerS, 1e8);
    EXPECT_LT(peaks->memoryBytesPerS(), 2.0 * 64 * kMostClock * peaks->threads);
    EXPECT_GT(peaks->memoryBytesPerS(), 1e7);
    EXPECT_GE(peaks->memoryBytesPerS(), peaks->triadBytesPerS);
    EXPECT_GE(peaks->memoryBytesPerS(), peaks->readBytesPerS);
}

TEST(ProcessorPeaks, SayHowTheyWereMeasured) {
    ProcessorPeaks peaks;
    peaks.threads = 2;
    peaks.simd = "avx2";
    peaks.arrayBytes = std::int64_t{64} << 20;
    peaks.cacheBytes = std::int64_t{16} << 20;
    peaks.readBytesPerS = 2e10;
    peaks.triadBytesPerS = 1e10;
    EXPECT_EQ(peaks.memoryBytesPerS(), 2e10);
    EXPECT_EQ(
        peaks.memorySource(),
        "measured: 2 threads on three arrays of 64.0 MiB beside a cache of 16.0 MiB, best of 5; the faster "
        "of reading, 20.0 GB/s, and a triad, 10.0 GB/s");
    EXPECT_EQ(peaks.fp32Source(), "measured: fused multiply-adds in registers (avx2), 2 threads, best of 5");
    EXPECT_THAT(processorIdentity(), HasSubstr(std::string(simdName(detectSimd()))));
}

} // namespace
} // namespace processor_peaks_test
} // namespace heteroscope::compute
