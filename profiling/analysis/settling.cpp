// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/settling.h"

#include "compute/base/units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace heteroscope::profiling {
namespace {

std::string durationText(double seconds) {
    constexpr double kMinute = 60;
    if (seconds < kMinute)
        return formatFixed(std::max(1.0, std::ceil(seconds)), 0) + " s";
    return formatFixed(std::ceil(seconds / kMinute), 0) + " min";
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

std::string settlingText(std::span<const Comparison> comparisons, double seconds) {
    int most = 0, settled = 0, open = 0;
    for (const Comparison& comparison : comparisons) {
        if (comparison.verdict != Verdict::Unclear || !comparison.overProcesses || comparison.disturbed ||
            comparison.belowDisturbance || comparison.oneMoment)
            continue;
        most = std::max(most, comparison.processesThatSettle);
        ++(comparison.processesThatSettle > 0 ? settled : open);
    }
    std::string text;
    if (settled > 0) {
        const std::string count = std::to_string(most);
        text = "As many as " + count + " processes would settle " + std::to_string(settled) +
               " of them, if all are like those that there are: --processes " + count +
               (seconds > 0 ? ", about " + durationText(seconds * most) : "") + ".";
    }
    if (open > 0)
        text += (text.empty() ? "" : " ") + ("Of " + std::to_string(open)) + ", not even " +
                std::to_string(kMostProcesses) + " would.";
    return text;
}

} // namespace heteroscope::profiling
