// SPDX-License-Identifier: Apache-2.0
// The roofline of the ops of a trace (Williams, Waterman and Patterson, Communications of the ACM 52(4),
// 2009): how many operations an op does for each byte, how many it does a second, and how much of what its
// device allows that is. Times in ns, rates per second (not giga), shares 0 to 1. Pure functions; any thread.
//
// What counts for one op, which is a name, a detail, an implementation and a target:
//   - repetitions: its spans (category "op") inside traced samples that are no warm-ups;
//   - work: what the op itself declares, the fewest bytes that have to move and the operations that the
//     definition asks for (args "minimum bytes" and "operations"; in recordings of version 0.1.0 the bytes
//     are rounded to a tenth of their unit). A max pooling's operations are comparisons;
//   - time on a GPU: the union of the kernels that the repetition submitted, by correlation: the kernel
//     carries the op, and the call that launched it ended inside the repetition's span. Copies, memory sets
//     and gaps between kernels do not count;
//   - time on a processor: the length of the span.
// Bytes moved that a cache keeps from memory make a rate above the memory's roof possible; that is shown, not
// cut off.
#pragma once

#include "profiling/analysis/device_roofs.h"
#include "profiling/analysis/device_work.h"
#include "profiling/analysis/run_figures.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// Of the times of an op's repetitions.
struct TimeSpread {
    std::size_t count = 0;
    double minNs = 0, q1Ns = 0, medianNs = 0, q3Ns = 0, maxNs = 0;
};

/// What the hardware counted in one repetition of an op, by the counters pass. Sums over its kernels.
struct MeasuredWork {
    double dramBytes = 0; ///< read and written
    double flops = 0;     ///< fp32 additions, multiplications, and two for each fused multiply-add
    double timeNs = 0;    ///< of the kernels while they were counted
    double occupancy = 0; ///< warps active of those possible, 0 to 1, weighted by the kernels' times
};

enum class RoofKind : std::uint8_t { None, Memory, Fp32 };
const char* roofName(RoofKind kind); ///< "none", "memory", "fp32"

struct RooflineOp {
    std::string op, detail, implementation, target;
    std::vector<int> runs;       ///< of the study in which it ran, ascending
    double flops = 0, bytes = 0; ///< declared, of one repetition
    TimeSpread time;             ///< one value a repetition; count is above 0
    bool onDevice = false;       ///< time is that of kernels, not of a span on the host
    Place first;                 ///< the first repetition, on the row of its kernels or its span

    RoofKind bound = RoofKind::None; ///< the lower of the roofs at this intensity
    double share = 0;                ///< of that roof, at the median time; 0 with RoofKind::None
    Phrase whyNoRoof;                ///< not empty with RoofKind::None

    std::optional<MeasuredWork> measured;

    double intensity() const;              ///< declared operations for each declared byte; 0 without bytes
    double flopsPerS(double timeNs) const; ///< at a time of `time`, usually the median
    double bytesPerS(double timeNs) const;
    std::optional<double> measuredIntensity() const; ///< nothing without counters or bytes
};

struct Roofline {
    std::vector<DeviceRoofs> devices; ///< those that an op of `ops` ran on, by id
    std::vector<RooflineOp> ops;      ///< by target, then op, then bytes
    std::vector<Phrase> notes;        ///< what is not in `ops`, and why
};

/// `work` is that of the trace. Repetitions that begin in the window count. O(n log n) in spans of ops and
/// kernels.
Roofline roofline(const Trace& trace, const Study& study, const DeviceWork& work, NsRange window = kAllTime);

/// The lower roof of the two at an op's declared intensity, and the share of it that the op reaches.
void placeUnderRoofs(RooflineOp& op, const DeviceRoofs& roofs);

} // namespace heteroscope::profiling
