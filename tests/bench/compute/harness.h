// SPDX-License-Identifier: Apache-2.0
// Timing of many pieces of work in turns, so that a change of the machine's speed meets all of them.
#pragma once

#include "compute/base/json.h"

#include <functional>
#include <string>
#include <vector>

namespace heteroscope::bench {

struct Work {
    std::string group;           ///< what is compared with one another: "maxpool.forward 1x1x4096x4096 k2 s2"
    std::string name;            ///< who does it: "openmp", "limit: 4 reads, 1 write"
    double bytes = 0, flops = 0; ///< of one run
    std::function<void()> run;
};

struct Timing {
    double medianMs = 0, lowMs = 0, highMs = 0; ///< low and high: quartiles
    double leastMs = 0;                         ///< the shortest sample: what other programs disturb least
};

/// Warms each up, then takes `rounds` samples of at least `sampleMs` each, one work after the other.
std::vector<Timing> measureInTurns(const std::vector<Work>& works, int rounds, double sampleMs);

/// The rows of the table as JSON: group, name, median_ms, least_ms, q1_ms, q3_ms, gb_s, gflop_s.
Json toJson(const std::vector<Work>& works, const std::vector<Timing>& timings);
void printTable(const std::vector<Work>& works, const std::vector<Timing>& timings);

} // namespace heteroscope::bench
