// SPDX-License-Identifier: Apache-2.0
// The clocks of a GPU over the samples of a study, as its driver told them right after each sample. Pure
// functions; any thread.
#pragma once

#include "compute/base/json.h"
#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace heteroscope::profiling {

/// Of samples that count: neither warm-ups nor traced ones.
struct SampledClocks {
    std::size_t known = 0;                         ///< samples with a record
    std::optional<Interval> sm, memory;            ///< lowest and highest, MHz
    std::map<std::string, std::size_t> heldBackBy; ///< samples by what held the clocks back
    std::size_t heldBack = 0, idle = 0; ///< samples with clocks held back; with the device still called idle

    void add(const SampledClocks& other);
};

SampledClocks sampledClocks(const StudyRun& run);

/// Clocks that differ by more than this make times of one device those of two.
inline constexpr double kSameClock = 0.01;

/// "GPU clocks after each sample: cuda:0 1,755 to 1,980 MHz (they changed), memory 2,619 MHz, held back in 3
/// of 20 samples (power limit)", a device after the other; empty without a record.
Phrase deviceClockNote(const Study& study);

/// `device_clocks` of a run in the results: ranges in MHz, null where the driver does not tell, and counts of
/// samples. Null without a record.
Json deviceClocksJson(const SampledClocks& clocks);

} // namespace heteroscope::profiling
