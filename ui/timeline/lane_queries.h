// SPDX-License-Identifier: GPL-3.0-or-later
// The span queries of one frame, shared between the calling thread and idle processors.
#pragma once

#include "profiling/trace/trace.h"

#include <vector>

namespace heteroscope::ui {

struct LaneQuery {
    profiling::TrackId track = profiling::kNoTrack;
    std::uint16_t lane = 0;
    std::vector<profiling::DrawSpan> spans; ///< the answer
};

/// Fills in the answers and returns when all are there. Helps itself to other threads only when they are
/// free: a busy machine makes it no slower than asking one after another.
void runQueries(const profiling::Trace& trace, std::int64_t startNs, std::int64_t endNs, double nsPerPixel,
                std::vector<LaneQuery>& queries);

} // namespace heteroscope::ui
