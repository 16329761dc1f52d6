// SPDX-License-Identifier: Apache-2.0
// Any bytes as a stream, fed in two pieces: frames, study and trace. Frames that fail their checksum are
// given a right one, so that mutations reach what lies behind it.
#include "profiling/stream/crc32c.h"
#include "profiling/stream/stream_reader.h"

#include <cstring>
#include <vector>

using namespace heteroscope::profiling;

namespace {

void repairFrames(std::vector<std::uint8_t>& bytes) {
    std::size_t at = kFileHeaderBytes;
    while (at + kFrameHeaderBytes <= bytes.size()) {
        std::uint32_t length = 0;
        std::memcpy(&length, bytes.data() + at, sizeof length);
        if (length > bytes.size() - at - kFrameHeaderBytes)
            return;
        const std::uint32_t crc = crc32c({bytes.data() + at + kFrameHeaderBytes, length});
        std::memcpy(bytes.data() + at + 8, &crc, sizeof crc);
        at += kFrameHeaderBytes + length;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> bytes(data, data + size);
    if (size > kFileHeaderBytes && data[size - 1] % 2 == 0)
        repairFrames(bytes);
    StreamReader reader("fuzz");
    StudyBuilder study;
    Trace trace;
    TraceBuilder builder(trace);
    const std::size_t half = bytes.size() / 2;
    reader.feed(std::span(bytes).first(half));
    for (int piece = 0; piece < 2; ++piece) {
        for (auto frame = reader.next(); frame && *frame; frame = reader.next())
            if (!study.apply(**frame) || !builder.apply(**frame))
                return 0;
        trace.publish();
        reader.feed(std::span(bytes).subspan(half));
    }
    std::vector<DrawSpan> spans;
    std::vector<CounterBin> bins;
    for (TrackId track = 0; track < trace.trackCount(); ++track) {
        for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane)
            trace.query(track, lane, trace.startNs(), trace.endNs(), 100.0, spans);
        trace.queryCounter(track, trace.startNs(), trace.endNs(), 100.0, bins);
        (void)trace.busyNs(track, trace.startNs(), trace.endNs());
    }
    (void)trace.statistics(trace.startNs(), trace.endNs(), {});
    return 0;
}
