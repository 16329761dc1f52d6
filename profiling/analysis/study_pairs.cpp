// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/study_pairs.h"

#include "profiling/analysis/study_turns.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace heteroscope::profiling {
namespace {

using Studies = std::vector<const Study*>;

std::string nameOf(const Study& study) {
    return study.name() + (study.startedUtc.empty() ? "" : " (" + study.startedUtc + ")");
}

/// Of each study which kind it is, from 0 on in the order in which they occur.
std::vector<std::size_t> kindsOf(const Studies& studies, bool byName) {
    std::vector<std::size_t> kinds;
    Studies first;
    for (const Study* study : studies) {
        const auto found = std::find_if(first.begin(), first.end(), [&](const Study* other) {
            return other->version == study->version && sameExperiment(*other, *study) &&
                   (!byName || other->name() == study->name());
        });
        kinds.push_back(static_cast<std::size_t>(found - first.begin()));
        if (found == first.end())
            first.push_back(study);
    }
    return kinds;
}

std::size_t countOf(const std::vector<std::size_t>& kinds) {
    return 1 + *std::max_element(kinds.begin(), kinds.end());
}

/// Of two recordings with one name and start: their files, with folders where the names are equal too.
std::pair<std::string, std::string> filesOf(const Study& one, const Study& other) {
    if (one.file.empty() || other.file.empty())
        return {nameOf(one), nameOf(other)};
    const auto name = [](const Study& study) {
        return std::filesystem::path(study.file).filename().string();
    };
    return name(one) == name(other) ? std::pair(one.file, other.file) : std::pair(name(one), name(other));
}

Phrase sameRecording(const Studies& studies) {
    for (std::size_t i = 0; i < studies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!studies[i]->id.empty() && studies[i]->id == studies[j]->id) {
                const auto [first, second] = filesOf(*studies[j], *studies[i]);
                return say(
                    "%1 and %2 are the same recording; each study of a pair is a run of its own. Leave "
                    "one out and select another run.",
                    {first, second});
            }
    return {};
}

/// In the order of their start; nothing where one does not say it.
std::optional<Studies> inOrder(std::span<const Study* const> studies) {
    const auto starts = startsOf(studies);
    if (!starts)
        return std::nullopt;
    std::vector<std::size_t> order(studies.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return (*starts)[i] < (*starts)[j]; });
    Studies sorted;
    for (const std::size_t i : order)
        sorted.push_back(studies[i]);
    return sorted;
}

Phrase withoutStart(std::span<const Study* const> studies) {
    const auto lacks = std::find_if(studies.begin(), studies.end(),
                                    [](const Study* study) { return !startsOf(std::span(&study, 1)); });
    return say("%1 does not say when it started, which pairs are made by. Compare these runs on the command "
               "line, which takes pairs as they are given.",
               {nameOf(**lacks)});
}

StudyPairing alternating(const Studies& studies, const std::vector<std::size_t>& kinds) {
    StudyPairing made;
    for (std::size_t i = 0; i < studies.size(); i += 2) {
        if (kinds[i] == kinds[i + 1])
            return {{},
                    say("In the order of their start runs %1 and %2 are of one experiment: %3 and %4. Pairs "
                        "alternate: A B A B A B. Select runs that do, or measure A and B again by turns.",
                        {std::to_string(i + 1), std::to_string(i + 2), nameOf(*studies[i]),
                         nameOf(*studies[i + 1])})};
        const bool aFirst = kinds[i] == kinds[0];
        made.pairs.push_back({studies[aFirst ? i : i + 1], studies[aFirst ? i + 1 : i]});
    }
    return made;
}

} // namespace

bool makesPairs(std::size_t studies) {
    return studies == 2 || (studies % 2 == 0 && studies / 2 >= kPairsForVerdict);
}

bool sameExperiment(const Study& one, const Study& other) {
    Json a = one.experiment, b = other.experiment;
    for (Json* experiment : {&a, &b})
        if (experiment->is_object())
            experiment->erase("name");
    return a == b;
}

StudyPairing pairsByStart(std::span<const Study* const> studies) {
    const auto ordered = inOrder(studies);
    if (!ordered)
        return {{}, withoutStart(studies)};
    if (Phrase same = sameRecording(*ordered); !same.empty())
        return {{}, std::move(same)};
    std::vector<std::size_t> kinds = kindsOf(*ordered, false);
    if (countOf(kinds) == 1)
        kinds = kindsOf(*ordered, true);
    else if (countOf(kinds) > 2)
        return {{},
                say("The %1 runs are of %2 experiments; pairs are of two, A and B. Select runs of two "
                    "experiments that alternate: A B A B A B.",
                    {std::to_string(studies.size()), std::to_string(countOf(kinds))})};
    if (countOf(kinds) != 2) // nothing tells sides apart
        for (std::size_t i = 0; i < kinds.size(); ++i)
            kinds[i] = i % 2;
    return alternating(*ordered, kinds);
}

Phrase pairsSentence(std::size_t pairs, bool tookTurns) {
    const std::string count = std::to_string(pairs);
    return tookTurns ? say("A / B: geometric mean of %1 pairs of studies that took turns.", {count})
                     : say("A / B: geometric mean of %1 pairs of studies. They did not take turns: each pair "
                           "has to end before the next starts, and a difference below a factor of 2 may be "
                           "one of moments.",
                           {count});
}

} // namespace heteroscope::profiling
