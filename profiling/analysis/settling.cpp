// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/settling.h"

#include "compute/base/stop_rule.h"
#include "compute/base/units.h"
#include "profiling/analysis/disturbed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace heteroscope::profiling {
namespace {

/// Of the experiment as it was given; nothing where that is not of preset quick, gives the number of
/// processes, or reads a dataset: a training on one is what it is at every preset.
const Json* samplingOf(const Study& study) {
    const Json& given = study.experiment;
    const auto sampling = given.find("sampling"), data = given.find("data");
    if (sampling == given.end() || !sampling->is_object() || sampling->contains("processes") ||
        !sampling->contains("preset") || sampling->at("preset") != "quick")
        return nullptr;
    const bool readsDataset = data != given.end() && data->is_object() && data->contains("source") &&
                              data->at("source") != "synthetic";
    return readsDataset ? nullptr : &*sampling;
}

constexpr double kLongestLimitS = 86400; ///< that an experiment may ask for; a file may say anything

/// Seconds of samples of a run at preset standard.
double limitOf(const Json& sampling) {
    if (const auto given = sampling.find("time_limit_s"); given != sampling.end() && given->is_number())
        return std::clamp(given->get<double>(), 0.0, kLongestLimitS);
    return sampling.contains("samples") ? 0 : kStandardLimitS; // that number ends it
}

} // namespace

double secondsPerProcess(const Study& study) {
    double first = std::numeric_limits<double>::max(), last = std::numeric_limits<double>::lowest();
    std::set<int> processes;
    for (const StudyRun& run : study.runs)
        for (const StudySample& sample : run.samples) {
            const double startS = static_cast<double>(sample.startNs) * 1e-9;
            first = std::min(first, startS);
            last = std::max(last, startS + sample.wallMs * sample.repetitions * 1e-3);
            processes.insert(sample.process);
        }
    return processes.empty() ? 0 : (last - first) / static_cast<double>(processes.size());
}

Settling settlingOf(std::span<const Comparison> comparisons, double secondsPerProcess) {
    Settling found;
    for (const Comparison& comparison : comparisons) {
        if (comparison.verdict != Verdict::Unclear || !comparison.overProcesses || comparison.disturbed ||
            comparison.belowDisturbance || comparison.oneMoment)
            continue;
        found.processes = std::max(found.processes, comparison.processesThatSettle);
        ++(comparison.processesThatSettle > 0 ? found.settled : found.open);
    }
    found.seconds = secondsPerProcess * found.processes;
    return found;
}

std::string settlingTimeText(double seconds) {
    constexpr double kMinute = 60;
    if (seconds < kMinute)
        return formatFixed(std::max(1.0, std::ceil(seconds)), 0) + " s";
    return formatFixed(std::ceil(seconds / kMinute), 0) + " min";
}

std::string settlingText(std::span<const Comparison> comparisons, double seconds) {
    const Settling found = settlingOf(comparisons, seconds);
    std::string text;
    if (found.settled > 0) {
        const std::string count = std::to_string(found.processes);
        text = "As many as " + count + " processes would settle " + std::to_string(found.settled) +
               " of them, if all are like those that there are: --processes " + count +
               (found.seconds > 0 ? ", about " + settlingTimeText(found.seconds) : "") + ".";
    }
    if (found.open > 0)
        text += (text.empty() ? "" : " ") + ("Of " + std::to_string(found.open)) + ", not even " +
                std::to_string(kMostProcesses) + " would.";
    return text;
}

std::optional<StandardPreset> standardPreset(std::span<const Doubt> doubts, const Study& study) {
    const bool lacks = std::any_of(doubts.begin(), doubts.end(), [](Doubt doubt) {
        return doubt == Doubt::NoInterval || doubt == Doubt::OneProcess;
    });
    const double seconds = secondsPerProcess(study);
    const Json* const sampling = samplingOf(study);
    if (!lacks || seconds <= 0 || sampling == nullptr)
        return std::nullopt;
    const auto sampled = std::count_if(study.runs.begin(), study.runs.end(),
                                       [](const StudyRun& run) { return !run.samples.empty(); });
    return StandardPreset{static_cast<double>(kProcessesForVerdict) *
                                  std::max(0.0, seconds - quietWaitS(study)) +
                              limitOf(*sampling) * static_cast<double>(sampled),
                          quietWaitS(study) > 0};
}

std::string standardPresetText(std::span<const Doubt> doubts, const Study& study) {
    const auto standard = standardPreset(doubts, study);
    if (!standard)
        return {};
    return "Preset standard takes about " + settlingTimeText(standard->seconds) + " at most" +
           (standard->waits ? ", beside waiting for a quiet machine." : ".");
}

} // namespace heteroscope::profiling
