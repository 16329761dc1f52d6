// SPDX-License-Identifier: Apache-2.0
// Where the wall time of a sample on a GPU goes. Times in ns. Pure functions; any thread.
//
// The rule: each moment of the range belongs to the first of these that holds, so that the parts do not
// overlap and add up to the wall time exactly:
//   1. execute      a kernel runs on the device
//   2. copy         a copy or a memory set runs on the device
//   3. launch       the host is inside a call that gives the device work (launch, copy, memory set); what the
//                   driver does there counts too, such as staging pageable memory
//   4. queue        a call that gave the device work has returned, and that work has not started
//   5. synchronise  the host is inside a call that waits for the device
//   6. other        none of these: the host does something else and has given the device nothing to do
// So from 3 on the device is idle, and copies under kernels cost nothing. Queue needs the link from a call to
// its work: of work without it (`withoutLaunch`) the waiting time is in synchronise or other. All devices and
// host threads of the trace count together.
#pragma once

#include "profiling/analysis/device_work.h"
#include "profiling/analysis/figure.h"
#include "profiling/stream/study.h"

#include <array>
#include <vector>

namespace heteroscope::profiling {

enum class TimePart : std::uint8_t { Execute, Copy, Launch, Queue, Synchronise, Other };
constexpr std::size_t kTimeParts = 6;
const Figure& figureOf(TimePart part); ///< of the dictionary of figures; its id begins the keys of files

struct DeviceTimeSplit {
    std::int64_t wallNs = 0;
    std::array<std::int64_t, kTimeParts> partNs{}; ///< by TimePart; their sum is wallNs
    std::int64_t launchOfCopiesNs = 0;             ///< of launch: the call is one for a copy or memory set
    std::int64_t launchOfKernelsNs = 0;            ///< of launch: the call is one that launches kernels
    std::uint64_t kernels = 0, copies = 0;         ///< that touch the range
    std::uint64_t withoutLaunch = 0;               ///< of these, without a known call

    std::int64_t operator[](TimePart part) const { return partNs[static_cast<std::size_t>(part)]; }
    double share(TimePart part) const { return shareOf((*this)[part]); } ///< of wallNs, 0 to 1
    double shareOf(std::int64_t ns) const; ///< of wallNs, 0 to 1; 0 without time
    std::int64_t deviceIdleNs() const;     ///< launch + queue + synchronise + other
    DeviceTimeSplit& operator+=(const DeviceTimeSplit& more);
};

/// The time sets of the rule, made once for a trace and used for many ranges.
class DeviceTime {
  public:
    explicit DeviceTime(const DeviceWork& work); ///< the work outlives this

    DeviceTimeSplit split(const TimeSet& range) const;
    /// The moments of a part inside the range.
    TimeSet part(TimePart part, const TimeSet& range) const;

  private:
    const DeviceWork& m_work;
    std::array<TimeSet, kTimeParts - 1> m_parts; ///< disjoint; without Other
    TimeSet m_launchOfCopies, m_launchOfKernels; ///< inside of Launch
};

struct SampleTime {
    const StudySample* sample = nullptr; ///< into the study given
    NsRange range;
    DeviceTimeSplit split;
};

/// A run that used a device: its traced samples and their sum.
struct RunDeviceTime {
    const StudyRun* run = nullptr; ///< into the study given; the caller keeps it alive
    std::vector<SampleTime> samples;
    TimeSet range; ///< of the samples together
    DeviceTimeSplit total;
};

/// From the start of the first to the end of the last repetition, on the trace's clock.
NsRange sampleRange(const StudySample& sample);

/// The runs with traced samples (neither warm-up) in which the device did something, in the study's order; of
/// the samples only what lies in the window.
std::vector<RunDeviceTime> deviceTimeOfRuns(const Study& study, const DeviceTime& time,
                                            NsRange window = kAllTime);

} // namespace heteroscope::profiling
