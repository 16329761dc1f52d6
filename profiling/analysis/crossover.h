// SPDX-License-Identifier: Apache-2.0
// Where the faster of two targets changes along a numeric axis. Times in ms. Pure functions; any thread.
#pragma once

#include "compute/base/statistics.h"
#include "profiling/analysis/results.h"

#include <string>
#include <vector>

namespace heteroscope::profiling {

/// A target's time at one value of the axis.
struct CurvePoint {
    double x = 0;
    double timeMs = 0; ///< median
    Interval ci95;
    bool hasInterval = false; ///< at least 5 samples
    bool isUnclear = false;   ///< the verdict on it tells it neither faster nor slower than the reference
};

struct Crossover {
    double x = 0, timeMs = 0;        ///< where the curves meet, by straight lines on log axes
    double below = 0, above = 0;     ///< the measured values of the axis on both sides
    bool firstIsFasterAbove = false; ///< the first curve is the faster one above x
    bool clear = false; ///< on both sides both targets have intervals that do not overlap, and a verdict
};

/// Both have intervals, these do not overlap, and the verdicts tell them apart.
bool isClearlyFaster(const CurvePoint& one, const CurvePoint& other);

/// Every change of the faster curve between neighbouring values of x that both have. Points are put in order
/// of x; equal times take no side. Values that are not positive are left out.
std::vector<Crossover> findCrossovers(std::vector<CurvePoint> first, std::vector<CurvePoint> second);

/// The curve of a target along an axis (JSON pointer), all other axes as in `fixed`; runs without samples and
/// values that are not numbers are left out.
std::vector<CurvePoint> curveOf(const StudyResults& results, const std::string& target,
                                const std::string& axis, const Json& fixed = Json::object());

} // namespace heteroscope::profiling
