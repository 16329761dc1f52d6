// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/warm_up.h"

#include "compute/base/units.h"
#include "compute/base/warm_up_rule.h"
#include "profiling/analysis/device_records.h"
#include "profiling/analysis/run_phrase.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heteroscope::profiling {
namespace {

std::string percentText(double share) {
    return formatFixed(100 * share, 0) + " %";
}

Phrase stableText(const WarmUp& warmUp) {
    if (warmUp.processes == 1)
        return warmUp.stable == 1 ? say("stable") : say("not stable");
    return say("stable in %1 of %2 processes",
               {std::to_string(warmUp.stable), std::to_string(warmUp.processes)});
}

/// "24.0 ms to 40.0 ms"; one of them where they read the same.
Phrase rangeText(const std::string& low, const std::string& high) {
    return low == high ? Phrase(high) : say("%1 to %2", {low, high});
}

std::string secondsText(double ms) {
    return formatDurationNs(ms * 1e6);
}

/// Time of each process that says how its warm-up ended, in ms.
std::map<int, double> processTimes(const StudyRun& run) {
    std::map<int, double> times;
    std::set<int> judged;
    for (const StudySample& sample : run.samples)
        if (sample.warmup) {
            times[sample.process] += sample.wallMs * sample.repetitions;
            if (sample.warmupStable)
                judged.insert(sample.process);
        }
    std::erase_if(times, [&](const auto& one) { return !judged.contains(one.first); });
    return times;
}

/// Of the experiment, as it was given.
bool flushes(const Study& study) {
    const Json::json_pointer cache("/sampling/cache");
    return study.experiment.contains(cache) && study.experiment.at(cache) == "flush";
}

} // namespace

WarmUp warmUpOf(const StudyRun& run) {
    WarmUp all;
    const std::map<int, double> times = processTimes(run);
    for (const auto& [process, ms] : times)
        all.ms += ms;
    all.processes = static_cast<int>(times.size());
    for (const StudySample& sample : run.samples) {
        if (!sample.warmup || !times.contains(sample.process))
            continue;
        all.repetitions += sample.repetitions;
        if (!sample.warmupStable)
            continue;
        all.stable += *sample.warmupStable ? 1 : 0;
        if (sample.clocks && sample.clocks->smMhz) {
            const double mhz = *sample.clocks->smMhz;
            all.smClock = all.smClock
                              ? Interval{std::min(all.smClock->low, mhz), std::max(all.smClock->high, mhz)}
                              : Interval{mhz, mhz};
        }
    }
    return all;
}

Phrase warmUpText(const StudyRun& run) {
    const WarmUp warmUp = warmUpOf(run);
    if (warmUp.processes == 0)
        return {};
    std::vector<Phrase> parts{
        warmUp.repetitions == 1
            ? say("1 repetition in %1", {secondsText(warmUp.ms)})
            : say("%1 repetitions in %2", {formatCount(warmUp.repetitions), secondsText(warmUp.ms)}),
        stableText(warmUp)};
    if (warmUp.smClock)
        parts.push_back(say("SM clock %1 MHz", {rangeText(formatFixed(warmUp.smClock->low, 0),
                                                          formatFixed(warmUp.smClock->high, 0))}));
    return joined(parts, ", ");
}

Json warmUpJson(const WarmUp& warmUp) {
    if (warmUp.processes == 0)
        return nullptr;
    return {{"repetitions", warmUp.repetitions},
            {"ms", warmUp.ms},
            {"processes", warmUp.processes},
            {"stable_processes", warmUp.stable},
            {"sm_mhz",
             warmUp.smClock ? Json::array({warmUp.smClock->low, warmUp.smClock->high}) : Json(nullptr)}};
}

Phrase warmUpNote(const Study& study) {
    std::optional<Interval> spent;
    std::vector<Phrase> unstable;
    bool clocks = false;
    for (const StudyRun& run : study.runs) {
        for (const auto& [process, ms] : processTimes(run))
            spent = spent ? Interval{std::min(spent->low, ms), std::max(spent->high, ms)} : Interval{ms, ms};
        const WarmUp warmUp = warmUpOf(run);
        clocks = clocks || warmUp.smClock;
        if (warmUp.stable < warmUp.processes)
            unstable.push_back(warmUp.processes == 1 ? runPhrase(run)
                                                     : say("%1 (%2)", {runPhrase(run), stableText(warmUp)}));
    }
    if (!spent)
        return {};
    const std::string count = std::to_string(kWarmUpsInARow), within = percentText(kWarmUpTolerance);
    const Phrase time = rangeText(secondsText(spent->low), secondsText(spent->high));
    const Phrase rule =
        clocks
            ? say("warmed up until no repetition of %1 in a row was faster by %2, the GPU's clock within %3: "
                  "%4 a process",
                  {count, within, percentText(kWarmUpClockTolerance), time})
            : say("warmed up until no repetition of %1 in a row was faster by %2: %3 a process",
                  {count, within, time});
    return joined({rule, listed(words("not stable at its time limit: %1"), unstable)}, "; ");
}

Phrase warmUpCaption(const Study& study) {
    std::size_t told = 0, unstable = 0;
    for (const StudyRun& run : study.runs) {
        const WarmUp warmUp = warmUpOf(run);
        told += warmUp.processes > 0 ? 1 : 0;
        unstable += warmUp.stable < warmUp.processes ? 1 : 0;
    }
    if (told == 0)
        return {};
    return unstable == 0 ? say("warmed up until stable")
                         : say("%1 of %2 runs not stable after their warm-up",
                               {std::to_string(unstable), std::to_string(told)});
}

Phrase cacheCaption(const Study& study) {
    const bool timed = std::any_of(study.runs.begin(), study.runs.end(),
                                   [](const StudyRun& run) { return !run.timesMs().empty(); });
    if (!timed)
        return {};
    return flushes(study) ? say("caches flushed before each sample") : say("caches kept");
}

Phrase cacheNote(const Study& study) {
    std::map<std::string, double> written; // by device
    bool timed = false;
    for (const StudyRun& run : study.runs) {
        timed = timed || !run.timesMs().empty();
        if (const auto bytes = run.metrics.find("cache_flush_bytes");
            bytes != run.metrics.end() && bytes->is_number())
            written[deviceOfTarget(run.target)] = bytes->get<double>();
    }
    if (!timed || !flushes(study))
        return {};
    std::vector<Phrase> all;
    for (const auto& [device, bytes] : written)
        all.push_back(say("%1 written on %2", {formatBytes(bytes), device}));
    return joined({say("caches are flushed before each sample, which is one repetition"), joined(all, ", ")},
                  ": ");
}

} // namespace heteroscope::profiling
