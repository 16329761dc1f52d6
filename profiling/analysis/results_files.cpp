// SPDX-License-Identifier: Apache-2.0
// Results as JSON and as CSV.
#include "compute/base/cell_table.h"
#include "profiling/analysis/advice.h"
#include "profiling/analysis/device_clocks.h"
#include "profiling/analysis/disturbed.h"
#include "profiling/analysis/recorded_phrase.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/run_time.h"
#include "profiling/analysis/unclear.h"
#include "profiling/analysis/value_range.h"
#include "profiling/analysis/warm_up.h"
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

double transferMs(const StudyRun& run, Transfer StudySample::*direction) {
    return centralMs(run, [&](const StudySample& sample) { return std::optional((sample.*direction).ms); })
        .value_or(0);
}

/// Per repetition: bytes and counts are the same in every sample; the time is as that of the run.
Json transferJson(const StudyRun& run, Transfer StudySample::*direction) {
    const auto counts = [](const StudySample& sample) { return sample.counts(); };
    const Transfer last = (*std::find_if(run.samples.rbegin(), run.samples.rend(), counts)).*direction;
    return {{"count", last.count},
            {"bytes", last.bytes},
            {"ms", transferMs(run, direction)},
            {"pinned_bytes", last.pinnedBytes},
            {"source", "host clock"}};
}

/// What the time of the copies is of: the time of a repetition of the same samples.
void putWall(Json& direction, const Json& wallMs) {
    const double wall = wallMs.is_number() ? wallMs.get<double>() : 0;
    direction["wall_ms"] = wallMs;
    direction["share_of_wall"] = wall > 0 ? Json(direction.at("ms").get<double>() / wall) : Json(nullptr);
}

void putMeasurements(Json& entry, const RunResult& result) {
    const StudyRun& run = *result.run;
    entry["samples_ms"] = run.timesMs();
    const bool any = result.timeMs.n > 0;
    entry["median_ms"] = any ? Json(result.timeMs.median) : Json(nullptr);
    entry["ci95_ms"] = intervalJson(result.timeMs.ci95, result.timeMs.hasInterval);
    entry["device_ms"] = numberOrNull(centralMs(run, [](const StudySample& s) { return s.deviceMs; }));
    entry["transfers"] = any ? Json{{"h2d", transferJson(run, &StudySample::h2d)},
                                    {"d2h", transferJson(run, &StudySample::d2h)},
                                    {"d2d", transferJson(run, &StudySample::d2d)}}
                             : Json(nullptr);
    if (any)
        for (Json& direction : entry["transfers"])
            putWall(direction, entry["median_ms"]);
}

/// A total over all repetitions as a number for one: whole when it divides.
Json perRepetition(std::int64_t total, std::int64_t repetitions) {
    if (total % repetitions == 0)
        return total / repetitions;
    return static_cast<double>(total) / static_cast<double>(repetitions);
}

double milliseconds(std::int64_t ns, std::int64_t repetitions) {
    return static_cast<double>(ns) * 1e-6 / static_cast<double>(repetitions);
}

Json tracedTransfers(const TransferBreakdown& transfers, CopyRoute route, std::int64_t repetitions) {
    std::int64_t count = 0, bytes = 0, pinned = 0, busyNs = 0;
    for (const TransferGroup& group : transfers.groups) {
        if (group.route != route)
            continue;
        count += group.count;
        bytes += group.bytes;
        pinned += group.memory == "pinned" ? group.bytes : 0;
        busyNs += group.busyNs;
    }
    return {{"count", perRepetition(count, repetitions)},
            {"bytes", perRepetition(bytes, repetitions)},
            {"ms", milliseconds(busyNs, repetitions)},
            {"pinned_bytes", perRepetition(pinned, repetitions)}};
}

/// The device's own records of the copies stand for them; what the host's clock said of them stays as
/// host_ms.
void takeFromDevice(Json& direction, Json&& traced) {
    const Json host = direction.is_object() && direction.contains("ms") ? direction.at("ms") : Json(nullptr);
    direction = traced;
    direction["source"] = "device records";
    direction["host_ms"] = host;
    direction["traced"] = std::move(traced);
}

/// What the device recorded in the run's traced samples.
void putDeviceRecords(Json& entry, const RunDeviceTime& time, const RunFigures& figures) {
    std::int64_t repetitions = 0;
    for (const SampleTime& sample : time.samples)
        repetitions += std::max(1, sample.sample->repetitions);
    Json parts = {{"samples", time.samples.size()},
                  {"wall_ms", milliseconds(time.total.wallNs, repetitions)}};
    for (std::size_t i = 0; i < kTimeParts; ++i)
        parts[std::string(figureOf(static_cast<TimePart>(i)).id) + "_ms"] =
            milliseconds(time.total.partNs[i], repetitions);
    parts["launch_of_copies_ms"] = milliseconds(time.total.launchOfCopiesNs, repetitions);
    entry["device_time"] = parts;
    static constexpr std::array<std::pair<const char*, CopyRoute>, 3> kDirections{
        {{"h2d", CopyRoute::HostToDevice}, {"d2h", CopyRoute::DeviceToHost}, {"d2d", CopyRoute::OnDevice}}};
    for (const auto& [name, route] : kDirections) {
        Json& direction = entry["transfers"][name];
        takeFromDevice(direction, tracedTransfers(figures.transfers, route, repetitions));
        putWall(direction, parts["wall_ms"]);
    }
}

void putDeviceRecords(Json& entry, const StudyRun& run, const DeviceReport& report) {
    for (std::size_t i = 0; i < report.times.size(); ++i)
        if (report.times[i].run == &run)
            putDeviceRecords(entry, report.times[i], report.figures[i]);
}

/// How many fresh processes would settle what is UNCLEAR; null where it is settled, or nobody knows.
Json settleJson(const Comparison& comparison) {
    return comparison.processesThatSettle > 0 ? Json(comparison.processesThatSettle) : Json(nullptr);
}

/// Null where the verdict is clear.
Json doubtJson(const Comparison& comparison) {
    const std::string doubt = doubtText(doubtOf(comparison));
    return doubt.empty() ? Json(nullptr) : Json(doubt);
}

Json disturbanceJson(const DisturbedSamples& found) {
    if (found.known == 0)
        return nullptr;
    return {{"disturbed_samples", found.disturbed},
            {"samples", found.known},
            {"samples_with_unknown_waiting", found.waitUnknown},
            {"waited_ms", found.waitedMs},
            {"others_ms", std::max(0.0, found.othersMs)},
            {"stolen_ms", found.stolenMs},
            {"span_ms", found.spanMs},
            {"calibration_us", rangeJson(found.loopUs)},
            {"mhz", rangeJson(found.mhz)},
            {"celsius", rangeJson(found.celsius)}};
}

/// The metrics as recorded, but for those that divide by the time of a repetition: where several processes
/// took the samples, a recording has those of one.
Json metricsJson(const StudyRun& run, double ms) {
    Json metrics = run.metrics;
    const auto put = [&](const char* name, std::optional<double> value) {
        if (value && metrics.contains(name))
            metrics[name] = *value;
    };
    const auto giga = [&](RunWork work) {
        const auto rate = workPerSecond(run, ms, work);
        return rate ? std::optional(*rate * 1e-9) : std::nullopt;
    };
    put("bandwidth_gb_s", giga(RunWork::Bytes));
    put("gflop_s", giga(RunWork::Operations));
    if (ms > 0)
        put("transfer_share_percent",
            100 * (transferMs(run, &StudySample::h2d) + transferMs(run, &StudySample::d2h)) / ms);
    return metrics;
}

Json runJson(const RunResult& result, const std::string& reference) {
    const StudyRun& run = *result.run;
    Json entry = {{"point", run.point}, {"target", run.target}, {"status", runStatusWord(run.status, true)}};
    entry["reason"] = run.reason.empty() ? Json(nullptr) : Json(run.reason);
    putMeasurements(entry, result);
    entry["disturbance"] = disturbanceJson(disturbedSamples(run));
    entry["device_clocks"] = deviceClocksJson(sampledClocks(run));
    entry["warm_up"] = warmUpJson(warmUpOf(run));
    entry["speedup"] = nullptr;
    if (result.speedup)
        entry["speedup"] = {{"reference", reference},
                            {"value", result.speedup->ratio},
                            {"ci95", intervalJson(result.speedup->ci95, result.speedup->hasInterval)},
                            {"verdict", run.target == reference ? Json("reference")
                                                                : Json(verdictName(result.speedup->verdict))},
                            {"unclear_because", doubtJson(*result.speedup)},
                            {"processes_that_settle", settleJson(*result.speedup)}};
    entry["max_abs_error"] = numberOrNull(run.maxAbsError);
    entry["max_rel_error"] = numberOrNull(run.maxRelError);
    entry["equal_work"] = result.equalWork;
    entry["output_digest"] = run.outputDigest.empty() ? Json(nullptr) : Json(run.outputDigest);
    entry["implementation"] = run.implementation;
    entry["first_use_ms"] = run.firstUseMs;
    entry["stop_rule"] = stopRulePhrase(run).text();
    entry["stopped_by"] = run.stoppedBy;
    entry["metrics"] = metricsJson(run, result.timeMs.median);
    return entry;
}

std::string axisText(const Json& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> axesOf(const Study& study) {
    std::vector<std::string> axes;
    for (const StudyRun& run : study.runs)
        for (const auto& [axis, value] : run.point.items())
            if (std::find(axes.begin(), axes.end(), axis) == axes.end())
                axes.push_back(axis);
    return axes;
}

void putTransfer(CellTable& table, const Transfer& transfer) {
    table.cell(transfer.count).cell(transfer.bytes).cell(transfer.pinnedBytes).cell(plain(transfer.ms));
}

constexpr std::array<const char*, 7> kDisturbanceColumns{
    "disturbed", "waited_ms", "others_ms", "stolen_ms", "mhz", "calibration_us", "celsius"};

/// What is not known is an empty cell.
void putDisturbance(CellTable& table, const std::optional<Disturbance>& found) {
    if (!found) {
        for (std::size_t i = 0; i < kDisturbanceColumns.size(); ++i)
            table.cell(std::string());
        return;
    }
    table.cell(isDisturbed(*found) ? 1 : 0);
    table.cell(found->waitedMs ? plain(*found->waitedMs) : "");
    table.cell(plain(std::max(0.0, found->othersMs))).cell(plain(found->stolenMs));
    table.cell(found->mhz ? plain(*found->mhz) : "").cell(plain(found->loopUs));
    table.cell(found->celsius ? plain(*found->celsius) : "");
}

constexpr std::array<const char*, 4> kClockColumns{"sm_mhz", "memory_mhz", "clocks_held_back_by",
                                                   "clocks_idle"};

/// Of the GPU; likewise.
void putClocks(CellTable& table, const std::optional<DeviceClocks>& clocks) {
    table.cell(clocks && clocks->smMhz ? plain(*clocks->smMhz) : "");
    table.cell(clocks && clocks->memoryMhz ? plain(*clocks->memoryMhz) : "");
    table.cell(clocks ? clocks->heldBackBy : "");
    table.cell(!clocks ? "" : clocks->idle ? "1" : "0");
}

void putSample(CellTable& table, const StudySample& sample) {
    table.cell(sample.process).cell(sample.sample);
    table.cells({sample.warmup ? "1" : "0", sample.traced ? "1" : "0"});
    table.cell(sample.repetitions).cell(sample.startNs).cell(plain(sample.wallMs));
    table.cell(sample.deviceMs ? plain(*sample.deviceMs) : "");
    for (const Transfer& transfer : {sample.h2d, sample.d2h, sample.d2d})
        putTransfer(table, transfer);
    putDisturbance(table, sample.disturbance);
    putClocks(table, sample.clocks);
    table.cell(sample.workPerRepetition ? plain(*sample.workPerRepetition) : "");
    table.cell(!sample.warmupStable ? "" : *sample.warmupStable ? "1" : "0");
    table.endLine();
}

} // namespace

Json resultsToJson(const Study& study, const StudyResults& results, const DeviceReport* device) {
    Json document = {{"format", "heteroscope-results"}, {"version", 1}};
    document["end_status"] = study.endStatus.empty() ? Json(nullptr) : Json(study.endStatus);
    document["end_reason"] = study.endReason.empty() ? Json(nullptr) : Json(study.endReason);
    document["environment"] = study.environment;
    document["experiment"] = study.experiment;
    document["reference"] = results.reference;
    document["runs"] = Json::array();
    for (const RunResult& result : results.runs) {
        document["runs"].push_back(runJson(result, results.reference));
        if (device)
            putDeviceRecords(document["runs"].back(), *result.run, *device);
    }
    return document;
}

std::string resultsToCsv(const Study& study) {
    const std::vector<std::string> axes = axesOf(study);
    CellTable table;
    table.cells({"run", "target"});
    for (const std::string& axis : axes)
        table.cell(axis);
    table.cells({"process", "sample", "warmup", "traced", "repetitions", "start_ns", "wall_ms", "device_ms"});
    for (const std::string direction : {"h2d", "d2h", "d2d"})
        for (const char* field : {"_count", "_bytes", "_pinned_bytes", "_ms"})
            table.cell(direction + field);
    for (const char* column : kDisturbanceColumns)
        table.cell(column);
    for (const char* column : kClockColumns)
        table.cell(column);
    table.cells({"work_per_repetition", "warmup_stable"});
    table.endLine();
    for (const StudyRun& run : study.runs) {
        CellTable beginning;
        beginning.cell(run.run).cell(run.target);
        for (const std::string& axis : axes) {
            const auto value = run.point.find(axis);
            beginning.cell(value == run.point.end() ? std::string() : axisText(*value));
        }
        for (const StudySample& sample : run.samples)
            putSample(table.cellsOf(beginning), sample);
    }
    return table.text();
}

} // namespace heteroscope::profiling
