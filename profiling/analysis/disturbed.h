// SPDX-License-Identifier: Apache-2.0
// What else the machine did while a study's samples were taken, from their Disturbance. Pure functions; any
// thread.
#pragma once

#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

#include <cstddef>
#include <optional>
#include <string>

namespace heteroscope::profiling {

/// Of samples that count: neither warm-ups nor traced ones.
struct DisturbedSamples {
    std::size_t disturbed = 0;   ///< isDisturbed()
    std::size_t known = 0;       ///< samples with a record
    std::size_t waitUnknown = 0; ///< of these, those whose threads' waiting is not known
    double waitedMs = 0, othersMs = 0, stolenMs = 0, spanMs = 0; ///< sums, of others as
                                                                 ///< measured, which may be below 0
    std::optional<Interval> loopUs;                              ///< fastest and slowest calibration loop
    std::optional<Interval> mhz, celsius = {}; ///< lowest and highest; nothing: not readable

    void add(const DisturbedSamples& other);
};

/// From this share of disturbed samples on, a run's times are also those of the other programs.
inline constexpr double kMostDisturbedShare = 0.1;

/// Too much for a verdict between two studies: what disturbs one moment does not disturb the next alike. In
/// one study it meets all sides, and leaves differences below kClearWhereDisturbed open. False where nothing
/// was measured.
bool isTooDisturbed(const DisturbedSamples& samples);

/// The ratio that the 98 % interval has to exclude before one of two runs of a disturbed study is told to be
/// faster than the other: with 4 busy programs on 2 cores, 8 of 237 comparisons of identical work in 3 fresh
/// processes excluded 1, and none of these 1.1 (tests/bench/verdicts).
inline constexpr double kClearWhereDisturbed = 1.1;

DisturbedSamples disturbedSamples(const StudyRun& run);
DisturbedSamples disturbedSamples(const Study& study);

/// Seconds that all runs waited for other programs to be done; 0 where the experiment did not ask for it.
double quietWaitS(const Study& study);

/// "disturbed samples: 12 of 60 (cpu/openmp, size=64: 10 of 15; ...): something else ran on processors that
/// they needed; other programs took 45 % of a processor, ...; repeat when the machine is quiet: ...",
/// "disturbed samples: none of 60". Empty where nothing was measured. Names the first eight
/// runs.
Phrase disturbedNote(const Study& study);

/// "clock: 2100 to 3400 MHz", or "clock: frequency not readable", how much the calibration loop varied, and
/// how hot the processors were where that can be read. Empty where nothing was measured.
Phrase clockNote(const Study& study);

} // namespace heteroscope::profiling
