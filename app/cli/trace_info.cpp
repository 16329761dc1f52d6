// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_info.h"

#include "app/cli/figure_table.h"
#include "app/cli/output_streams.h"
#include "compute/base/cell_table.h"
#include "compute/base/printable.h"
#include "compute/base/units.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/stream/run_file_state.h"
#include "profiling/stream/study_codec.h"

namespace heteroscope::cli {
namespace {

/// By the words of one and the same status, in the order of their first run.
Json runCounts(const profiling::RunFile& file) {
    Json counts = Json::object();
    for (const auto& run : file.study.runs) {
        const std::string word(profiling::runStatusWord(run.status, !file.beingWritten));
        counts[word] = counts.value(word, 0) + 1;
    }
    return counts;
}

std::size_t sampleCount(const profiling::Study& study) {
    std::size_t count = 0;
    for (const auto& run : study.runs)
        count += run.samples.size();
    return count;
}

Json trackList(const profiling::Trace& trace) {
    Json list = Json::array();
    for (profiling::TrackId id = 0; id < trace.trackCount(); ++id)
        list.push_back({{"name", trace.string(trace.track(id).name)}, {"spans", trace.spanCount(id)}});
    return list;
}

Json qualityRecord(const profiling::RunFile& file) {
    const profiling::DataQuality& quality = file.trace->quality();
    return {{"complete", profiling::stateOf(file).complete() && quality.droppedEvents == 0},
            {"dropped_events", quality.droppedEvents},
            {"zero_timestamps", quality.zeroTimestamps},
            {"out_of_order", quality.outOfOrder},
            {"clipped", quality.clipped},
            {"causal_pairs", quality.causalPairs},
            {"causal_violations", quality.causalViolations},
            {"notes", quality.notes}};
}

/// ", 0 of 12 345 pairs of a cause and its effect on a device in the wrong order"; empty without a device.
std::string causalText(const profiling::DataQuality& quality) {
    if (quality.causalPairs == 0)
        return {};
    return ", " + formatCount(static_cast<std::int64_t>(quality.causalViolations)) + " of " +
           formatCount(static_cast<std::int64_t>(quality.causalPairs)) +
           " pairs of a cause and its effect on a device in the wrong order";
}

/// What a recorder lost is told at its end: before, nobody knows it.
std::string qualityText(const profiling::RunFile& file) {
    const profiling::DataQuality& quality = file.trace->quality();
    const profiling::RunFileState state = profiling::stateOf(file);
    const std::string gap = state.gap();
    const std::string order =
        causalText(quality) +
        (state.trailingBytes > 0 ? "; " + std::to_string(state.trailingBytes) + " bytes follow its end" : "");
    if (quality.clean())
        return (gap.empty() ? "nothing was lost" : "incomplete: " + gap) + order;
    std::string text = gap.empty() ? "" : "incomplete: " + gap + "; ";
    text += formatCount(static_cast<std::int64_t>(quality.droppedEvents)) + " events dropped, " +
            formatCount(static_cast<std::int64_t>(quality.zeroTimestamps)) + " without time, " +
            formatCount(static_cast<std::int64_t>(quality.outOfOrder)) + " out of order, " +
            formatCount(static_cast<std::int64_t>(quality.clipped)) + " beyond the limit of a sample";
    return text + order;
}

/// The end of a whole recording belongs to it, also the spans of no length that lie there.
std::vector<profiling::SpanStats> statisticsIn(const profiling::Trace& trace, profiling::NsRange window) {
    return trace.statistics(window.startNs, window.endNs + (window.endNs == trace.endNs() ? 1 : 0), {});
}

} // namespace

Result<profiling::RunFile> readGivenRunFile(const std::string& path) {
    MemoryBudget budget;
    return readGivenRunFile(path, budget);
}

Result<profiling::RunFile> readGivenRunFile(const std::string& path, MemoryBudget& budget) {
    if (const Status status = keepStreamsOff({path}); !status)
        return status.error();
    auto file = profiling::readRunFile(path, budget);
    if (file && file->unreadable())
        return *file->damage;
    if (file && file->damage)
        reportWarning(path + " is " + profiling::stateOf(*file).sentence());
    if (file)
        return file;
    return givenFileError(file.error(), "give a run file, as heteroscope-cli run --out writes it");
}

void putState(Json& record, const profiling::RunFile& file) {
    const profiling::RunFileState state = profiling::stateOf(file);
    record["state"] = state.name();
    record["state_sentence"] = state.sentence();
    if (state.damage)
        record["damage"] = state.damage->sentence();
    if (state.trailingBytes > 0)
        record["trailing_bytes"] = state.trailingBytes;
}

void warnIfNotWhole(const profiling::RunFile& file, const std::string& path) {
    const profiling::RunFileState state = profiling::stateOf(file);
    if (!state.whole() && !state.damage)
        reportWarning(path + " is " + state.sentence());
}

ExitCode readingEnds(ExitCode code, const profiling::RunFile& file) {
    return code == ExitCode::Done && file.damage ? ExitCode::BadInput : code;
}

Json runFileInfo(const profiling::RunFile& file) {
    const profiling::Study& study = file.study;
    Json record = {{"name", study.name()},
                   {"id", study.id},
                   {"program", study.program},
                   {"version", study.version},
                   {"started_utc", study.startedUtc},
                   {"end_status", study.endStatus},
                   {"end_reason", study.endReason},
                   {"bytes_read", file.bytesRead},
                   {"whole_bytes", file.wholeBytes},
                   {"runs", study.runs.size()},
                   {"runs_by_status", runCounts(file)},
                   {"samples", sampleCount(study)},
                   {"tracks", trackList(*file.trace)},
                   {"spans", file.trace->spanCount()},
                   {"counter_points", file.trace->counterCount()},
                   {"trace_ns", file.trace->endNs() - file.trace->startNs()},
                   {"data_quality", qualityRecord(file)}};
    if (study.environment.contains("import")) // of another program's trace
        record["import"] = study.environment.at("import");
    if (const auto doing = profiling::stateOf(file).activity; !doing.empty())
        record["activity"] = doing;
    putState(record, file);
    return record;
}

std::string runFileInfoText(const profiling::RunFile& file) {
    const Json record = runFileInfo(file);
    const profiling::Study& study = file.study;
    std::string runs = std::to_string(study.runs.size());
    for (const auto& [status, count] : record["runs_by_status"].items())
        runs += ", " + count.dump() + " " + status;
    std::string state = profiling::stateOf(file).sentence();
    if (profiling::stateOf(file).whole())
        state += ", ended as " + study.endStatus + (study.endReason.empty() ? "" : ": " + study.endReason);
    std::string text = textTable({{"study", study.name()},
                                  {"id", study.id},
                                  {"written by", study.program + " " + study.version},
                                  {"started", study.startedUtc},
                                  {"state", state},
                                  {"runs", runs},
                                  {"samples", record["samples"].dump()},
                                  {"tracks", std::to_string(file.trace->trackCount())},
                                  {"spans", formatCount(static_cast<std::int64_t>(file.trace->spanCount()))},
                                  {"trace", formatDurationNs(record["trace_ns"].get<double>())},
                                  {"quality", qualityText(file)}});
    for (const std::string& note : file.trace->quality().notes)
        text += "  " + printable(note) + "\n"; // one line each, whatever a note quotes
    return text;
}

Json spanStatistics(const profiling::Trace& trace, profiling::NsRange window) {
    Json list = Json::array();
    for (const auto& stat : statisticsIn(trace, window))
        list.push_back({{"name", trace.string(stat.name)},
                        {"category", trace.string(stat.category)},
                        {"count", stat.count},
                        {"total_ns", stat.totalNs},
                        {"min_ns", stat.minNs},
                        {"max_ns", stat.maxNs}});
    Json tracks = Json::array();
    for (profiling::TrackId id = 0; id < trace.trackCount(); ++id) {
        const std::int64_t busy = trace.busyNs(id, window.startNs, window.endNs);
        tracks.push_back({{"name", trace.string(trace.track(id).name)},
                          {"spans", trace.spanCount(id)},
                          {"busy_ns", busy},
                          {"idle_ns", window.lengthNs() - busy}});
    }
    return {{"wall_ns", window.lengthNs()}, {"tracks", tracks}, {"spans", list}};
}

namespace {

std::string shareText(double part, double whole) {
    return whole > 0 ? profiling::shareText(part / whole) : "-";
}

/// Per track the union of its spans and the rest: together the wall time.
std::string trackBreakdownText(const profiling::Trace& trace, profiling::NsRange window) {
    const auto wall = static_cast<double>(window.lengthNs());
    std::vector<std::vector<std::string>> rows{
        headings({"row_name", "span_count", "row_busy", "row_share", "row_idle"})};
    for (profiling::TrackId id = 0; id < trace.trackCount(); ++id) {
        if (trace.spanCount(id) == 0)
            continue; // groups and counters
        const auto busy = static_cast<double>(trace.busyNs(id, window.startNs, window.endNs));
        rows.push_back({trace.string(trace.track(id).name),
                        formatCount(static_cast<std::int64_t>(trace.spanCount(id))), formatDurationNs(busy),
                        shareText(busy, wall), formatDurationNs(wall - busy)});
    }
    return textTable(rows);
}

} // namespace

std::string samplePartsText(const std::vector<profiling::SampleParts>& all) {
    std::string text;
    for (const profiling::SampleParts& parts : all)
        text += parts.target + (parts.point.empty() ? "" : ", " + parts.point.text()) + ": " +
                parts.sentence() + "\n";
    return text.empty()
               ? text
               : "\nTraced samples on the processor: operations, copies outside of them and the rest "
                 "add up to a repetition;\nthe rest is between operations, and what recording takes "
                 "there\n" +
                     text;
}

Json samplePartsJson(const std::vector<profiling::SampleParts>& all) {
    Json list = Json::array();
    for (const profiling::SampleParts& parts : all)
        list.push_back({{"run", parts.run},
                        {"target", parts.target},
                        {"repetitions", parts.repetitions},
                        {"recorded_share", parts.recordedShare},
                        {"wall_ns", parts.wallNs},
                        {"operations_ns", parts.operationsNs},
                        {"copies_ns", parts.copiesNs},
                        {"rest_ns", parts.restNs},
                        {"spans_left_out", parts.spansLeftOut},
                        {"left_out", parts.leftOut ? Json(*parts.leftOut) : Json(nullptr)},
                        {"untraced_ms", parts.untracedMs > 0 ? Json(parts.untracedMs) : Json(nullptr)}});
    return list;
}

std::string spanStatisticsText(const profiling::Trace& trace, profiling::NsRange window) {
    const auto wall = static_cast<double>(window.lengthNs());
    std::vector<std::vector<std::string>> rows{
        headings({"span_name", "span_category", "span_count", "span_total", "span_share", "span_mean",
                  "span_smallest", "span_largest"})};
    for (const auto& stat : statisticsIn(trace, window)) {
        const auto count = static_cast<double>(stat.count);
        rows.push_back({trace.string(stat.name), trace.string(stat.category),
                        formatCount(static_cast<std::int64_t>(stat.count)),
                        formatDurationNs(static_cast<double>(stat.totalNs)),
                        shareText(static_cast<double>(stat.totalNs), wall),
                        formatDurationNs(count > 0 ? static_cast<double>(stat.totalNs) / count : 0.0),
                        formatDurationNs(static_cast<double>(stat.minNs)),
                        formatDurationNs(static_cast<double>(stat.maxNs))});
    }
    const bool whole = window.startNs == trace.startNs() && window.endNs == trace.endNs();
    return "wall time " + formatDurationNs(wall) +
           (whole ? ", from the first event to the last" : ", the chosen part of the recording") +
           "; every share is of it\n\n"
           "Tracks: busy is the time with at least one span open; busy + idle = wall time\n" +
           trackBreakdownText(trace, window) +
           "\nSpans by name: nested and parallel spans count in each of their rows, so rows overlap and do "
           "not "
           "add up\n" +
           textTable(rows);
}

std::string spanStatisticsCsv(const profiling::Trace& trace, profiling::NsRange window) {
    CellTable table;
    table.line({"name", "category", "count", "total_ns", "min_ns", "max_ns"});
    for (const auto& stat : statisticsIn(trace, window)) {
        table.cell(trace.string(stat.name)).cell(trace.string(stat.category)).cell(stat.count);
        table.cell(stat.totalNs).cell(stat.minNs).cell(stat.maxNs);
        table.endLine();
    }
    return table.text();
}

} // namespace heteroscope::cli
