// SPDX-License-Identifier: Apache-2.0
// Two studies, run by run, with what differs between their experiments and environments.
#include "profiling/analysis/disturbed.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/run_match.h"
#include "profiling/analysis/study_pairs.h"
#include "profiling/analysis/study_turns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace heteroscope::profiling {

namespace {

/// Of the environment: what differs between any two studies and explains nothing.
constexpr std::array<const char*, 10> kAlwaysDiffers = {
    "time", "time_utc",          "startedutc",   "started_utc", "uptime",
    "pid",  "memory_free_bytes", "load_average", "notes",       "note_codes"}; // notes repeat the load
constexpr std::size_t kMostDifferences = 100;

Phrase shortText(const Json* value) {
    if (!value)
        return say("nothing");
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

/// "/" and the key as a JSON pointer writes it (RFC 6901): the names of axes hold slashes.
std::string pointerTo(const std::string& key) {
    return (Json::json_pointer() / key).to_string();
}

class Differences {
  public:
    /// `format`: words() of what differs, with place and both sides.
    Differences(const char* format, bool skipVolatile, std::vector<Phrase>& out)
        : m_format(format), m_skipVolatile(skipVolatile), m_out(out) {}

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
            m_out.push_back(say(m_format, {path, shortText(a), shortText(b)}));
    }

  private:
    void member(const std::string& key, const Json* a, const Json* b, const std::string& path) {
        if (!m_skipVolatile || !ignored(key))
            walk(a, b, path + pointerTo(key));
    }

    /// Lists of devices and the like: element by element, whatever their order.
    void walkById(const Json& a, const Json& b, const std::string& path) {
        for (const Json& element : a)
            walk(&element, withId(b, element.at("id")),
                 path + pointerTo(element.at("id").get<std::string>()));
        for (const Json& element : b)
            if (!withId(a, element.at("id")))
                walk(nullptr, &element, path + pointerTo(element.at("id").get<std::string>()));
    }

    const char* m_format;
    bool m_skipVolatile;
    std::vector<Phrase>& m_out;
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

/// The run of each side; null where it has none.
struct RunPair {
    const StudyRun *a = nullptr, *b = nullptr;
};

/// "in the first", "in the second" or "in either" of the sides that lack something; empty when none does.
std::string sides(bool first, bool second, const char* both) {
    return first && second ? both : first ? "in the first" : second ? "in the second" : "";
}

std::string missingNote(const RunPair& pair) {
    if (!pair.a || !pair.b)
        return pair.a ? "only in the first" : "only in the second";
    const std::string where = sides(pair.a->timesMs().empty(), pair.b->timesMs().empty(), "in either");
    return where.empty() ? "" : "no samples " + where;
}

/// Of runs that have samples all the same.
bool wasStopped(const StudyRun& run) {
    return run.status == StudyRunStatus::Running || run.status == StudyRunStatus::Failed ||
           run.status == StudyRunStatus::Cancelled;
}

std::string stoppedNote(const RunPair& pair) {
    const std::string where = sides(wasStopped(*pair.a), wasStopped(*pair.b), "in both");
    return where.empty() ? "" : "did not finish " + where;
}

bool outputsDiffer(const RunPair& pair) {
    return pair.a && pair.b && !pair.a->outputDigest.empty() && !pair.b->outputDigest.empty() &&
           pair.a->outputDigest != pair.b->outputDigest;
}

RunComparison named(const RunPair& pair) {
    const StudyRun& known = pair.a ? *pair.a : *pair.b;
    RunComparison result{known.target, known.point, std::nullopt, {}, 0, 0, 0, 0, {}, false};
    result.medianAMs = pair.a ? runTimeMs(*pair.a) : 0;
    result.medianBMs = pair.b ? runTimeMs(*pair.b) : 0;
    return result;
}

void addSamples(RunComparison& result, const RunPair& pair) {
    result.samplesA += pair.a->timesMs().size();
    result.samplesB += pair.b->timesMs().size();
}

void addOutputs(RunComparison& result, bool differ) {
    result.outputsDiffer = differ;
    if (differ)
        result.note += (result.note.empty() ? "" : "; ") + std::string("outputs differ");
}

RunComparison compareRuns(const RunPair& pair) {
    RunComparison result = named(pair);
    result.note = missingNote(pair);
    if (result.note.empty()) {
        result.comparison = compare(pair.a->processTimesMs(), pair.b->processTimesMs(), Pairing::TwoStudies);
        leaveOpenIfDisturbed(*result.comparison, *pair.a, *pair.b);
        addSamples(result, pair);
        result.note = stoppedNote(pair);
    }
    addOutputs(result, outputsDiffer(pair));
    return result;
}

double geometricMean(const std::vector<double>& values) {
    double logs = 0;
    for (const double value : values)
        logs += std::log(value);
    return std::exp(logs / static_cast<double>(values.size()));
}

/// Pairs that took no turns share their moments: a difference between them may be that of the moments.
void leaveOpenIfOfOneMoment(Comparison& comparison) {
    const bool differs = comparison.verdict == Verdict::Faster || comparison.verdict == Verdict::Slower;
    if (!differs || std::max(comparison.ratio, 1 / comparison.ratio) >= kClearBetweenMoments)
        return;
    comparison.oneMoment = true;
    comparison.verdict = Verdict::Unclear;
}

/// Why a pair gives no time of the run; empty where it does.
std::string unusableNote(const RunPair& pair) {
    if (!pair.a && !pair.b)
        return "in neither";
    if (const std::string missing = missingNote(pair); !missing.empty())
        return missing;
    if (const std::string stopped = stoppedNote(pair); !stopped.empty())
        return stopped;
    const auto few = [](const StudyRun& run) { return run.timesMs().size() < kSamplesForInterval; };
    const std::string where = sides(few(*pair.a), few(*pair.b), "in both");
    return where.empty() ? "" : "fewer than " + std::to_string(kSamplesForInterval) + " samples " + where;
}

RunComparison notCompared(const std::vector<RunPair>& pairs, const std::string& note) {
    const auto present =
        std::find_if(pairs.begin(), pairs.end(), [](const RunPair& pair) { return pair.a || pair.b; });
    RunComparison result = named(*present);
    result.note = note;
    return result;
}

/// Of the run that `pairs` holds from each pair of studies, as many as kPairsForVerdict or more.
RunComparison compareRuns(const std::vector<RunPair>& pairs, bool tookTurns) {
    RunComparison result = notCompared(pairs, {});
    std::vector<double> timesA, timesB;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (const std::string note = unusableNote(pairs[i]); !note.empty()) {
            result.note = "pair " + std::to_string(i + 1) + ": " + note;
            return result;
        }
        timesA.push_back(runTimeMs(*pairs[i].a));
        timesB.push_back(runTimeMs(*pairs[i].b));
        addSamples(result, pairs[i]);
    }
    result.comparison = comparePairs(timesA, timesB);
    if (!tookTurns)
        leaveOpenIfOfOneMoment(*result.comparison);
    if (result.comparison->verdict != Verdict::NoResult) {
        result.medianAMs = geometricMean(timesA);
        result.medianBMs = geometricMean(timesB);
        for (std::size_t i = 0; i < pairs.size(); ++i)
            result.pairRatios.push_back(timesA[i] / timesB[i]);
    }
    addOutputs(result, std::any_of(pairs.begin(), pairs.end(), outputsDiffer));
    return result;
}

/// The counterparts of a run of `study` in all pairs.
std::vector<RunPair> counterparts(const Study& study, const StudyRun& run, std::span<const StudyPair> pairs) {
    const auto in = [&](const Study& other) {
        return &other == &study ? &run : counterpart(study, run, other, run.target);
    };
    std::vector<RunPair> all;
    for (const StudyPair& pair : pairs)
        all.push_back({in(*pair.a), in(*pair.b)});
    return all;
}

void addNew(std::vector<Phrase>& all, std::vector<Phrase> more) {
    for (Phrase& one : more)
        if (all.size() < kMostDifferences && std::find(all.begin(), all.end(), one.text()) == all.end())
            all.push_back(std::move(one));
}

/// Between the sides.
std::vector<Phrase> differencesOf(const Study& a, const Study& b) {
    std::vector<Phrase> found;
    if (a.version != b.version)
        found.push_back(say("Heteroscope: %1 against %2", {a.version, b.version}));
    Differences(words("environment %1: %2 against %3"), true, found).walk(&a.environment, &b.environment, {});
    Differences(words("experiment %1: %2 against %3"), false, found).walk(&a.experiment, &b.experiment, {});
    return found;
}

/// Between two studies of one side that should be repetitions, whose environments differ as those of the
/// sides do; `side` has %1 for the number of the second's pair and %2 for what differs.
std::vector<Phrase> differencesWithin(const char* side, std::size_t pair, const Study& first,
                                      const Study& later) {
    std::vector<Phrase> found;
    if (first.version != later.version)
        found.push_back(say("Heteroscope: %1 against %2", {first.version, later.version}));
    Differences(words("experiment %1: %2 against %3"), false, found)
        .walk(&first.experiment, &later.experiment, {});
    for (Phrase& one : found)
        one = say(side, {std::to_string(pair), one});
    return found;
}

std::vector<Phrase> differencesOf(std::span<const StudyPair> pairs) {
    std::vector<Phrase> all = differencesOf(*pairs[0].a, *pairs[0].b);
    for (std::size_t i = 1; i < pairs.size(); ++i) {
        addNew(all, differencesOf(*pairs[i].a, *pairs[i].b));
        addNew(all, differencesWithin(words("A of pairs 1 and %1: %2"), i + 1, *pairs[0].a, *pairs[i].a));
        addNew(all, differencesWithin(words("B of pairs 1 and %1: %2"), i + 1, *pairs[0].b, *pairs[i].b));
    }
    return all;
}

/// "pair 3: another experiment in B" of the first that has one; empty: all are repetitions.
std::string otherExperiment(std::span<const StudyPair> pairs) {
    for (std::size_t i = 1; i < pairs.size(); ++i) {
        const std::string where = sides(!sameExperiment(*pairs[0].a, *pairs[i].a),
                                        !sameExperiment(*pairs[0].b, *pairs[i].b), "in both");
        if (!where.empty())
            return "pair " + std::to_string(i + 1) + ": another experiment than in pair 1 " + where;
    }
    return {};
}

} // namespace

StudyComparison compareStudies(const Study& a, const Study& b) {
    const StudyPair pair{&a, &b};
    return compareStudies(std::span(&pair, 1));
}

StudyComparison compareStudies(std::span<const StudyPair> pairs) {
    StudyComparison comparison;
    const std::string other = otherExperiment(pairs);
    comparison.tookTurns = pairs.size() < kPairsForVerdict || tookTurns(pairs);
    std::set<const StudyRun*> seen;
    const auto add = [&](const Study& study) {
        for (const StudyRun& run : study.runs) {
            if (seen.contains(&run))
                continue;
            const std::vector<RunPair> found = counterparts(study, run, pairs);
            for (const auto& [a, b] : found)
                seen.insert({a, b});
            comparison.runs.push_back(!other.empty()      ? notCompared(found, other)
                                      : pairs.size() == 1 ? compareRuns(found[0])
                                                          : compareRuns(found, comparison.tookTurns));
        }
    };
    for (const auto& [a, b] : pairs) {
        add(*a);
        add(*b);
    }
    comparison.differences = differencesOf(pairs);
    return comparison;
}

} // namespace heteroscope::profiling
