// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/sample_parts.h"

#include "compute/base/axis_name.h"
#include "compute/base/units.h"
#include "profiling/analysis/device_time.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/op_repetitions.h"
#include "profiling/analysis/run_time.h"
#include "profiling/analysis/traced_ranges.h"

#include <algorithm>
#include <map>

namespace heteroscope::profiling {
namespace {

/// All of a trace, whatever run they belong to.
struct HostSpans {
    TimeSet operations, copies;
};

HostSpans hostSpans(const Trace& trace) {
    std::vector<NsRange> operations, copies;
    std::map<StringId, bool> isOperation;
    for (TrackId id = 0; id < trace.trackCount(); ++id) {
        const TrackKind kind = trace.track(id).kind;
        if (kind != TrackKind::Thread && kind != TrackKind::Copy)
            continue;
        trace.forEachSpanByStart(id, [&](SpanRef, const Span& span) {
            const NsRange range{span.startNs, span.startNs + span.durationNs};
            const auto [entry, isNew] = isOperation.try_emplace(span.category, false);
            if (isNew) {
                const std::string category = trace.string(span.category);
                entry->second = category == "op" || category == "reorder";
            }
            if (kind == TrackKind::Copy)
                copies.push_back(range);
            else if (entry->second)
                operations.push_back(range);
            return true;
        });
    }
    HostSpans spans{unionOf(std::move(operations)), unionOf(std::move(copies))};
    spans.copies = difference(spans.copies, spans.operations);
    return spans;
}

/// Of files whose samples do not count it, by the recorder's notes on a run that say it: "run 3 (cpu/openmp):
/// 512 windows of a sample lie beyond ...".
bool noteSaysLeftOut(const Trace& trace, const StudyRun& run) {
    const std::string begin = "run " + std::to_string(run.run) + " (";
    const auto notes = trace.quality().notes;
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
        return note.starts_with(begin) && note.find(" beyond the first ") != std::string::npos;
    });
}

std::string timeText(double ms) {
    return formatDurationNs(ms * 1e6);
}

} // namespace

double SampleParts::recordedMs() const {
    return repetitions > 0 ? static_cast<double>(wallNs) * 1e-6 / static_cast<double>(repetitions) : 0.0;
}

std::string SampleParts::sentence() const {
    const auto part = [&](std::int64_t ns) {
        return timeText(repetitions > 0 ? static_cast<double>(ns) * 1e-6 / static_cast<double>(repetitions)
                                        : 0.0);
    };
    std::string text = recordedShare < 1
                           ? "recorded part of a repetition, " + shareText(recordedShare) + " of it, "
                           : std::string("mean of the recorded samples ");
    text += timeText(recordedMs()) + ": operations " + part(operationsNs) +
            (copiesNs > 0 ? ", copies " + part(copiesNs) : "") + ", rest " + part(restNs) +
            (spansLeftOut ? " with the operations whose spans were left out" : "");
    return untracedMs > 0
               ? text + "; median untraced " + (recordedShare < 1 ? "repetition " : "") + timeText(untracedMs)
               : text;
}

std::vector<SampleParts> sampleParts(const Trace& trace, const Study& study, NsRange window) {
    std::vector<SampleParts> all;
    const HostSpans spans = hostSpans(trace);
    for (const StudyRun& run : study.runs) {
        if (onDevice(run.target))
            continue;
        SampleParts parts;
        std::vector<NsRange> ranges;
        for (const StudySample& sample : run.samples) {
            const NsRange range = inside(sampleRange(sample), window);
            if (!sample.traced || sample.warmup || range.lengthNs() == 0)
                continue;
            ranges.push_back(range);
            parts.repetitions += std::max(1, sample.repetitions);
            if (sample.leftOut)
                parts.leftOut = parts.leftOut.value_or(0) + *sample.leftOut;
        }
        if (ranges.empty())
            continue;
        const TimeSet range = unionOf(std::move(ranges));
        parts.run = run.run;
        parts.target = run.target;
        parts.point = pointPhrase(run.point);
        parts.wallNs = lengthNs(range);
        parts.operationsNs = lengthNs(intersection(spans.operations, range));
        parts.copiesNs = lengthNs(intersection(spans.copies, range));
        parts.restNs = parts.wallNs - parts.operationsNs - parts.copiesNs;
        parts.untracedMs = runTimeMs(run);
        parts.recordedShare = tracedShare(run).value_or(1);
        parts.spansLeftOut = parts.leftOut ? *parts.leftOut > 0 : noteSaysLeftOut(trace, run);
        all.push_back(std::move(parts));
    }
    return all;
}

} // namespace heteroscope::profiling
