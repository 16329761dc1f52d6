// SPDX-License-Identifier: Apache-2.0
// Peaks of processors, measured once per machine by "devices --measure" and kept in a file of the person's
// cache (XDG_CACHE_HOME, else HOME/.cache: heteroscope/processor_peaks.json). Studies take them from there
// into the record of the device cpu, as properties: memory_bytes_s, memory_bytes_s_source, fp32_flop_s,
// fp32_flop_s_source, peaks_measured_utc. One thread.
#pragma once

#include "compute/base/output_file.h"
#include "compute/base/result.h"
#include "compute/core/device.h"
#include "compute/core/processor_peaks.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::cli {

/// Errors (BadInput): neither variable is set.
Result<std::string> peaksFile();

/// The file, held from before a measurement to its end: who comes meanwhile is refused, so that two never
/// disturb each other's measurement nor lose its result.
class KeptPeaks {
  public:
    /// Errors: BadInput (another process holds it; a file of somebody else), Io.
    static Result<KeptPeaks> open(const std::string& file);
    /// Once: in the place of an earlier measurement of the same processors; those of others stay.
    Status keep(const compute::ProcessorPeaks& peaks);

  private:
    KeptPeaks(std::string file, std::unique_ptr<OutputFile> output)
        : m_file(std::move(file)), m_output(std::move(output)) {}

    std::string m_file;
    std::unique_ptr<OutputFile> m_output;
};

/// Puts those of this machine's processors into the properties of cpu. Nothing where none are kept, or the
/// file is no such file: a roofline then says how to measure.
void addKnownPeaks(std::vector<compute::DeviceInfo>& devices);

} // namespace heteroscope::cli
