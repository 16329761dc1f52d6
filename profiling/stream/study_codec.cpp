// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/study_codec.h"

#include <array>
#include <limits>

namespace heteroscope::profiling {

namespace {

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
constexpr std::int64_t kMinLong = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMaxLong = std::numeric_limits<std::int64_t>::max();

constexpr std::array<std::string_view, 6> kStatusNames = {"planned", "running", "ok",
                                                          "failed",  "skipped", "cancelled"};

void putTransfer(Json& sample, const char* key, const Transfer& transfer) {
    if (transfer.count != 0 || transfer.bytes != 0)
        sample[key] = Json{{"count", transfer.count},
                           {"bytes", transfer.bytes},
                           {"pinnedBytes", transfer.pinnedBytes},
                           {"ms", transfer.ms}};
}

Transfer takeTransfer(Payload& payload, const char* key) {
    Payload map = payload.inside(key);
    Transfer transfer;
    transfer.count = map.whole("count", 0, kMaxLong, 0);
    transfer.bytes = map.whole("bytes", 0, kMaxLong, 0);
    transfer.pinnedBytes = map.whole("pinnedBytes", 0, kMaxLong, 0);
    transfer.ms = map.number("ms", 0);
    payload.adopt(map);
    return transfer;
}

Json encodeDisturbance(const Disturbance& disturbance) {
    Json map = {{"spanMs", disturbance.spanMs},
                {"othersMs", disturbance.othersMs},
                {"stolenMs", disturbance.stolenMs},
                {"loopUs", disturbance.loopUs}};
    if (disturbance.waitedMs)
        map["waitedMs"] = *disturbance.waitedMs;
    if (disturbance.mhz)
        map["mhz"] = *disturbance.mhz;
    if (disturbance.celsius)
        map["celsius"] = *disturbance.celsius;
    return map;
}

Json encodeClocks(const DeviceClocks& clocks) {
    Json map = {{"heldBackBy", clocks.heldBackBy}, {"idle", clocks.idle}};
    if (clocks.smMhz)
        map["smMhz"] = *clocks.smMhz;
    if (clocks.memoryMhz)
        map["memoryMhz"] = *clocks.memoryMhz;
    return map;
}

std::optional<DeviceClocks> takeClocks(Payload& payload) {
    if (!payload.json().contains("clocks"))
        return std::nullopt;
    Payload map = payload.inside("clocks");
    DeviceClocks clocks{map.maybeNumber("smMhz"), map.maybeNumber("memoryMhz"), map.text("heldBackBy", ""),
                        map.flag("idle")};
    payload.adopt(map);
    return clocks;
}

std::optional<Disturbance> takeDisturbance(Payload& payload) {
    if (!payload.json().contains("disturbance"))
        return std::nullopt;
    Payload map = payload.inside("disturbance");
    Disturbance disturbance;
    disturbance.spanMs = map.number("spanMs", 0);
    disturbance.waitedMs = map.maybeNumber("waitedMs");
    disturbance.othersMs = map.number("othersMs", 0);
    disturbance.stolenMs = map.number("stolenMs", 0);
    disturbance.mhz = map.maybeNumber("mhz");
    disturbance.loopUs = map.number("loopUs", 0);
    disturbance.celsius = map.maybeNumber("celsius");
    payload.adopt(map);
    return disturbance;
}

} // namespace

std::string_view runStatusName(StudyRunStatus status) {
    return kStatusNames[static_cast<std::size_t>(status)];
}

std::string_view runStatusWord(StudyRunStatus status, bool over) {
    return over && status == StudyRunStatus::Running ? "unfinished" : runStatusName(status);
}

Json encodeHeader(const Study& study) {
    return {{"id", study.id},
            {"program", study.program},
            {"version", study.version},
            {"startedUtc", study.startedUtc},
            {"clockNs", study.clockNs}};
}

void decodeHeader(Payload& payload, Study& study) {
    study.id = payload.text("id");
    study.program = payload.text("program", "");
    study.version = payload.text("version", "");
    study.startedUtc = payload.text("startedUtc", "");
    study.clockNs = payload.whole("clockNs", kMinLong, kMaxLong, 0);
}

Json encodeRun(const StudyRun& run) {
    return {{"run", run.run},     {"target", run.target},
            {"point", run.point}, {"estimatedBytes", run.estimatedBytes},
            {"flops", run.flops}, {"minimumBytes", run.minimumBytes}};
}

StudyRun decodeRun(Payload& payload) {
    StudyRun run;
    run.run = static_cast<int>(payload.whole("run", 0, kMaxInt));
    run.target = payload.text("target");
    run.point = payload.object("point");
    run.estimatedBytes = payload.whole("estimatedBytes", 0, kMaxLong, 0);
    run.flops = payload.number("flops", 0);
    run.minimumBytes = payload.number("minimumBytes", 0);
    return run;
}

Json encodeRunEnd(const StudyRun& run) {
    Json map = {{"run", run.run},
                {"status", runStatusName(run.status)},
                {"reason", run.reason},
                {"implementation", run.implementation},
                {"stopRule", run.stopRule},
                {"outputDigest", run.outputDigest},
                {"firstUseMs", run.firstUseMs},
                {"metrics", run.metrics}};
    if (!run.stoppedBy.is_null())
        map["stoppedBy"] = run.stoppedBy;
    if (run.maxAbsError)
        map["maxAbsError"] = *run.maxAbsError;
    if (run.maxRelError)
        map["maxRelError"] = *run.maxRelError;
    return map;
}

void decodeRunEnd(Payload& payload, StudyRun& run) {
    const std::string status = payload.text("status");
    for (std::size_t i = 0; i < kStatusNames.size(); ++i)
        if (status == kStatusNames[i])
            run.status = static_cast<StudyRunStatus>(i);
    run.reason = payload.text("reason", "");
    run.implementation = payload.text("implementation", "");
    run.stopRule = payload.text("stopRule", "");
    if (const auto stopped = payload.json().find("stoppedBy"); stopped != payload.json().end())
        run.stoppedBy = *stopped; // whoever says it looks at what it is
    run.outputDigest = payload.text("outputDigest", "");
    run.firstUseMs = payload.number("firstUseMs", 0);
    run.maxAbsError = payload.maybeNumber("maxAbsError");
    run.maxRelError = payload.maybeNumber("maxRelError");
    const Json metrics = payload.object("metrics");
    for (const auto& [name, value] : metrics.items())
        run.metrics[name] = value;
}

Json encodeSample(const StudySample& sample) {
    Json map = {{"run", sample.run},       {"sample", sample.sample},          {"process", sample.process},
                {"warmup", sample.warmup}, {"traced", sample.traced},          {"startNs", sample.startNs},
                {"wallMs", sample.wallMs}, {"repetitions", sample.repetitions}};
    if (sample.deviceMs)
        map["deviceMs"] = *sample.deviceMs;
    putTransfer(map, "h2d", sample.h2d);
    putTransfer(map, "d2h", sample.d2h);
    putTransfer(map, "d2d", sample.d2d);
    if (sample.disturbance)
        map["disturbance"] = encodeDisturbance(*sample.disturbance);
    if (sample.clocks)
        map["clocks"] = encodeClocks(*sample.clocks);
    if (sample.workPerRepetition)
        map["workPerRepetition"] = *sample.workPerRepetition;
    if (sample.leftOut)
        map["leftOut"] = *sample.leftOut;
    if (sample.warmupStable)
        map["warmupStable"] = *sample.warmupStable;
    return map;
}

StudySample decodeSample(Payload& payload) {
    StudySample sample;
    sample.run = static_cast<int>(payload.whole("run", 0, kMaxInt));
    sample.sample = static_cast<int>(payload.whole("sample", 0, kMaxInt));
    sample.process = static_cast<int>(payload.whole("process", 0, kMaxInt, 0));
    sample.warmup = payload.flag("warmup");
    sample.traced = payload.flag("traced");
    sample.startNs = payload.whole("startNs", kMinLong, kMaxLong, 0);
    sample.wallMs = payload.number("wallMs");
    sample.deviceMs = payload.maybeNumber("deviceMs");
    sample.repetitions = static_cast<int>(payload.whole("repetitions", 1, kMaxInt, 1));
    sample.h2d = takeTransfer(payload, "h2d");
    sample.d2h = takeTransfer(payload, "d2h");
    sample.d2d = takeTransfer(payload, "d2d");
    sample.disturbance = takeDisturbance(payload);
    sample.clocks = takeClocks(payload);
    sample.workPerRepetition = payload.maybeNumber("workPerRepetition");
    if (const std::int64_t leftOut = payload.whole("leftOut", 0, kMaxLong, -1); leftOut >= 0)
        sample.leftOut = leftOut;
    if (payload.json().contains("warmupStable"))
        sample.warmupStable = payload.flag("warmupStable");
    return sample;
}

Json encodeLog(const StudyLog& entry) {
    return {{"timeNs", entry.timeNs}, {"level", entry.level}, {"text", entry.text}};
}

StudyLog decodeLog(Payload& payload) {
    return {payload.whole("timeNs", kMinLong, kMaxLong, 0), payload.text("level", "info"),
            payload.text("text")};
}

Json encodeProgress(const StudyProgress& progress) {
    return {{"fraction", progress.fraction},
            {"remainingS", progress.remainingS},
            {"run", progress.run},
            {"process", progress.process},
            {"processes", progress.processes}};
}

StudyProgress decodeProgress(Payload& payload) {
    StudyProgress progress;
    progress.fraction = payload.number("fraction");
    progress.remainingS = payload.number("remainingS", -1);
    progress.run = static_cast<int>(payload.whole("run", -1, kMaxInt, -1));
    progress.process = static_cast<int>(payload.whole("process", 0, kMaxInt, 0));
    progress.processes = static_cast<int>(payload.whole("processes", 1, kMaxInt, 1));
    return progress;
}

Json encodeActivity(const StudyActivity& activity) {
    return {{"run", activity.run},
            {"target", activity.target},
            {"step", activity.step},
            {"forecastBytes", activity.forecastBytes},
            {"freeBytes", activity.freeBytes}};
}

StudyActivity decodeActivity(Payload& payload) {
    StudyActivity activity;
    activity.run = static_cast<int>(payload.whole("run", 0, kMaxInt));
    activity.target = payload.text("target", "");
    activity.step = payload.text("step", "");
    activity.forecastBytes = payload.whole("forecastBytes", 0, kMaxLong, 0);
    activity.freeBytes = payload.whole("freeBytes", 0, kMaxLong, 0);
    return activity;
}

Json encodeQuality(const DataQuality& quality) {
    return {{"droppedEvents", quality.droppedEvents},
            {"zeroTimestamps", quality.zeroTimestamps},
            {"outOfOrder", quality.outOfOrder},
            {"clipped", quality.clipped},
            {"causalPairs", quality.causalPairs},
            {"causalViolations", quality.causalViolations},
            {"notes", quality.notes}};
}

DataQuality decodeQuality(Payload& payload) {
    DataQuality quality;
    quality.droppedEvents = static_cast<std::uint64_t>(payload.whole("droppedEvents", 0, kMaxLong, 0));
    quality.zeroTimestamps = static_cast<std::uint64_t>(payload.whole("zeroTimestamps", 0, kMaxLong, 0));
    quality.outOfOrder = static_cast<std::uint64_t>(payload.whole("outOfOrder", 0, kMaxLong, 0));
    quality.clipped = static_cast<std::uint64_t>(payload.whole("clipped", 0, kMaxLong, 0));
    quality.causalPairs = static_cast<std::uint64_t>(payload.whole("causalPairs", 0, kMaxLong, 0));
    quality.causalViolations = static_cast<std::uint64_t>(payload.whole("causalViolations", 0, kMaxLong, 0));
    const auto notes = payload.json().find("notes");
    if (notes != payload.json().end() && notes->is_array())
        for (const Json& note : *notes)
            if (note.is_string())
                quality.notes.push_back(note.get<std::string>());
    return quality;
}

} // namespace heteroscope::profiling
