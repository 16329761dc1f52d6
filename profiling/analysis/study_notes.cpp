// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/study_notes.h"

#include "compute/base/run_words.h"
#include "compute/base/units.h"
#include "profiling/analysis/device_clocks.h"
#include "profiling/analysis/disturbed.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/figures.h"
#include "profiling/analysis/phrase.h"
#include "profiling/analysis/recorded_phrase.h"
#include "profiling/analysis/run_phrase.h"
#include "profiling/analysis/run_time.h"
#include "profiling/analysis/scaling.h"
#include "profiling/analysis/warm_up.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace heteroscope::profiling {

namespace {

constexpr const char* kOverhead = "tracing_overhead_percent";

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

const Json* textIn(const Json& object, const char* key) {
    const bool has = object.is_object() && object.contains(key) && object.at(key).is_string();
    return has ? &object.at(key) : nullptr;
}

Phrase loadText(const Json& environment) {
    const auto load = environment.find("load_average"), cores = environment.find("cores");
    if (load == environment.end() || !load->is_array() || load->empty() || !load->at(0).is_number())
        return {};
    const std::string average = formatFixed(load->at(0).get<double>(), 2);
    if (cores == environment.end() || !cores->is_number_integer())
        return say("load average %1", {average});
    return say("load average %1 on %2 cores", {average, std::to_string(cores->get<int>())});
}

/// Whether the notes of the environment have it in a sentence of its own.
bool saysLoad(const Study& study) {
    const std::vector<Phrase> notes = environmentNotes(study);
    return std::any_of(notes.begin(), notes.end(),
                       [](const Phrase& note) { return note.format == run_words::kLoad; });
}

/// Whether the target's threads are as many as there are processors: of the implementations that have teams.
bool isFullTeam(const std::string& target, int cores) {
    if (!target.starts_with("cpu/openmp") && !target.starts_with("cpu/onednn"))
        return false;
    const auto threads = threadsOfTarget(target);
    return !threads || *threads == 0 || *threads == cores;
}

} // namespace

Phrase tracingOverheadNote(const Study& study) {
    const bool any = std::any_of(study.runs.begin(), study.runs.end(),
                                 [](const StudyRun& run) { return !run.samples.empty(); });
    if (!any)
        return {};
    const std::vector<Overhead> all = overheads(study);
    if (all.empty())
        return say("tracing overhead: not measured; times are from untraced samples");
    std::vector<double> percents;
    for (const Overhead& overhead : all)
        percents.push_back(overhead.percent);
    if (all.size() == 1)
        return say("tracing overhead: %1 in one run; times are from untraced samples",
                   {shareText(percents.front() / 100)});
    return say(
        "tracing overhead: median %1, %2 to %3 over %4 runs (most: %5); times are from untraced samples",
        {shareText(quantileSorted(percents, 0.5) / 100), shareText(percents.front() / 100),
         shareText(percents.back() / 100), std::to_string(all.size()), runPhrase(*all.back().run)});
}

Phrase machineStateNote(const Study& study) {
    const Json& environment = study.environment;
    if (!environment.is_object())
        return {};
    std::vector<Phrase> parts;
    if (const Json* governor = textIn(environment, "governor"))
        parts.push_back(say("governor %1", {governor->get<std::string>()}));
    else if (environment.contains("governor"))
        parts.push_back(say("frequency governor unknown"));
    if (!saysLoad(study))
        parts.push_back(loadText(environment));
    if (const Json* policy = textIn(environment, "omp_wait_policy"); policy && *policy != "default")
        parts.emplace_back("OMP_WAIT_POLICY " + policy->get<std::string>());
    if (environment.contains("compiler"))
        if (const Json* build = textIn(environment.at("compiler"), "build_type"))
            parts.push_back(say("%1 build", {build->get<std::string>()}));
    Phrase all = joined(parts, ", ");
    return all.empty() ? all : say("machine: %1", {std::move(all)});
}

Phrase timeLimitNote(const Study& study) {
    std::vector<Phrase> runs;
    for (const StudyRun& run : study.runs)
        if (endedByTimeLimit(run))
            runs.push_back(joined({runPhrase(run), Phrase(" ("), stopRulePhrase(run), Phrase(")")}, ""));
    return listed(words("sampling ended before its rule: %1"), runs);
}

Phrase launchedNote(const Study& study) {
    std::vector<Phrase> runs;
    for (const StudyRun& run : study.runs) {
        const auto value = run.metrics.find("launched_ms");
        const double ms = runTimeMs(run);
        if (value == run.metrics.end() || !value->is_number() || ms <= 0)
            continue;
        runs.push_back(say("%1 %2 for %3", {runPhrase(run), formatDurationNs(value->get<double>() * 1e6),
                                            formatDurationNs(ms * 1e6)}));
    }
    return listed(words("repetitions from a CUDA graph, without their launches; launched one by one: %1"),
                  runs, words("%1, and %2 more (launched_ms in the JSON results)"));
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

Phrase stepTimesText(const StudyRun& run) {
    if (gapOfSteps(run) <= kSameSum)
        return {};
    return say("%1 %2 for %3", {runPhrase(run), formatDurationNs(*sumOfSteps(run) * 1e6),
                                formatDurationNs(runTimeMs(run) * 1e6)});
}

Phrase stepTimesNote(const Study& study) {
    std::vector<const StudyRun*> apart;
    for (const StudyRun& run : study.runs)
        if (gapOfSteps(run) > kSameSum)
            apart.push_back(&run);
    std::stable_sort(apart.begin(), apart.end(),
                     [](const StudyRun* a, const StudyRun* b) { return gapOfSteps(*a) > gapOfSteps(*b); });
    std::vector<Phrase> runs;
    for (const StudyRun* run : apart)
        runs.push_back(stepTimesText(*run));
    return listed(words("steps were timed one by one and do not add up to a repetition: %1"), runs,
                  words("%1, and %2 more (..._ms in the metrics of the JSON results)"));
}

Phrase fullTeamNote(const Study& study) {
    constexpr int kLeastCores = 4;
    constexpr double kStalled = 2;
    const auto cores =
        study.environment.is_object() ? study.environment.find("cores") : study.environment.end();
    if (cores == study.environment.end() || !cores->is_number_integer() || cores->get<int>() < kLeastCores)
        return {};
    std::vector<Phrase> runs;
    for (const StudyRun& run : study.runs) {
        std::vector<double> times = run.timesMs();
        if (times.size() < 2 || !isFullTeam(run.target, cores->get<int>()))
            continue;
        std::sort(times.begin(), times.end());
        if (times.back() >= kStalled * times.front())
            runs.push_back(say("%1 (%2, %3 to %4)", {runPhrase(run), formatDurationNs(runTimeMs(run) * 1e6),
                                                     formatDurationNs(times.front() * 1e6),
                                                     formatDurationNs(times.back() * 1e6)}));
    }
    Phrase list = listed("%1", runs);
    return list.empty() ? list
                        : say("a team on all %1 processors waits whenever something else runs: %2; try "
                              "threads=%3",
                              {std::to_string(cores->get<int>()), std::move(list),
                               std::to_string(cores->get<int>() - 1)});
}

std::vector<std::string> studyNotes(const Study& study) {
    std::vector<std::string> notes;
    for (const Phrase& note :
         {tracingOverheadNote(study), timeLimitNote(study), launchedNote(study), stepTimesNote(study),
          fullTeamNote(study), disturbedNote(study), warmUpNote(study), cacheNote(study), clockNote(study),
          deviceClockNote(study), machineStateNote(study)})
        if (!note.empty())
            notes.push_back(note.text());
    for (const Phrase& note : environmentNotes(study))
        notes.push_back("note: " + note.text());
    return notes;
}

} // namespace heteroscope::profiling
