// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: bytes, durations, counts. C locale, pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>

namespace heteroscope {

std::string formatBytes(double bytes); ///< "0 B", "1.5 KiB", "64.0 MiB"
/// "343.3 MiB"; "359 976 960 B" where that would read the same as `other`, which is another size.
std::string formatBytesUnlike(std::int64_t bytes, std::int64_t other);
std::string
formatDurationNs(double ns); ///< "850 ns", "12.4 us" (with the micro sign), "3.20 ms", "1.05 s", "2 min 05 s"
std::string formatCount(std::int64_t count); ///< "1 048 576", groups of three with a no-break space
/// "12 000.5" of "12000.5": the digits before the point in groups, as formatCount() makes them.
std::string groupDigits(std::string number);
std::string formatFixed(double value, int decimals); ///< "12.30", without groups
std::string formatBandwidth(double bytesPerSecond);  ///< "27.9 GB/s", decimal as vendors give it
std::string formatFlops(double flopsPerSecond);      ///< "49.6 TFLOP/s"

} // namespace heteroscope
