// SPDX-License-Identifier: Apache-2.0
// What a run took, how much faster it is than another, and what it did a second: tables, charts, files and
// sentences ask here and work out none of it from samples themselves. Times in ms. Pure functions; any
// thread.
#pragma once

#include "compute/base/statistics.h"
#include "profiling/stream/study.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace heteroscope::profiling {

/// Of the samples that count. `median` and `ci95` are over processes where enough of them took the samples
/// (CenterOfProcesses), else of all samples; the other figures are of all samples, `outliers` in the order of
/// StudyRun::timesMs().
Summary runTime(const StudyRun& run);
/// Its median alone, which takes no bootstrap; 0 without samples.
double runTimeMs(const StudyRun& run);
/// The same of another measure of the samples that count; nothing where no sample has it.
std::optional<double> centralMs(const StudyRun& run,
                                const std::function<std::optional<double>(const StudySample&)>& measure);

/// How many times as fast `run` is as `base`, a run of the same study; open where one of them was too
/// disturbed and they differ by less than kClearWhereDisturbed. Nothing of a run that failed, was stopped or
/// has no samples, or against one without any; against itself 1.
std::optional<Comparison> speedupOver(const StudyRun& base, const StudyRun& run);
/// Its ratio alone, which takes no bootstrap.
std::optional<double> speedupRatio(const StudyRun& base, const StudyRun& run);
/// The same of another run whose times are at hand: runTimeMs() of both.
std::optional<double> speedupRatio(double baseMs, const StudyRun& run, double ms);

/// How often a repetition does the work that the run's `flops` and `minimumBytes` count: once, the steps of
/// an epoch, or the batches of a set of examples. Nothing where a recording does not say.
std::optional<double> workPerRepetition(const StudyRun& run);
/// How much of a repetition that counts the traced ones do, 1 where they do all of it; nothing where the
/// samples do not say.
std::optional<double> tracedShare(const StudyRun& run);

enum class RunWork : std::uint8_t { Bytes, Operations };
/// In bytes or operations a second, of a repetition that takes `ms`. Nothing where the study does not say how
/// much work there is, or `ms` is not above 0.
std::optional<double> workPerSecond(const StudyRun& run, double ms, RunWork work);

} // namespace heteroscope::profiling
