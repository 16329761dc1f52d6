// SPDX-License-Identifier: Apache-2.0
#include "compute/base/stop_rule.h"

#include "compute/base/json_fields.h"
#include "compute/base/run_words.h"
#include "compute/base/statistics.h"
#include "compute/base/units.h"

#include <algorithm>
#include <string>
#include <utility>

namespace heteroscope {
namespace {

constexpr const char *kRuleCode = "code", *kRules = "rules", *kProcesses = "processes", *kSamples = "samples",
                     *kSamplesAsked = "samples_asked", *kRelativeWidth = "relative_width",
                     *kTimeLimitS = "time_limit_s", *kStudyTimeLimitS = "study_time_limit_s",
                     *kEpochs = "epochs", *kEpochsAsked = "epochs_asked",
                     *kPatienceEpochs = "patience_epochs", *kLearningRates = "learning_rates",
                     *kSentence = "sentence", *kPlanned = "planned", *kSampled = "sampled", *kEnded = "ended",
                     *kCancelled = "cancelled";

Json ruleOf(std::string_view code) {
    return {{kRuleCode, code}};
}

Json stopped(Json rule) {
    return {{kRules, Json::array({std::move(rule)})}};
}

/// Without digits that say nothing: "10", "3.33", "0.5".
std::string shortNumber(double value) {
    std::string text = formatFixed(value, value < 0.1 ? 4 : 2);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::optional<std::string> countIn(const Json& map, const char* key) {
    const auto count = countField(map, key);
    return count ? std::optional(std::to_string(*count)) : std::nullopt;
}

std::optional<std::string> numberIn(const Json& map, const char* key, double factor = 1) {
    const auto number = numberField(map, key);
    return number && *number >= 0 ? std::optional(shortNumber(factor * *number)) : std::nullopt;
}

const Json* entriesOf(const Json& map, const char* key) {
    const auto found = map.find(key); // the end where it is no object
    const bool fits = found != map.end() && found->is_array() && !found->empty() &&
                      found->size() <= static_cast<std::size_t>(kMostProcesses);
    return fits ? &*found : nullptr;
}

/// Of each process that a rule ended. Nothing where some are no numbers.
std::optional<std::vector<std::int64_t>> samplesOf(const Json& rule) {
    const Json* const entries = entriesOf(rule, kSamples);
    if (!entries)
        return std::nullopt;
    std::vector<std::int64_t> samples;
    for (const Json& entry : *entries) {
        const auto count = countOf(entry);
        if (!count)
            return std::nullopt;
        samples.push_back(*count);
    }
    return samples;
}

/// "120, 48": those that follow one another and are equal are told once.
std::string listText(const std::vector<std::int64_t>& samples) {
    std::string text;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (i == 0 || samples[i] != samples[i - 1])
            text += (text.empty() ? "" : ", ") + std::to_string(samples[i]);
    return text;
}

using Values = std::vector<std::optional<std::string>>;

/// Empty where a value is missing.
Phrase sayWhole(const char* format, const Values& values) {
    std::vector<Phrase> arguments;
    for (const auto& value : values) {
        if (!value)
            return {};
        arguments.emplace_back(*value);
    }
    return say(format, std::move(arguments));
}

struct LimitWords {
    const char *ofAsked, *after, *afterOne;
};

Phrase timeLimitPhrase(const Json& rule, const std::string& samples) {
    const bool shared = rule.contains(kStudyTimeLimitS);
    const LimitWords formats =
        shared ? LimitWords{run_words::kSharedLimitOf, run_words::kSharedLimit, run_words::kSharedLimitOne}
               : LimitWords{run_words::kLimitOf, run_words::kLimit, run_words::kLimitOne};
    Values values{numberIn(rule, kTimeLimitS)};
    if (shared)
        values.push_back(numberIn(rule, kStudyTimeLimitS));
    if (!rule.contains(kSamplesAsked) && samples == "1")
        return sayWhole(formats.afterOne, values);
    values.emplace_back(samples);
    if (!rule.contains(kSamplesAsked))
        return sayWhole(formats.after, values);
    values.push_back(countIn(rule, kSamplesAsked));
    return sayWhole(formats.ofAsked, values);
}

/// Of rules that count samples; empty for others.
Phrase samplesPhrase(const Json& rule, const std::string& code) {
    const auto counts = samplesOf(rule);
    if (!counts)
        return {};
    const std::string samples = listText(*counts);
    if (code == stop_code::kSampleCount)
        return samples == "1" ? say(run_words::kSample) : say(run_words::kSamples, {samples});
    if (code == stop_code::kIntervalWidth)
        return sayWhole(run_words::kInterval, {numberIn(rule, kRelativeWidth, 100), samples});
    if (code == stop_code::kTimeLimit)
        return timeLimitPhrase(rule, samples);
    return {};
}

/// Empty where it is not known.
Phrase rulePhrase(const Json& rule) {
    const std::string code = textField(rule, kRuleCode);
    if (code.empty())
        return textField(rule, kSentence);
    if (code == stop_code::kEpochCount)
        return sayWhole(run_words::kEpochs, {countIn(rule, kEpochs)});
    if (code == stop_code::kEpochsExceeded)
        return sayWhole(run_words::kMoreEpochs, {countIn(rule, kEpochs), countIn(rule, kEpochsAsked)});
    if (code == stop_code::kEarlyStopping)
        return sayWhole(run_words::kNoBetter, {countIn(rule, kPatienceEpochs)});
    if (code == stop_code::kRateSearch)
        return sayWhole(run_words::kRates, {countIn(rule, kLearningRates)});
    if (code == stop_code::kRateSearchDiverged)
        return say(run_words::kDiverged);
    return samplesPhrase(rule, code);
}

/// Whether one rule ended the run in all processes, after as many samples.
bool endedAlike(const Json& rules) {
    if (rules.size() != 1)
        return false;
    const auto samples = samplesOf(rules.front());
    return !samples || std::equal(samples->begin() + 1, samples->end(), samples->begin());
}

/// `rules` with what is to say of the processes: ", in each of 3 processes", or ", in 3 processes" where the
/// rules differ. Empty where that is not known.
Phrase inProcesses(Phrase rules, const Json& processes, bool alike) {
    const auto planned = countField(processes, kPlanned), sampled = countField(processes, kSampled),
               ended = countField(processes, kEnded);
    const auto cancelled = processes.find(kCancelled);
    if (!planned || !sampled || !ended || *planned < *sampled || *sampled < *ended ||
        cancelled == processes.end() || !cancelled->is_boolean())
        return {};
    if (*ended == *planned)
        return say(alike ? run_words::kInEach : run_words::kInAll,
                   {std::move(rules), std::to_string(*planned)});
    Phrase text =
        say(run_words::kInSome, {std::move(rules), std::to_string(*sampled), std::to_string(*planned)});
    if (*ended < *sampled)
        text = say(run_words::kNotToTheEnd, {std::move(text), std::to_string(*sampled - *ended)});
    return say(cancelled->get<bool>() ? run_words::kCancelled : run_words::kIncomplete, {std::move(text)});
}

/// The same rule of another process; of a number of samples that was asked for the number is the rule.
bool isSameRule(Json rule, Json other) {
    const Json *const samples = entriesOf(rule, kSamples), *const others = entriesOf(other, kSamples);
    if (textField(rule, kRuleCode) == stop_code::kSampleCount && samples && others &&
        samples->front() != others->front())
        return false;
    rule.erase(kSamples);
    other.erase(kSamples);
    return rule == other;
}

} // namespace

Json stoppedBySampleCount(std::int64_t samples) {
    Json rule = ruleOf(stop_code::kSampleCount);
    rule[kSamples] = {samples};
    return stopped(std::move(rule));
}

Json stoppedByIntervalWidth(double relativeWidth, std::int64_t samples) {
    Json rule = ruleOf(stop_code::kIntervalWidth);
    rule[kRelativeWidth] = relativeWidth;
    rule[kSamples] = {samples};
    return stopped(std::move(rule));
}

Json stoppedByTimeLimit(const TimeLimit& limit) {
    Json rule = ruleOf(stop_code::kTimeLimit);
    rule[kTimeLimitS] = limit.limitS;
    if (limit.studyS)
        rule[kStudyTimeLimitS] = *limit.studyS;
    rule[kSamples] = {limit.samples};
    if (limit.samplesAsked)
        rule[kSamplesAsked] = *limit.samplesAsked;
    return stopped(std::move(rule));
}

Json stoppedByEpochs(std::int64_t epochs, std::int64_t asked) {
    Json rule = ruleOf(epochs == asked ? stop_code::kEpochCount : stop_code::kEpochsExceeded);
    rule[kEpochs] = epochs;
    if (epochs != asked)
        rule[kEpochsAsked] = asked;
    return stopped(std::move(rule));
}

Json stoppedByEarlyStopping(std::int64_t patienceEpochs) {
    Json rule = ruleOf(stop_code::kEarlyStopping);
    rule[kPatienceEpochs] = patienceEpochs;
    return stopped(std::move(rule));
}

Json stoppedByRateSearch(std::int64_t learningRates) {
    Json rule = ruleOf(stop_code::kRateSearch);
    rule[kLearningRates] = learningRates;
    return stopped(std::move(rule));
}

Json stoppedByRateSearchDiverged() {
    return stopped(ruleOf(stop_code::kRateSearchDiverged));
}

Json stoppedBySentence(const std::string& sentence) {
    return stopped({{kSentence, sentence}});
}

Json stoppedInProcesses(const std::vector<Json>& endings, const ProcessEndings& processes) {
    Json rules = Json::array();
    for (const Json& ending : endings)
        for (const Json& rule : ending.value(kRules, Json::array())) {
            const auto known = std::find_if(rules.begin(), rules.end(),
                                            [&](const Json& each) { return isSameRule(each, rule); });
            if (known == rules.end())
                rules.push_back(rule);
            else if (const Json* const samples = entriesOf(rule, kSamples);
                     samples && entriesOf(*known, kSamples))
                known->at(kSamples).insert(known->at(kSamples).end(), samples->begin(), samples->end());
        }
    Json all = {{kRules, std::move(rules)}};
    if (processes.planned > 1)
        all[kProcesses] = {{kPlanned, processes.planned},
                           {kSampled, processes.sampled},
                           {kEnded, processes.ended},
                           {kCancelled, processes.cancelled}};
    return all;
}

Phrase stopPhrase(const Json& stopped) {
    const Json* const rules = entriesOf(stopped, kRules);
    if (!rules)
        return {};
    std::vector<Phrase> parts;
    for (const Json& rule : *rules) {
        Phrase part = rulePhrase(rule);
        if (part.empty())
            return {};
        parts.push_back(std::move(part));
    }
    Phrase text = joined(parts, "; ");
    return stopped.contains(kProcesses)
               ? inProcesses(std::move(text), stopped.at(kProcesses), endedAlike(*rules))
               : text;
}

bool hasTimeLimit(const Json& stopped) {
    const Json* const rules = entriesOf(stopped, kRules);
    return rules && std::any_of(rules->begin(), rules->end(), [](const Json& rule) {
               return textField(rule, kRuleCode) == stop_code::kTimeLimit;
           });
}

} // namespace heteroscope
