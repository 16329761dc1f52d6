// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/study_notes.h"

#include "compute/base/axis_name.h"
#include "compute/base/units.h"
#include "profiling/analysis/device_clocks.h"
#include "profiling/analysis/disturbed.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/figures.h"
#include "profiling/analysis/run_time.h"
#include "profiling/analysis/scaling.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heteroscope::profiling {

namespace {

constexpr const char* kOverhead = "tracing_overhead_percent";
constexpr std::size_t kMostNamed = 8;

struct Overhead {
    double percent;
    const StudyRun* run;
};

std::vector<Overhead> overheads(const Study& study) {
    std::vector<Overhead> found;
    for (const StudyRun& run : study.runs)
        if (const auto value = run.metrics.find(kOverhead); value != run.metrics.end() && value->is_number())
            found.push_back({value->get<double>(), &run});
    std::sort(found.begin(), found.end(),
              [](const Overhead& a, const Overhead& b) { return a.percent < b.percent; });
    return found;
}

std::string runName(const StudyRun& run) {
    return run.target + (run.point.empty() ? "" : ", " + pointName(run.point));
}

/// The first of them after `text`, and how many more there are.
std::string listNote(const char* text, const std::vector<std::string>& entries, const char* whereMore) {
    std::string list;
    for (std::size_t i = 0; i < std::min(entries.size(), kMostNamed); ++i)
        list += (i > 0 ? ", " : text) + entries[i];
    if (entries.size() > kMostNamed)
        list += ", and " + std::to_string(entries.size() - kMostNamed) + " more" + whereMore;
    return list;
}

const Json* textIn(const Json& object, const char* key) {
    const bool has = object.is_object() && object.contains(key) && object.at(key).is_string();
    return has ? &object.at(key) : nullptr;
}

std::string loadText(const Json& environment) {
    const auto load = environment.find("load_average"), cores = environment.find("cores");
    if (load == environment.end() || !load->is_array() || load->empty() || !load->at(0).is_number())
        return {};
    std::string text = "load average " + formatFixed(load->at(0).get<double>(), 2);
    if (cores != environment.end() && cores->is_number_integer())
        text += " on " + std::to_string(cores->get<int>()) + " cores";
    return text;
}

/// Whether the target's threads are as many as there are processors: of the implementations that have teams.
bool isFullTeam(const std::string& target, int cores) {
    if (!target.starts_with("cpu/openmp") && !target.starts_with("cpu/onednn"))
        return false;
    const auto threads = threadsOfTarget(target);
    return !threads || *threads == 0 || *threads == cores;
}

} // namespace

std::string tracingOverheadNote(const Study& study) {
    const bool any = std::any_of(study.runs.begin(), study.runs.end(),
                                 [](const StudyRun& run) { return !run.samples.empty(); });
    if (!any)
        return {};
    const std::vector<Overhead> all = overheads(study);
    if (all.empty())
        return "tracing overhead: not measured; times are from untraced samples";
    std::vector<double> percents;
    for (const Overhead& overhead : all)
        percents.push_back(overhead.percent);
    std::string text = "tracing overhead: ";
    if (all.size() == 1)
        text += shareText(percents.front() / 100) + " in one run";
    else
        text += "median " + shareText(quantileSorted(percents, 0.5) / 100) + ", " +
                shareText(percents.front() / 100) + " to " + shareText(percents.back() / 100) + " over " +
                std::to_string(all.size()) + " runs (most: " + runName(*all.back().run) + ")";
    return text + "; times are from untraced samples";
}

std::string machineStateNote(const Study& study) {
    const Json& environment = study.environment;
    if (!environment.is_object())
        return {};
    std::vector<std::string> parts;
    if (const Json* governor = textIn(environment, "governor"))
        parts.push_back("governor " + governor->get<std::string>());
    else if (environment.contains("governor"))
        parts.push_back("frequency governor unknown");
    if (std::string load = loadText(environment); !load.empty())
        parts.push_back(std::move(load));
    if (const Json* policy = textIn(environment, "omp_wait_policy"); policy && *policy != "default")
        parts.push_back("OMP_WAIT_POLICY " + policy->get<std::string>());
    if (environment.contains("compiler"))
        if (const Json* build = textIn(environment.at("compiler"), "build_type"))
            parts.push_back(build->get<std::string>() + " build");
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "machine: " : ", ") + part;
    return text;
}

std::string timeLimitNote(const Study& study) {
    std::vector<std::string> runs;
    for (const StudyRun& run : study.runs)
        if (run.stopRule.find("time limit") != std::string::npos)
            runs.push_back(runName(run) + " (" + run.stopRule + ")");
    return listNote("sampling ended before its rule: ", runs, "");
}

std::string launchedNote(const Study& study) {
    std::vector<std::string> runs;
    for (const StudyRun& run : study.runs) {
        const auto value = run.metrics.find("launched_ms");
        const double ms = runTimeMs(run);
        if (value == run.metrics.end() || !value->is_number() || ms <= 0)
            continue;
        runs.push_back(runName(run) + " " + formatDurationNs(value->get<double>() * 1e6) + " for " +
                       formatDurationNs(ms * 1e6));
    }
    return listNote("repetitions from a CUDA graph, without their launches; launched one by one: ", runs,
                    " (launched_ms in the JSON results)");
}

namespace {

/// Of the steps of a repetition, timed one by one; nothing where a run has one step.
std::optional<double> sumOfSteps(const StudyRun& run) {
    std::optional<double> sum;
    for (const auto& [name, value] : run.metrics.items())
        if (value.is_number() && figureOfKey("results", "runs.metrics." + name) == &figure("step_time"))
            sum = sum.value_or(0) + value.get<double>();
    return sum;
}

/// How far the steps are from the repetition: 0.1 when they add up to 10 % more or less.
double gapOfSteps(const StudyRun& run) {
    const auto sum = sumOfSteps(run);
    const double ms = runTimeMs(run);
    return sum && ms > 0 ? std::abs(*sum / ms - 1) : 0;
}

} // namespace

std::string stepTimesText(const StudyRun& run) {
    if (gapOfSteps(run) <= kSameSum)
        return {};
    return runName(run) + " " + formatDurationNs(*sumOfSteps(run) * 1e6) + " for " +
           formatDurationNs(runTimeMs(run) * 1e6);
}

std::string stepTimesNote(const Study& study) {
    std::vector<const StudyRun*> apart;
    for (const StudyRun& run : study.runs)
        if (gapOfSteps(run) > kSameSum)
            apart.push_back(&run);
    std::stable_sort(apart.begin(), apart.end(),
                     [](const StudyRun* a, const StudyRun* b) { return gapOfSteps(*a) > gapOfSteps(*b); });
    std::vector<std::string> runs;
    for (const StudyRun* run : apart)
        runs.push_back(stepTimesText(*run));
    return listNote("steps were timed one by one and do not add up to a repetition: ", runs,
                    " (..._ms in the metrics of the JSON results)");
}

std::string fullTeamNote(const Study& study) {
    constexpr int kLeastCores = 4;
    constexpr double kStalled = 2;
    const auto cores =
        study.environment.is_object() ? study.environment.find("cores") : study.environment.end();
    if (cores == study.environment.end() || !cores->is_number_integer() || cores->get<int>() < kLeastCores)
        return {};
    std::vector<std::string> runs;
    for (const StudyRun& run : study.runs) {
        std::vector<double> times = run.timesMs();
        if (times.size() < 2 || !isFullTeam(run.target, cores->get<int>()))
            continue;
        std::sort(times.begin(), times.end());
        if (times.back() >= kStalled * times.front())
            runs.push_back(runName(run) + " (" + formatDurationNs(runTimeMs(run) * 1e6) + ", " +
                           formatDurationNs(times.front() * 1e6) + " to " +
                           formatDurationNs(times.back() * 1e6) + ")");
    }
    const std::string text = "a team on all " + std::to_string(cores->get<int>()) +
                             " processors waits whenever something else runs: ";
    std::string note = listNote(text.c_str(), runs, "");
    return note.empty() ? note : note + "; try threads=" + std::to_string(cores->get<int>() - 1);
}

std::vector<std::string> environmentNotes(const Study& study) {
    std::vector<std::string> notes;
    if (study.environment.is_object() && study.environment.contains("notes") &&
        study.environment.at("notes").is_array())
        for (const Json& note : study.environment.at("notes"))
            if (note.is_string())
                notes.push_back(note.get<std::string>());
    return notes;
}

std::vector<std::string> studyNotes(const Study& study) {
    std::vector<std::string> notes;
    for (std::string note : {tracingOverheadNote(study), timeLimitNote(study), launchedNote(study),
                             stepTimesNote(study), fullTeamNote(study), disturbedNote(study),
                             clockNote(study), deviceClockNote(study), machineStateNote(study)})
        if (!note.empty())
            notes.push_back(std::move(note));
    for (std::string& note : environmentNotes(study))
        notes.push_back("note: " + std::move(note));
    return notes;
}

} // namespace heteroscope::profiling
