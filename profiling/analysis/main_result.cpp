// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/main_result.h"

#include "profiling/analysis/run_match.h"

#include <algorithm>
#include <map>

namespace heteroscope::profiling {

namespace {

/// Larger in the first axis that differs; later in the study when an axis has no numbers.
bool isLarger(const Json& a, const Json& b) {
    for (const auto& [axis, value] : a.items()) {
        const auto found = b.find(axis);
        if (found == b.end() || *found == value || !value.is_number() || !found->is_number())
            continue;
        return value.get<double>() > found->get<double>();
    }
    return false;
}

/// The points of which one is spoken of.
class Points {
  public:
    void add(const Json& point) { m_points.emplace(point.dump(), point); }
    /// ", the largest of 4 points", or the first of those that numbers do not order; empty for one.
    Phrase choice(const Json& chosen) const {
        if (m_points.size() < 2)
            return {};
        const bool ordered = std::any_of(m_points.begin(), m_points.end(),
                                         [&](const auto& point) { return isLarger(chosen, point.second); });
        return say(ordered ? words(", the largest of %1 points") : words(", the first of %1 points"),
                   {std::to_string(m_points.size())});
    }

  private:
    std::map<std::string, Json> m_points;
};

/// What the speed-up of `run` was taken against.
const RunResult* baseOf(const Study& study, const StudyResults& results, const StudyRun& run) {
    const StudyRun* const base = referenceOf(study, run, results.reference);
    const auto found = std::find_if(results.runs.begin(), results.runs.end(), [&](const RunResult& result) {
        return result.run == base && result.timeMs.n > 0;
    });
    return found == results.runs.end() ? nullptr : &*found;
}

/// Whether a run is spoken of rather than the best so far: a faster one at its point, or one at a larger
/// point.
bool isBetter(const RunResult& result, const RunResult* best) {
    if (!best)
        return true;
    return best->run->point == result.run->point ? result.timeMs.median < best->timeMs.median
                                                 : isLarger(result.run->point, best->run->point);
}

std::optional<MainResult> bestCompared(const Study& study, const StudyResults& results) {
    MainResult best;
    Points points;
    for (const RunResult& result : results.runs) {
        if (!result.speedup || result.speedup->ratio <= 0 || result.run->target == results.reference)
            continue;
        points.add(result.run->point);
        if (!isBetter(result, best.result))
            continue;
        if (const RunResult* const base = baseOf(study, results, *result.run)) {
            best.result = &result;
            best.reference = base;
        }
    }
    if (!best.result)
        return std::nullopt;
    best.choice = points.choice(best.point());
    return best;
}

std::optional<MainResult> bestAlone(const StudyResults& results) {
    MainResult best;
    Points points;
    for (const RunResult& result : results.runs) {
        if (result.timeMs.n == 0)
            continue;
        points.add(result.run->point);
        if (isBetter(result, best.result))
            best.result = &result;
    }
    if (!best.result)
        return std::nullopt;
    best.choice = points.choice(best.point());
    return best;
}

} // namespace

std::optional<MainResult> mainResult(const Study& study, const StudyResults& results) {
    const auto compared = bestCompared(study, results);
    return compared ? compared : bestAlone(results);
}

} // namespace heteroscope::profiling
