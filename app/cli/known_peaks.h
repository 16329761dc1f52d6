// SPDX-License-Identifier: Apache-2.0
// Peaks of processors, measured once per machine by "devices --measure" and kept in a file of the person's
// cache (XDG_CACHE_HOME, else HOME/.cache: heteroscope/processor_peaks.json). Studies take them from there
// into the record of the device cpu, as properties: memory_bytes_s, memory_bytes_s_source, fp32_flop_s,
// fp32_flop_s_source, peaks_measured_utc. One thread.
#pragma once

#include "compute/base/result.h"
#include "compute/core/device.h"
#include "compute/core/processor_peaks.h"

#include <string>
#include <vector>

namespace heteroscope::cli {

/// Errors (BadInput): neither variable is set.
Result<std::string> peaksFile();

/// Into the file, in the place of an earlier measurement of the same processors; those of others stay.
Status keepPeaks(const compute::ProcessorPeaks& peaks, const std::string& file);

/// Puts those of this machine's processors into the properties of cpu. Nothing where none are kept, or the
/// file is no such file: a roofline then says how to measure.
void addKnownPeaks(std::vector<compute::DeviceInfo>& devices);

} // namespace heteroscope::cli
