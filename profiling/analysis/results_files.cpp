// SPDX-License-Identifier: Apache-2.0
// Results as JSON and as CSV.
#include "profiling/analysis/results.h"
#include "profiling/stream/study_codec.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace heteroscope::profiling {

namespace {

/// Shortest text that reads back as the same number, whatever the locale.
std::string plain(double value) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return std::string(text.data(), end);
}

Json numberOrNull(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// null from fewer than 5 samples.
Json intervalJson(const Interval& interval, bool known) {
    return known ? Json::array({interval.low, interval.high}) : Json(nullptr);
}

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return quantileSorted(values, 0.5);
}

/// Per repetition: bytes and counts are the same in every sample, times are the median.
Json transferJson(const std::vector<const StudySample*>& samples, Transfer StudySample::*direction) {
    std::vector<double> times;
    for (const StudySample* sample : samples)
        times.push_back((sample->*direction).ms);
    const Transfer last = samples.back()->*direction;
    return {{"count", last.count},
            {"bytes", last.bytes},
            {"ms", medianOf(std::move(times))},
            {"pinned_bytes", last.pinnedBytes}};
}

void putMeasurements(Json& entry, const RunResult& result) {
    const StudyRun& run = *result.run;
    std::vector<const StudySample*> counting;
    std::vector<double> deviceMs;
    for (const StudySample& sample : run.samples) {
        if (sample.warmup || sample.traced)
            continue;
        counting.push_back(&sample);
        if (sample.deviceMs)
            deviceMs.push_back(*sample.deviceMs);
    }
    entry["samples_ms"] = run.timesMs();
    const bool any = !counting.empty();
    entry["median_ms"] = any ? Json(result.timeMs.median) : Json(nullptr);
    entry["ci95_ms"] = intervalJson(result.timeMs.ci95, result.timeMs.hasInterval);
    entry["device_ms"] = deviceMs.empty() ? Json(nullptr) : Json(medianOf(std::move(deviceMs)));
    entry["transfers"] = any ? Json{{"h2d", transferJson(counting, &StudySample::h2d)},
                                    {"d2h", transferJson(counting, &StudySample::d2h)},
                                    {"d2d", transferJson(counting, &StudySample::d2d)}}
                             : Json(nullptr);
}

Json runJson(const RunResult& result, const std::string& reference) {
    const StudyRun& run = *result.run;
    Json entry = {{"point", run.point}, {"target", run.target}, {"status", runStatusName(run.status)}};
    entry["reason"] = run.reason.empty() ? Json(nullptr) : Json(run.reason);
    putMeasurements(entry, result);
    entry["speedup"] = nullptr;
    if (result.speedup)
        entry["speedup"] = {{"reference", reference},
                            {"value", result.speedup->ratio},
                            {"ci95", intervalJson(result.speedup->ci95, result.speedup->hasInterval)},
                            {"verdict", verdictName(result.speedup->verdict)}};
    entry["max_abs_error"] = numberOrNull(run.maxAbsError);
    entry["max_rel_error"] = numberOrNull(run.maxRelError);
    entry["equal_work"] = result.equalWork;
    entry["output_digest"] = run.outputDigest.empty() ? Json(nullptr) : Json(run.outputDigest);
    entry["implementation"] = run.implementation;
    entry["first_use_ms"] = run.firstUseMs;
    entry["stop_rule"] = run.stopRule;
    entry["metrics"] = run.metrics;
    return entry;
}

std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csvValue(const Json& value) {
    if (value.is_string())
        return csvField(value.get<std::string>());
    return csvField(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::vector<std::string> axesOf(const Study& study) {
    std::vector<std::string> axes;
    for (const StudyRun& run : study.runs)
        for (const auto& [axis, value] : run.point.items())
            if (std::find(axes.begin(), axes.end(), axis) == axes.end())
                axes.push_back(axis);
    return axes;
}

void appendField(std::string& row, const std::string& text) {
    row += ',';
    row += text;
}

void appendTransfer(std::string& row, const Transfer& transfer) {
    for (const std::int64_t number : {transfer.count, transfer.bytes, transfer.pinnedBytes})
        appendField(row, std::to_string(number));
    appendField(row, plain(transfer.ms));
}

std::string sampleCsv(const StudySample& sample) {
    std::string row;
    appendField(row, std::to_string(sample.process));
    appendField(row, std::to_string(sample.sample));
    appendField(row, sample.warmup ? "1" : "0");
    appendField(row, sample.traced ? "1" : "0");
    appendField(row, std::to_string(sample.repetitions));
    appendField(row, std::to_string(sample.startNs));
    appendField(row, plain(sample.wallMs));
    appendField(row, sample.deviceMs ? plain(*sample.deviceMs) : "");
    for (const Transfer& transfer : {sample.h2d, sample.d2h, sample.d2d})
        appendTransfer(row, transfer);
    return row + "\n";
}

} // namespace

Json resultsToJson(const Study& study, const StudyResults& results) {
    Json document = {{"format", "heteroscope-results"}, {"version", 1}};
    document["environment"] = study.environment;
    document["experiment"] = study.experiment;
    document["reference"] = results.reference;
    document["runs"] = Json::array();
    for (const RunResult& result : results.runs)
        document["runs"].push_back(runJson(result, results.reference));
    return document;
}

std::string resultsToCsv(const Study& study) {
    const std::vector<std::string> axes = axesOf(study);
    std::string csv = "run,target";
    for (const std::string& axis : axes)
        appendField(csv, csvField(axis));
    csv += ",process,sample,warmup,traced,repetitions,start_ns,wall_ms,device_ms";
    for (const char* direction : {"h2d", "d2h", "d2d"})
        for (const char* field : {"_count", "_bytes", "_pinned_bytes", "_ms"})
            csv += std::string(",") + direction + field;
    csv += "\n";
    for (const StudyRun& run : study.runs) {
        std::string beginning = std::to_string(run.run) + "," + csvField(run.target);
        for (const std::string& axis : axes) {
            const auto value = run.point.find(axis);
            appendField(beginning, value == run.point.end() ? std::string() : csvValue(*value));
        }
        for (const StudySample& sample : run.samples)
            csv += beginning + sampleCsv(sample);
    }
    return csv;
}

} // namespace heteroscope::profiling
