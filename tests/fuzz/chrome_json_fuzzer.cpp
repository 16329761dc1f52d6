// SPDX-License-Identifier: Apache-2.0
// Any text as a Chrome trace; what was read is asked for drawing. The exporter is not covered here.
#include "profiling/io/chrome_json.h"

using namespace heteroscope::profiling;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Trace trace;
    if (!importChromeJsonText({reinterpret_cast<const char*>(data), size}, trace))
        return 0;
    std::vector<DrawSpan> spans;
    for (TrackId track = 0; track < trace.trackCount(); ++track)
        for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane)
            trace.query(track, lane, trace.startNs(), trace.endNs(), 1000.0, spans);
    trace.forEachSpan([&](SpanRef ref, const Span& span) {
        (void)trace.args(span.args);
        (void)trace.flowsOf(ref);
        return true;
    });
    return 0;
}
