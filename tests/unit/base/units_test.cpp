// SPDX-License-Identifier: Apache-2.0
#include "compute/base/units.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope {

TEST(Units, Bytes) {
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(1023), "1023 B");
    EXPECT_EQ(formatBytes(1024), "1.0 KiB");
    EXPECT_EQ(formatBytes(1536), "1.5 KiB");
    EXPECT_EQ(formatBytes(64.0 * 1024 * 1024), "64.0 MiB");
    EXPECT_EQ(formatBytes(std::nan("")), "unknown");
}

TEST(Units, BytesBesideOthersReadDifferently) {
    constexpr std::int64_t kSize = 64 * 1024 * 1024;
    EXPECT_EQ(formatBytesUnlike(kSize, kSize), "64.0 MiB");
    EXPECT_EQ(formatBytesUnlike(kSize, 2 * kSize), "64.0 MiB");
    EXPECT_EQ(formatBytesUnlike(kSize + 7, kSize), formatCount(kSize + 7) + " B");
    EXPECT_EQ(formatBytesUnlike(kSize, kSize + 7), formatCount(kSize) + " B");
}

TEST(Units, Durations) {
    EXPECT_EQ(formatDurationNs(850), "850 ns");
    EXPECT_EQ(formatDurationNs(12400), "12.4 \u00b5s");
    EXPECT_EQ(formatDurationNs(3.2e6), "3.20 ms");
    EXPECT_EQ(formatDurationNs(1.05e9), "1.05 s");
    EXPECT_EQ(formatDurationNs(125e9), "2 min 05 s");
    EXPECT_EQ(formatDurationNs(999.7), "1.00 \u00b5s");
    EXPECT_EQ(formatDurationNs(9.996e6), "10.0 ms");
}

TEST(Units, Counts) {
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(1048576), "1\u00a0048\u00a0576");
    EXPECT_EQ(formatCount(-1000), "-1\u00a0000");
    EXPECT_EQ(groupDigits("12000.0625"), "12\u00a0000.0625");
    EXPECT_EQ(groupDigits("-999.5"), "-999.5");
    EXPECT_EQ(groupDigits("1.25e+16"), "1.25e+16");
    EXPECT_EQ(groupDigits("inf"), "inf");
}

TEST(Units, Bandwidth) {
    EXPECT_EQ(formatBandwidth(27.9e9), "27.9 GB/s");
    EXPECT_EQ(formatBandwidth(4.24e12), "4.24 TB/s");
    EXPECT_EQ(formatBandwidth(12), "12 B/s");
    EXPECT_EQ(formatFlops(49.63e12), "49.6 TFLOP/s");
}

TEST(Units, ChangeWhereTheNextOneTakesFewerDigits) {
    EXPECT_EQ(formatBytes(1023.9), "1024 B");
    EXPECT_EQ(formatBytes(1023.95), "1.0 KiB");
    EXPECT_EQ(formatBytes(1000.4 * 1024), "1000 KiB") << "four digits at most";
    EXPECT_EQ(formatBytes(1023.4 * 1024), "1023 KiB");
    EXPECT_EQ(formatBytes(1023.5 * 1024), "1.0 MiB");
    EXPECT_EQ(formatBytes(-2048), "-2.0 KiB");
    EXPECT_EQ(formatBytes(1e24), "867362 EiB");
    EXPECT_EQ(formatDurationNs(999.4), "999 ns");
    EXPECT_EQ(formatDurationNs(999.5), "1.00 \u00b5s");
    EXPECT_EQ(formatDurationNs(999.4e3), "999 \u00b5s");
    EXPECT_EQ(formatDurationNs(999.5e3), "1.00 ms");
    EXPECT_EQ(formatDurationNs(999.4e6), "999 ms");
    EXPECT_EQ(formatDurationNs(999.5e6), "1.00 s");
    EXPECT_EQ(formatDurationNs(99.94e9), "99.9 s");
    EXPECT_EQ(formatDurationNs(99.95e9), "1 min 40 s");
    EXPECT_EQ(formatDurationNs(119.6e9), "2 min 00 s");
    EXPECT_EQ(formatDurationNs(130e9), "2 min 10 s");
    EXPECT_EQ(formatBandwidth(999.4), "999 B/s");
    EXPECT_EQ(formatBandwidth(999.5), "1.00 kB/s");
    EXPECT_EQ(formatBandwidth(1e21), "1000000 PB/s");
}

TEST(Units, HaveThreeDigits) {
    EXPECT_EQ(formatDurationNs(9.2e3), "9.20 \u00b5s");
    EXPECT_EQ(formatDurationNs(9.994e3), "9.99 \u00b5s");
    EXPECT_EQ(formatDurationNs(9.995e3), "10.0 \u00b5s");
    EXPECT_EQ(formatDurationNs(99.2e3), "99.2 \u00b5s");
    EXPECT_EQ(formatDurationNs(99.94e3), "99.9 \u00b5s");
    EXPECT_EQ(formatDurationNs(99.95e3), "100 \u00b5s");
    EXPECT_EQ(formatDurationNs(-850), "-850 ns");
    EXPECT_EQ(formatDurationNs(-3.2e6), "-3.20 ms");
}

TEST(Units, SayWhatIsNoNumber) {
    EXPECT_EQ(formatDurationNs(std::nan("")), "unknown");
    EXPECT_EQ(formatBandwidth(std::nan("")), "unknown");
    EXPECT_EQ(formatFlops(1.0 / 0.0), "unknown");
    EXPECT_EQ(formatCount(-999), "-999");
    EXPECT_EQ(formatCount(1000000000), "1\u00a0000\u00a0000\u00a0000");
}

} // namespace heteroscope
