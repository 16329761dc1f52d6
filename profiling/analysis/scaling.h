// SPDX-License-Identifier: Apache-2.0
// How time falls with the number of threads: efficiency, Amdahl's law fitted to the measurements, and the
// Karp-Flatt metric. Times in ms. Pure functions; any thread.
#pragma once

#include "compute/base/statistics.h"
#include "profiling/analysis/run_time.h"
#include "profiling/stream/study.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::profiling {

/// Samples of the same work with one number of threads.
struct ThreadSamples {
    int threads = 1;
    ProcessSamples timesMs;                                ///< by the process that took them
    const StudyRun* run = nullptr;                         ///< into the study; nullptr: of none
    double timeMs() const { return centralTime(timesMs); } ///< what runTime() says of the run
};

/// T(p) = T(1) * (f + (1 - f) / p).
struct AmdahlFit {
    double oneThreadMs = 0;    ///< fitted T(1)
    double serialFraction = 0; ///< f in [0, 1]
    /// Of f. Where each number of threads ran in the same processes, kProcessesForVerdict or more: Student's
    /// over the fits of the single processes, which may lie outside of [0, 1], cut to it at the end; else
    /// bootstrap over the samples.
    Interval ci95;
    bool hasInterval = false;   ///< over processes, or every thread count has at least 5 samples
    bool overProcesses = false; ///< the interval is over processes
    double rSquared = 0;        ///< share of the variance of the times that the fit explains

    double timeMs(double threads) const;
    double speedup(double threads) const; ///< over one thread, fitted
    double limit() const;                 ///< speedup with unlimited threads; infinity when f is 0
};

/// Least squares on the runs' times (ThreadSamples::timeMs), weighted by 1 / time^2 so that short times count
/// as much as long ones. Nothing with fewer than two different thread counts or times that are not positive.
std::optional<AmdahlFit> fitAmdahl(const std::vector<ThreadSamples>& samples, std::uint64_t seed = 1);

/// Share of the ideal speedup: time(1) / (threads * time(threads)).
double efficiency(double oneThreadMs, double timeMs, int threads);
/// Experimentally found serial fraction (Karp and Flatt 1990); nothing for one thread or less.
std::optional<double> karpFlatt(double speedup, int threads);

/// The value of option `threads` in a target's text ("cpu/openmp?threads=4"); nothing when it has none.
std::optional<int> threadsOfTarget(std::string_view target);
/// The target without that option ("cpu/openmp").
std::string targetWithoutThreads(std::string_view target);

/// Runs at `point` whose targets differ in the option `threads` only and equal `target` without it, by
/// ascending thread count. Left out are runs that speedupOver() refuses: without samples, failed, stopped.
std::vector<ThreadSamples> threadSamples(const Study& study, const Json& point, const std::string& target);

} // namespace heteroscope::profiling
