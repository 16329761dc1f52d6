// SPDX-License-Identifier: Apache-2.0
// Two studies, run by run, with what differs between their experiments and environments.
#include "profiling/analysis/disturbed.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/run_match.h"

#include <algorithm>
#include <array>
#include <set>

namespace heteroscope::profiling {

namespace {

/// Of the environment: what differs between any two studies and explains nothing.
constexpr std::array<const char*, 10> kAlwaysDiffers = {
    "time", "time_utc",          "startedutc",   "started_utc", "uptime",
    "pid",  "memory_free_bytes", "load_average", "notes",       "note_codes"}; // notes repeat the load
constexpr std::size_t kMostDifferences = 100;

std::string shortText(const Json* value) {
    if (!value)
        return "nothing";
    std::string text = value->dump(-1, ' ', false, Json::error_handler_t::replace);
    constexpr std::size_t kLongest = 80;
    if (text.size() > kLongest) {
        std::size_t cut = kLongest;
        while ((text[cut] & 0xc0) == 0x80) // never inside a character
            --cut;
        text = text.substr(0, cut) + "...";
    }
    return text;
}

bool ignored(const std::string& key) {
    std::string lower = key;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return std::any_of(kAlwaysDiffers.begin(), kAlwaysDiffers.end(),
                       [&](const char* word) { return lower == word; });
}

bool haveIds(const Json& list) {
    return std::all_of(list.begin(), list.end(), [](const Json& element) {
        return element.is_object() && element.contains("id") && element.at("id").is_string();
    });
}

const Json* withId(const Json& list, const Json& id) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Json& element) { return element.at("id") == id; });
    return found == list.end() ? nullptr : &*found;
}

class Differences {
  public:
    Differences(bool skipVolatile, std::vector<std::string>& out)
        : m_skipVolatile(skipVolatile), m_out(out) {}

    void walk(const Json* a, const Json* b, const std::string& path) {
        if (a && b && a->is_object() && b->is_object()) {
            for (const auto& [key, value] : a->items())
                member(key, &value, b->contains(key) ? &b->at(key) : nullptr, path);
            for (const auto& [key, value] : b->items())
                if (!a->contains(key))
                    member(key, nullptr, &value, path);
            return;
        }
        if (a && b && a->is_array() && b->is_array() && haveIds(*a) && haveIds(*b))
            return walkById(*a, *b, path);
        if (a && b && *a == *b)
            return;
        if (m_out.size() < kMostDifferences)
            m_out.push_back(path + ": " + shortText(a) + " against " + shortText(b));
    }

  private:
    void member(const std::string& key, const Json* a, const Json* b, const std::string& path) {
        if (!m_skipVolatile || !ignored(key))
            walk(a, b, path + "/" + key);
    }

    /// Lists of devices and the like: element by element, whatever their order.
    void walkById(const Json& a, const Json& b, const std::string& path) {
        for (const Json& element : a)
            walk(&element, withId(b, element.at("id")), path + "/" + element.at("id").get<std::string>());
        for (const Json& element : b)
            if (!withId(a, element.at("id")))
                walk(nullptr, &element, path + "/" + element.at("id").get<std::string>());
    }

    bool m_skipVolatile;
    std::vector<std::string>& m_out;
};

/// Processes of a study are close to each other: they share what other programs do meanwhile, which the
/// spread between them therefore does not show.
void leaveOpenIfDisturbed(Comparison& comparison, const StudyRun& a, const StudyRun& b) {
    if (comparison.verdict == Verdict::NoResult || comparison.needsProcesses ||
        (!isTooDisturbed(disturbedSamples(a)) && !isTooDisturbed(disturbedSamples(b))))
        return;
    comparison.disturbed = true;
    comparison.verdict = Verdict::Unclear;
    comparison.processesThatSettle = 0;
}

RunComparison compareRuns(const StudyRun* a, const StudyRun* b) {
    const StudyRun& known = a ? *a : *b;
    RunComparison result{known.target, known.point, std::nullopt, {}, 0, 0, 0};
    result.medianAMs = a ? runTimeMs(*a) : 0;
    result.medianBMs = b ? runTimeMs(*b) : 0;
    const auto timesA = a ? a->timesMs() : std::vector<double>(),
               timesB = b ? b->timesMs() : std::vector<double>();
    if (!a || !b)
        result.note = a ? "only in the first" : "only in the second";
    else if (timesA.empty() || timesB.empty())
        result.note = timesA.empty() ? (timesB.empty() ? "no samples in either" : "no samples in the first")
                                     : "no samples in the second";
    else {
        result.comparison = compare(a->processTimesMs(), b->processTimesMs(), Pairing::TwoStudies);
        leaveOpenIfDisturbed(*result.comparison, *a, *b);
        result.samples = std::min(timesA.size(), timesB.size());
    }
    if (a && b && !a->outputDigest.empty() && !b->outputDigest.empty() && a->outputDigest != b->outputDigest)
        result.note = "outputs differ";
    return result;
}

} // namespace

StudyComparison compareStudies(const Study& a, const Study& b) {
    StudyComparison comparison;
    for (const StudyRun& run : a.runs)
        comparison.runs.push_back(compareRuns(&run, counterpart(a, run, b, run.target)));
    for (const StudyRun& run : b.runs)
        if (!counterpart(b, run, a, run.target))
            comparison.runs.push_back(compareRuns(nullptr, &run));
    if (a.version != b.version)
        comparison.differences.push_back("Heteroscope: " + a.version + " against " + b.version);
    Differences(true, comparison.differences).walk(&a.environment, &b.environment, "environment ");
    Differences(false, comparison.differences).walk(&a.experiment, &b.experiment, "experiment ");
    return comparison;
}

} // namespace heteroscope::profiling
