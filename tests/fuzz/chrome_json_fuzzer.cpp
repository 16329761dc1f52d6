// SPDX-License-Identifier: Apache-2.0
// Any text as a Chrome trace. What was read is asked for drawing, written again, and must obey the rules of
// the viewers; read once more, it holds the same spans and points.
#include "profiling/io/chrome_json.h"
#include "tests/support/chrome_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace heteroscope::profiling;

namespace {

void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

std::string written(const Trace& trace) {
    std::string text;
    require(writeChromeJson(trace,
                            [&](std::string_view piece) {
                                text += piece;
                                return true;
                            }),
            "a trace can be written");
    return text;
}

/// Spans and points without the rows they lie in: spans that overlap get rows of their own.
std::vector<std::string> contents(const Trace& trace) {
    std::vector<std::string> all;
    trace.forEachSpan([&](SpanRef, const Span& span) {
        std::string text = trace.string(span.name) + '\0' + trace.string(span.category) + '\0' +
                           std::to_string(span.startNs) + '+' + std::to_string(span.durationNs);
        for (const auto& [key, value] : trace.args(span.args))
            text += '\0' + key + '\0' + value;
        all.push_back(std::move(text));
        return true;
    });
    trace.forEachCounter([&](TrackId, const CounterPoint& point) {
        if (std::isfinite(point.value))
            all.push_back(std::to_string(point.timeNs) + ": " + std::to_string(point.value));
        return true;
    });
    std::sort(all.begin(), all.end());
    return all;
}

void draw(const Trace& trace) {
    std::vector<DrawSpan> spans;
    for (TrackId track = 0; track < trace.trackCount(); ++track)
        for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane)
            trace.query(track, lane, trace.startNs(), trace.endNs(), 1000.0, spans);
    trace.forEachSpan([&](SpanRef ref, const Span&) {
        (void)trace.flowsOf(ref);
        return true;
    });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Trace trace;
    if (!importChromeJsonText({reinterpret_cast<const char*>(data), size}, trace))
        return 0;
    draw(trace);
    const std::string text = written(trace);
    const auto problems = heteroscope::test::brokenChromeRules(text);
    require(problems.empty(), problems.empty() ? "" : problems.front().c_str());
    Trace again;
    const auto report = importChromeJsonText(text, again);
    require(report.ok(), "what was written can be read");
    require(report->skipped == 0 && report->notes.empty(), "nothing of what was written is left out");
    require(contents(again) == contents(trace), "spans and points come back the same");
    require(again.flowCount() <= trace.flowCount(), "no flow is invented");
    Trace third;
    require(importChromeJsonText(written(again), third).ok(), "it can be written and read once more");
    require(contents(third) == contents(again), "spans and points come back the same once more");
    require(third.flowCount() == again.flowCount(), "flows that came back once come back again");
    return 0;
}
