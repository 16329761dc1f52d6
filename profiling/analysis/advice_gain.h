// SPDX-License-Identifier: Apache-2.0
// What following a piece of advice is estimated to save, as a share of the time of an untraced repetition:
// what a user times. tests/bench/advice compares it with what is measured. Pure functions; any thread.
#pragma once

#include "profiling/analysis/run_figures.h"

#include <optional>
#include <utility>

namespace heteroscope::profiling {

struct Gain {
    std::optional<double> share; ///< 0 to 1; nothing: there is no honest estimate
    Phrase why;                  ///< a clause: what the estimate counts, or why there is none

    static Gain none(Phrase why) { return {std::nullopt, std::move(why)}; }
    /// "Estimated gain: 24.4 % of the time of an untraced repetition: ..." or "No gain is estimated: ...".
    Phrase sentence() const;
};

/// Kernels back to back instead of launched one by one: 1 - RunFigures::backToBackNs / untraced time.
Gain gainOfLaunches(const RunFigures& run);
/// All copies as one at the link's best rate: what the host took for them in untraced samples, less the bytes
/// at that rate. Where it did not time them: the recorded copies and the calls for them, less what recording
/// adds to these calls.
Gain gainOfCopies(const RunFigures& run);
/// A kernel takes as long however little it does: those of the experiments with the least work took 1.1 to
/// 1.9 us (NVIDIA H100, 2026-11-26).
inline constexpr double kLeastKernelNs = 2000;
/// As many blocks as multiprocessors, each with less work: kernel time x (1 - blocks / multiprocessors). What
/// is split has to be joined by a second kernel, and neither takes less than its launch or kLeastKernelNs.
Gain gainOfBlocks(const RunFigures& run, const KernelUse& kernel);
/// No recording: of the time of a traced repetition, here alone.
Gain gainOfNoRecording(const RunFigures& run);

} // namespace heteroscope::profiling
