// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/crossover.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heteroscope::profiling {

namespace {

struct Pair {
    CurvePoint first, second;
    double logRatio() const { return std::log(first.timeMs / second.timeMs); } ///< above 0: second is faster
    bool apart() const { return isClearlyFaster(first, second) || isClearlyFaster(second, first); }
};

void prepare(std::vector<CurvePoint>& curve) {
    std::erase_if(curve, [](const CurvePoint& point) { return !(point.x > 0) || !(point.timeMs > 0); });
    std::stable_sort(curve.begin(), curve.end(),
                     [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
}

std::vector<Pair> pairs(const std::vector<CurvePoint>& first, const std::vector<CurvePoint>& second) {
    std::vector<Pair> both;
    for (const CurvePoint& point : first) {
        const auto match = std::find_if(second.begin(), second.end(),
                                        [&](const CurvePoint& other) { return other.x == point.x; });
        if (match != second.end() && point.timeMs != match->timeMs)
            both.push_back({point, *match});
    }
    return both;
}

/// Intervals of two times may lie apart where the verdict on their ratio does not tell them apart.
bool isUnclear(const RunResult& result, const std::string& reference) {
    return result.run->target != reference && result.speedup && result.speedup->verdict != Verdict::Faster &&
           result.speedup->verdict != Verdict::Slower;
}

Crossover between(const Pair& below, const Pair& above) {
    const double from = below.logRatio(), to = above.logRatio();
    const double share = from / (from - to);
    const auto interpolate = [share](double a, double b) {
        return std::exp(std::log(a) + share * (std::log(b) - std::log(a)));
    };
    Crossover crossover;
    crossover.x = interpolate(below.first.x, above.first.x);
    crossover.timeMs = interpolate(below.first.timeMs, above.first.timeMs);
    crossover.below = below.first.x;
    crossover.above = above.first.x;
    crossover.firstIsFasterAbove = to < 0;
    crossover.clear = below.apart() && above.apart();
    return crossover;
}

} // namespace

bool isClearlyFaster(const CurvePoint& one, const CurvePoint& other) {
    return one.hasInterval && other.hasInterval && !one.isUnclear && !other.isUnclear &&
           one.ci95.high < other.ci95.low;
}

std::vector<Crossover> findCrossovers(std::vector<CurvePoint> first, std::vector<CurvePoint> second) {
    prepare(first);
    prepare(second);
    const std::vector<Pair> both = pairs(first, second);
    std::vector<Crossover> found;
    for (std::size_t i = 1; i < both.size(); ++i)
        if ((both[i - 1].logRatio() < 0) != (both[i].logRatio() < 0))
            found.push_back(between(both[i - 1], both[i]));
    return found;
}

std::vector<CurvePoint> curveOf(const StudyResults& results, const std::string& target,
                                const std::string& axis, const Json& fixed) {
    std::vector<CurvePoint> curve;
    for (const RunResult& result : results.runs) {
        const Json& point = result.run->point;
        const auto value = point.find(axis);
        if (result.run->target != target || result.timeMs.n == 0 || value == point.end() ||
            !value->is_number())
            continue;
        const bool matches = std::all_of(fixed.items().begin(), fixed.items().end(), [&](const auto& item) {
            const auto found = point.find(item.key());
            return item.key() == axis || (found != point.end() && *found == item.value());
        });
        if (matches)
            curve.push_back({value->template get<double>(), result.timeMs.median, result.timeMs.ci95,
                             result.timeMs.hasInterval, isUnclear(result, results.reference)});
    }
    std::stable_sort(curve.begin(), curve.end(),
                     [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
    return curve;
}

} // namespace heteroscope::profiling
