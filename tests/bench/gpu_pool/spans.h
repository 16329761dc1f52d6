// SPDX-License-Identifier: Apache-2.0
// Timing of GPU work in spans between two events, contenders in turns.
#pragma once

#include "compute/base/json.h"

#include <functional>
#include <string>
#include <vector>

namespace heteroscope::bench {

struct GpuWork {
    std::string group;            ///< what is compared with one another
    std::string name;             ///< who does it
    double bytes = 0;             ///< that one launch must move: each input once, the output once
    std::function<void(int)> run; ///< launches once, on the set of buffers with this number; asynchronous
};

struct GpuTiming {
    double medianMs = 0, q1Ms = 0, q3Ms = 0; ///< of one launch
    int spans = 0, launches = 0;             ///< launches: in a span
};

/// Warms each up, then times `spans` spans of each, of at least `spanMs` as far as the warm-up can tell, one
/// work after the other. Buffers are numbered on from launch to launch. Throws std::runtime_error when CUDA
/// reports an error.
std::vector<GpuTiming> timeInTurns(const std::vector<GpuWork>& works, int spans, double spanMs);

Json toJson(const std::vector<GpuWork>& works, const std::vector<GpuTiming>& timings);

/// Throws std::runtime_error for everything but 0.
void expectCuda(int error, const char* what);

} // namespace heteroscope::bench
