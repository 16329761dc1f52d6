// SPDX-License-Identifier: Apache-2.0
// The figures of one GPU run that advice is given from. Times in ns on the trace's clock, of the run's traced
// samples together unless they say otherwise. Pure functions; any thread.
#pragma once

#include "profiling/analysis/device_time.h"
#include "profiling/analysis/occupancy.h"
#include "profiling/analysis/transfers.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// Where a view can jump to.
struct Place {
    NsRange range;
    TrackId track = kNoTrack;
};

/// All launches of one kernel with one shape.
struct KernelUse {
    std::string name;
    KernelShape shape;
    std::int64_t count = 0, busyNs = 0; ///< sum of durations
    Place first;
};

/// How long a device's clocks were held back for one reason.
struct ClockTime {
    std::string reason;
    bool idle = false;
    std::int64_t ns = 0; ///< union inside the run's samples
    Place longest;
};

struct RunFigures {
    int run = -1;
    std::string name; ///< "cuda:0/cuda, size=64"
    DeviceTimeSplit time;
    TransferBreakdown transfers;
    std::vector<KernelUse> kernels; ///< largest time first; those whose shape is known

    std::int64_t transferCostNs = 0; ///< a copy runs or the host is in a call for one, and no kernel runs
    std::int64_t launchCostNs = 0;   ///< the host is in a call that launches kernels, and the device is idle
    std::int64_t idleNs = 0;         ///< parts synchronise and other
    std::int64_t overheadNs = 0;     ///< union of the profiler's own work
    std::vector<ClockTime> clocks;   ///< of the run's device, longest first
    double medianKernelNs = 0, medianLaunchNs = 0; ///< 0 without any
    std::optional<double> tracingOverheadPercent; ///< traced against untraced samples, as the run measured it
    std::optional<MultiprocessorLimits> device;   ///< of the target's device record

    Place sample;      ///< the first traced sample, on the busiest row of kernels
    Place copies;      ///< the same on a row of copies
    Place launches;    ///< the same on the row of calls
    Place longestIdle; ///< the longest stretch of idleNs
    Place overhead;    ///< the longest piece of overhead

    double share(std::int64_t partNs) const; ///< of the wall time, 0 to 1
};

RunFigures runFigures(const Trace& trace, const Study& study, const DeviceWork& work, const DeviceTime& time,
                      const RunDeviceTime& run);

} // namespace heteroscope::profiling
