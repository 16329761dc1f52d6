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

constexpr std::array<DoubtWords, 7> kDoubts{
    {{Doubt::NoInterval, "fewer than 5 samples, which give no interval",
      "repeat in 3 fresh processes (preset standard)"},
     {Doubt::OneProcess,
      "fewer than 3 processes a side, and times of processes differ more than their samples",
      "repeat in 3 fresh processes (preset standard)"},
     {Doubt::Disturbed, "other programs ran while one of the two studies was taken, and not always the same",
      "wait until the machine is quiet and repeat, or take both sides into one study"},
     {Doubt::DisturbedStudy,
      "other programs ran meanwhile, and the 98 % interval contains a difference below a tenth",
      "wait until the machine is quiet and repeat"},
     {Doubt::OneMoment,
      "two studies of one moment each, which alone makes identical work differ by up to a factor of 2",
      "take both sides into one study, or run the two in turns, three times or more, and compare the pairs "
      "(heteroscope-cli compare A1 B1 A2 B2 A3 B3)"},
     {Doubt::Pairs, "over pairs of studies the 98 % interval contains 1 or a difference below 2 %",
      "more pairs of studies that take turns, or a quieter machine, narrow it"},
     {Doubt::Processes, "over processes the 98 % interval contains 1 or a difference below 2 %",
      "a quieter machine or more processes (/sampling/processes) narrow it, more samples of each hardly"}}};

} // namespace

Doubt doubtOf(const Comparison& comparison) {
    if (comparison.verdict != Verdict::Unclear)
        return Doubt::None;
    if (!comparison.hasInterval)
        return Doubt::NoInterval;
    if (comparison.disturbed)
        return Doubt::Disturbed;
    if (comparison.belowDisturbance)
        return Doubt::DisturbedStudy;
    if (comparison.oneMoment)
        return Doubt::OneMoment;
    if (comparison.overPairs)
        return Doubt::Pairs;
    return comparison.overProcesses ? Doubt::Processes : Doubt::OneProcess;
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
