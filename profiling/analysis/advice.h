// SPDX-License-Identifier: Apache-2.0
// What is worth changing in a run on a GPU, and where to look: one function a rule, each with its threshold
// and where the rule comes from. Pure functions; any thread. Sentences are for people, in English or in the
// window's language; `rule` is for programs.
//
// Thresholds are this program's choice of what is worth a look; the facts behind the rules are from NVIDIA's
// CUDA C++ Best Practices Guide, CUDA C++ Programming Guide and CUDA runtime reference.
#pragma once

#include "profiling/analysis/advice_gain.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::profiling {

/// All rules: the functions below in their order.
inline constexpr std::array<std::string_view, 12> kAdviceRules{
    "transfers-dominate", "launches-dominate", "pageable-copies", "idle-gaps",
    "profiler-overhead",  "low-occupancy",     "small-grid",      "throttling",
    "power-limit",        "idle-clocks",       "lost-records",    "unlinked-work"};

struct Advice {
    std::string rule; ///< one of kAdviceRules
    Phrase sentences; ///< what was found, with figures, what to do, and the gain's sentence
    Phrase basis;     ///< the threshold and the source of the rule
    int run = -1;     ///< of the study; -1: the whole recording
    Place place;      ///< what to show; an empty range: the whole trace
    double share = 0; ///< of the run's wall time that it is about, 0 to 1; for order
    Gain gain;        ///< what following it is estimated to save
};

/// Of kernels and copies not hidden by kernels: a share of wall time from which transfers dominate.
constexpr double kTransferShare = 0.25;
/// Host time in launches while the device is idle, as a share of wall time, with kernels shorter than
/// launches.
constexpr double kLaunchShare = 0.10;
/// Share of wall time in pageable copies of kPageableBytes or more on average.
constexpr double kPageableShare = 0.05;
/// Up to this size the runtime may take pageable memory over at once, so that pinning gains little.
constexpr std::int64_t kPageableBytes = 64 << 10;
constexpr double kIdleShare = 0.20;
constexpr double kOverheadShare = 0.05;
constexpr double kLowOccupancy = 0.25;
/// Blocks of a grid for each multiprocessor: below this most of the device has nothing to do.
constexpr double kSmallGrid = 0.5;
/// Kernels that take less than this share of the wall time are not worth tuning.
constexpr double kKernelShare = 0.10;

/// Clocks held back by heat, a slowdown of the hardware, a power brake or another device's clocks.
constexpr double kThrottleShare = 0.05;
/// Clocks held back by the power limit alone: what the device is built for under full load, and worth a note.
constexpr double kPowerLimitShare = 0.05;
/// Clocks still at their idle level while samples were taken.
constexpr double kIdleClocksShare = 0.5;

std::optional<Advice> transfersDominate(const RunFigures& run);
std::optional<Advice> launchesDominate(const RunFigures& run);
std::optional<Advice> pageableCopies(const RunFigures& run);
std::optional<Advice> idleGaps(const RunFigures& run);
std::optional<Advice> profilerOverhead(const RunFigures& run);
std::optional<Advice> lowOccupancy(const RunFigures& run);
std::optional<Advice> smallGrid(const RunFigures& run);
std::optional<Advice> throttling(const RunFigures& run);
std::optional<Advice> powerLimit(const RunFigures& run);
std::optional<Advice> idleClocks(const RunFigures& run);
std::optional<Advice> lostRecords(const DataQuality& quality);
std::optional<Advice> unlinkedWork(const DeviceWork& work);

/// What follows from all rules: of the recording first, then by run, the largest share first.
std::vector<Advice> adviceOf(const std::vector<RunFigures>& runs, const DataQuality& quality,
                             const DeviceWork& work);

/// All that is known of the device's work in a trace.
struct DeviceReport {
    DeviceWork work;
    TransferBreakdown transfers;      ///< over the window
    std::vector<RunDeviceTime> times; ///< point into the study given; the caller keeps it alive
    std::vector<RunFigures> figures;  ///< of the same runs
    std::vector<Advice> advice;
};
/// Of what lies in the window: a selection of the timeline, or everything.
DeviceReport deviceReport(const Trace& trace, const Study& study, NsRange window = kAllTime);

} // namespace heteroscope::profiling
