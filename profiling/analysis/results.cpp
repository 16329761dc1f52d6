// SPDX-License-Identifier: Apache-2.0
// Figures of each run, and the caption that says how they came about.
#include "profiling/analysis/results.h"

#include "profiling/analysis/run_match.h"
#include "profiling/analysis/warm_up.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace heteroscope::profiling {

namespace {

constexpr const char* kSpecification = "cpu/sequential";
constexpr double kLargestEqualError = 1e-3; ///< relative; beyond it outputs differ

bool hasTarget(const Study& study, const std::string& target) {
    return std::any_of(study.runs.begin(), study.runs.end(),
                       [&](const StudyRun& run) { return run.target == target; });
}

/// The smallest power of ten that is not below the error: "within 1e-06".
std::string withinPower(double error) {
    int exponent = 0;
    while (exponent > -30 && error <= std::pow(10.0, exponent - 1))
        --exponent;
    return "within 1e" + std::to_string(exponent);
}

std::string equalWorkOf(const Study& study, const StudyRun& run) {
    if (run.status != StudyRunStatus::Ok)
        return "not checked";
    if (run.maxAbsError || run.maxRelError) {
        const double absolute = run.maxAbsError.value_or(0), relative = run.maxRelError.value_or(absolute);
        if (absolute == 0 && relative == 0)
            return "equal";
        return relative <= kLargestEqualError ? withinPower(relative) : "differs";
    }
    const StudyRun* const specification = referenceOf(study, run, kSpecification);
    const bool sameBytes = specification && specification != &run && !run.outputDigest.empty() &&
                           specification->outputDigest == run.outputDigest;
    return sameBytes ? "equal" : "not checked";
}

/// The first of some places in the environment that holds text.
std::string textAt(const Json& environment, std::initializer_list<const char*> pointers) {
    for (const char* pointer : pointers) {
        const Json::json_pointer place(pointer);
        if (environment.contains(place) && environment.at(place).is_string())
            return environment.at(place).get<std::string>();
    }
    return {};
}

/// Processor, devices, system and compiler, from the keys of the environment record.
void addMachine(const Json& environment, const std::vector<Json>& devices, std::vector<Phrase>& parts) {
    const Json::json_pointer cores("/cores");
    if (const std::string cpu = textAt(environment, {"/cpu"}); !cpu.empty())
        parts.push_back(environment.contains(cores) && environment.at(cores).is_number_integer()
                            ? say("%1, %2 cores", {cpu, std::to_string(environment.at(cores).get<int>())})
                            : Phrase(cpu));
    for (const Json& device : devices)
        if (const std::string name = textField(device, "name");
            textField(device, "kind") == "gpu" && !name.empty())
            parts.emplace_back(name);
    parts.emplace_back(textAt(environment, {"/os"}));
    const std::string buildType = textAt(environment, {"/compiler/build_type"});
    if (const std::string compiler = textAt(environment, {"/compiler/id"}); !compiler.empty())
        parts.emplace_back(buildType.empty() ? compiler : compiler + " " + buildType);
}

Phrase rangeText(std::size_t least, std::size_t most) {
    return least == most ? Phrase(std::to_string(most))
                         : say("%1 to %2", {std::to_string(least), std::to_string(most)});
}

/// " in 3 processes (geometric mean of their medians, Student's 95 % interval over processes)"; empty where
/// no run's processes are what varies.
Phrase processesText(const StudyResults& results) {
    std::size_t least = 0, most = 0;
    bool all = true;
    for (const RunResult& result : results.runs) {
        if (result.timeMs.n == 0)
            continue;
        all = all && result.timeMs.overProcesses;
        if (!result.timeMs.overProcesses)
            continue;
        const std::size_t count = result.run->processTimesMs().size();
        least = least == 0 ? count : std::min(least, count);
        most = std::max(most, count);
    }
    if (most == 0)
        return {};
    return say(all ? words(" in %1 processes (geometric mean of their medians, Student's 95 % interval over "
                           "processes)")
                   : words(", of some runs in %1 processes (geometric mean of their medians, Student's 95 % "
                           "interval over processes)"),
               {rangeText(least, most)});
}

Phrase sampleCounts(const StudyResults& results) {
    std::size_t least = 0, most = 0, withInterval = 0, all = 0;
    for (const RunResult& result : results.runs) {
        if (result.timeMs.n == 0)
            continue;
        ++all;
        withInterval += result.timeMs.hasInterval;
        least = least == 0 ? result.timeMs.n : std::min(least, result.timeMs.n);
        most = std::max(most, result.timeMs.n);
    }
    if (most == 0)
        return say("No samples");
    const Phrase processes = processesText(results);
    const Phrase interval = withInterval == 0    ? say(" (no interval: n < 5)")
                            : withInterval < all ? say(" (95 % interval from 5 samples or 3 processes on)")
                            : processes.empty()  ? say(" (95 % interval)")
                                                 : Phrase();
    const Phrase count =
        most == 1 ? say("Median of 1 sample") : say("Median of %1 samples", {rangeText(least, most)});
    return together(count, together(processes, interval));
}

} // namespace

std::string referenceTarget(const Study& study) {
    if (hasTarget(study, kSpecification))
        return kSpecification;
    return study.runs.empty() ? std::string() : study.runs.front().target;
}

StudyResults summarizeStudy(const Study& study, std::string reference) {
    StudyResults results;
    results.reference = reference.empty() ? referenceTarget(study) : std::move(reference);
    for (const StudyRun& run : study.runs) {
        RunResult result;
        result.run = &run;
        result.timeMs = runTime(run);
        if (const StudyRun* const base = referenceOf(study, run, results.reference))
            result.speedup = speedupOver(*base, run);
        result.equalWork = equalWorkOf(study, run);
        results.runs.push_back(std::move(result));
    }
    return results;
}

Phrase machineCaption(const Study& study, const StudyResults& results) {
    std::vector<Phrase> parts = {sampleCounts(results)};
    if (!results.reference.empty())
        parts.push_back(say("reference %1", {results.reference}));
    parts.push_back(warmUpCaption(study));
    parts.push_back(cacheCaption(study));
    parts.emplace_back(std::string("fp32"));
    const Json& environment = study.environment;
    if (environment.is_object())
        addMachine(environment, study.devices, parts);
    parts.emplace_back("Heteroscope" + (study.version.empty() ? std::string() : " " + study.version));
    if (study.startedUtc.size() >= 10)
        parts.emplace_back(study.startedUtc.substr(0, 10));
    return together(joined(parts, "; "), Phrase("."));
}

} // namespace heteroscope::profiling
