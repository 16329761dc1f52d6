// SPDX-License-Identifier: Apache-2.0
// The figures of one GPU run that advice is given from. Times in ns on the trace's clock, of the run's traced
// samples together unless they say otherwise. Pure functions; any thread.
#pragma once

#include "profiling/analysis/device_time.h"
#include "profiling/analysis/occupancy.h"
#include "profiling/analysis/phrase.h"
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

/// Times that differ by less are shown as one.
constexpr double kSameTime = 0.01;

struct RunFigures {
    int run = -1;
    Phrase name; ///< "cuda:0/cuda, size=64"
    DeviceTimeSplit time;
    TransferBreakdown transfers;
    std::vector<KernelUse> kernels; ///< largest time first; those whose shape is known

    std::int64_t overheadNs = 0; ///< union of the profiler's own work
    /// What the same kernels and copies take one right after the other, as a CUDA graph runs them, with the
    /// gradients of weights beside those of inputs, which do not wait for each other.
    std::int64_t backToBackNs = 0;
    std::vector<ClockTime> clocks; ///< of the run's device, longest first
    double tracedMs = 0;      ///< mean of the recorded repetitions, which the parts add up to; 0 without any
    double untracedMs = 0;    ///< median of the repetitions that count; 0 without any
    double recordedShare = 1; ///< of a repetition, below 1 where too much happens in one to record all
    std::optional<double>
        hostCopiesMs; ///< what the host took for copies in one that counts, where it timed them
    std::optional<double> launchedMs; ///< where untraced repetitions come from a CUDA graph: without one
    double medianKernelNs = 0, medianLaunchNs = 0; ///< 0 without any
    std::optional<double> tracingOverheadPercent; ///< traced against untraced samples, as the run measured it
    std::optional<MultiprocessorLimits> device;   ///< of the target's device record

    Place sample;      ///< the first traced sample, on the busiest row of kernels
    Place copies;      ///< the same on a row of copies
    Place launches;    ///< the same on the row of calls
    Place longestIdle; ///< the longest stretch of idleNs
    Place overhead;    ///< the longest piece of overhead

    double share(std::int64_t partNs) const; ///< of the wall time of the traced samples, 0 to 1
    std::int64_t transferCostNs() const;     ///< part copy, and of launch what is for copies
    std::int64_t launchCostNs() const { return time.launchOfKernelsNs; }
    std::int64_t idleNs() const; ///< parts synchronise and other
    /// Time that what was recorded takes in untraced samples, and where these come from a CUDA graph when it
    /// is launched one by one; 0 where it is not known.
    double untracedNs() const { return untracedNsOf(untracedMs); }
    double launchedNs() const { return untracedNsOf(launchedMs.value_or(untracedMs)); }

    /// "recorded sample: 87.0 us, untraced 68.0 us": what shares of the recorded samples may not be applied
    /// to. Empty when the two differ by at most kSameTime or one is not known.
    Phrase sampleTimesText() const;

  private:
    double untracedNsOf(double ms) const;
};

RunFigures runFigures(const Trace& trace, const Study& study, const DeviceWork& work, const DeviceTime& time,
                      const RunDeviceTime& run);

} // namespace heteroscope::profiling
