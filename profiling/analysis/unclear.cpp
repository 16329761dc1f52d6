// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/unclear.h"

#include <algorithm>
#include <array>

namespace heteroscope::profiling {
namespace {

struct DoubtWords {
    Doubt doubt;
    const char *what, *advice;
};

constexpr std::array<DoubtWords, 6> kDoubts{
    {{Doubt::NoInterval, "fewer than 5 samples, which give no interval",
      "repeat both sides with 30 samples (preset thesis)"},
     {Doubt::OneProcess,
      "two studies of fewer than 3 processes each, and times of processes differ more than their samples",
      "take both into one study, or repeat both in 3 fresh processes (preset thesis)"},
     {Doubt::Processes, "over processes the 98 % interval contains 1 or a difference below 2 %",
      "a quieter machine or more fresh processes narrow it, more samples of each hardly"},
     {Doubt::FewSamples, "fewer than 30 samples", "repeat both sides with 30 samples (preset thesis)"},
     {Doubt::RangesMeet, "the ranges of the times are less than 0.5 % apart",
      "the difference is smaller than the times spread; a quieter machine may show it, more samples hardly"},
     {Doubt::HoldsEquality, "the interval of the ratio contains 1",
      "no difference shows in so many samples; a quieter machine may show one, more samples hardly"}}};

} // namespace

Doubt doubtOf(const Comparison& comparison, std::size_t samples) {
    if (comparison.verdict != Verdict::Unclear)
        return Doubt::None;
    if (!comparison.hasInterval)
        return Doubt::NoInterval;
    if (comparison.needsProcesses)
        return Doubt::OneProcess;
    if (comparison.overProcesses)
        return Doubt::Processes;
    if (samples < kSamplesThatSettle)
        return Doubt::FewSamples;
    const bool excludesOne = comparison.ci95.low > 1.0 || comparison.ci95.high < 1.0;
    return excludesOne ? Doubt::RangesMeet : Doubt::HoldsEquality;
}

std::string doubtText(Doubt doubt) {
    for (const DoubtWords& words : kDoubts)
        if (words.doubt == doubt)
            return words.what;
    return {};
}

std::string doubtAdvice(Doubt doubt) {
    for (const DoubtWords& words : kDoubts)
        if (words.doubt == doubt)
            return words.advice;
    return {};
}

std::string unclearAdvice(std::span<const Doubt> doubts) {
    const auto all =
        std::count_if(doubts.begin(), doubts.end(), [](Doubt doubt) { return doubt != Doubt::None; });
    if (all == 0)
        return {};
    std::string text = "UNCLEAR comparisons: " + std::to_string(all) + ".";
    for (const DoubtWords& words : kDoubts)
        if (const auto count = std::count(doubts.begin(), doubts.end(), words.doubt); count > 0)
            text += " Of " + std::to_string(count) + ": " + words.what + "; " + words.advice + ".";
    return text;
}

} // namespace heteroscope::profiling
