// SPDX-License-Identifier: Apache-2.0
// The trace store in numbers: open a run file, query a row, append while a reader queries, import Chrome
// JSON, record a host span. Prints one table; arguments: [spans in millions] [tracks].
#include "compute/base/clock.h"
#include "profiling/collectors/host_collector.h"
#include "profiling/io/chrome_json.h"
#include "profiling/stream/stream_reader.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace heteroscope::profiling {
namespace {

constexpr double kNsPerS = 1e9;

double secondsSince(std::int64_t startNs) {
    return static_cast<double>(steadyNowNs() - startNs) / kNsPerS;
}

void line(const char* what, double value, const char* unit, const char* goal) {
    std::printf("%-58s %12.3f  %-12s %s\n", what, value, unit, goal);
}

/// Sixteen short spans of 50 to 980 ns inside each outer one, as layers and their operations.
std::vector<Span> spansOfTrack(TrackId track, std::size_t count) {
    std::vector<Span> spans;
    spans.reserve(count);
    std::uint64_t random = 88172645463325252ull + track;
    for (std::size_t i = 0; i < count; ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const auto base = static_cast<std::int64_t>(i / 17) * 17000;
        const auto inner = static_cast<std::int64_t>(i % 17);
        if (inner == 0)
            spans.push_back({track, base, 16900, 1, 0, 0, 0});
        else
            spans.push_back({track, base + (inner - 1) * 1000 + 10,
                             50 + static_cast<std::int64_t>(random % 930),
                             static_cast<StringId>(2 + random % 24), 0, 0, 1});
    }
    return spans;
}

class DiscardSink : public FrameSink {
  public:
    Status write(std::span<const std::uint8_t>) override { return {}; }
    Status flush() override { return {}; }
};

std::string temporary(const char* suffix) {
    return (std::filesystem::temp_directory_path() /
            ("heteroscope-bench-" + std::to_string(::getpid()) + suffix))
        .string();
}

bool writeFile(const std::string& path, std::size_t spans, TrackId tracks) {
    auto sink = openFileSink(path);
    if (!sink)
        return false;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::move(*sink));
    StreamWriter writer(std::move(sinks));
    (void)writer.begin({});
    StringsChunk names{1, {}};
    for (int i = 1; i < 30; ++i)
        names.texts.push_back("operation " + std::to_string(i));
    (void)writer.strings(names);
    std::vector<Track> definitions;
    for (TrackId id = 0; id < tracks; ++id)
        definitions.push_back({id, kNoTrack, TrackKind::Thread, 1, 0, 0});
    (void)writer.tracks(definitions);
    for (TrackId id = 0; id < tracks; ++id)
        (void)writer.spans(spansOfTrack(id, spans / tracks));
    (void)writer.end("done", "");
    return writer.status().ok();
}

std::shared_ptr<Trace> openFile(const std::string& path) {
    const std::int64_t start = steadyNowNs();
    auto file = readRunFile(path);
    const double seconds = secondsSince(start);
    if (!file || file->damage)
        return nullptr;
    const auto count = static_cast<double>(file->trace->spanCount());
    line("open a run file", seconds, "s", "<= 5 for 10 M");
    line("open a run file", count / seconds / 1e6, "M spans/s", ">= 2");
    line("run file", static_cast<double>(file->bytesRead) / count, "bytes/span", "");
    line("memory", static_cast<double>(file->trace->memoryBytes()) / count, "bytes/span", "<= 64, aim 40");
    return file->trace;
}

/// Rows of 2000 pixels at every zoom from all to a few spans.
void queryRows(const Trace& trace) {
    constexpr double kPixels = 2000;
    constexpr int kRepeats = 3;
    double worst = 0, warmWorst = 0, total = 0, worstPixel = 0;
    std::size_t queries = 0;
    std::vector<DrawSpan> out;
    for (std::int64_t width = trace.endNs() - trace.startNs(); width > 20000; width = width * 2 / 3)
        for (TrackId track = 0; track < trace.trackCount(); track += 7) {
            const std::int64_t middle = trace.startNs() + (trace.endNs() - trace.startNs()) / 3;
            const std::int64_t from = std::max(trace.startNs(), middle - width / 2);
            double best = 0;
            for (int repeat = 0; repeat < kRepeats; ++repeat) {
                const std::int64_t start = steadyNowNs();
                for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane) {
                    out.clear();
                    trace.query(track, lane, from, from + width, static_cast<double>(width) / kPixels, out);
                }
                const double ms = secondsSince(start) * 1e3 / trace.laneCount(track);
                worst = std::max(worst, ms);
                best = repeat ? std::min(best, ms) : ms;
                total += ms;
                ++queries;
            }
            if (best > warmWorst)
                worstPixel = static_cast<double>(width) / kPixels;
            warmWorst = std::max(warmWorst, best);
        }
    line("query of a row of 2000 px, mean over zooms", total / static_cast<double>(queries), "ms", "<= 0.2");
    line("query of a row of 2000 px, slowest", worst, "ms", "");
    line("query of a row of 2000 px, slowest of the best of three", warmWorst, "ms", "<= 0.2");
    line("  its pixel", worstPixel, "ns", "");
    const std::int64_t start = steadyNowNs();
    const auto stats = trace.statistics(trace.startNs() + 5, trace.endNs() - 5, {});
    line("statistics of everything", secondsSince(start) * 1e3, "ms", "");
    const std::int64_t search = steadyNowNs();
    (void)trace.search("operation 7", 1000);
    line("search in everything", secondsSince(search) * 1e3, "ms", "");
}

void appendWhileReading(std::size_t spans, TrackId tracks) {
    Trace trace;
    std::atomic<bool> done{false};
    std::atomic<std::uint64_t> frames{0};
    for (TrackId id = 0; id < tracks; ++id)
        trace.addTrack({});
    std::vector<std::vector<Span>> made;
    for (TrackId id = 0; id < tracks; ++id)
        made.push_back(spansOfTrack(id, spans / tracks));
    std::thread reader([&] {
        std::vector<DrawSpan> out;
        while (!done.load()) {
            out.clear();
            const double pixel = static_cast<double>(trace.endNs() - trace.startNs()) / 2000 + 1;
            for (TrackId track = 0; track < tracks; ++track)
                for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane)
                    trace.query(track, lane, trace.startNs(), trace.endNs() + 1, pixel, out);
            ++frames;
        }
    });
    const std::int64_t start = steadyNowNs();
    constexpr std::size_t kPiece = 512;
    std::uint64_t appended = 0;
    for (std::size_t at = 0; at < made[0].size(); at += kPiece) {
        for (const auto& track : made) {
            const std::size_t count = std::min(kPiece, track.size() - at);
            trace.appendBatch(track.data() + at, count);
            appended += count;
        }
        trace.publish();
    }
    const double seconds = secondsSince(start);
    done = true;
    reader.join();
    line("append with a reader that draws every row", static_cast<double>(appended) / seconds / 1e6,
         "M spans/s", ">= 5");
    line("draw lists of all rows meanwhile", static_cast<double>(frames) / seconds, "a second", ">= 30");
}

void importJson() {
    std::string text = "{\"traceEvents\":[";
    for (int i = 0; i < 1000000; ++i)
        text += std::string(i ? ",\n" : "\n") + "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"kernel_" +
                std::to_string(i % 40) + "(float*, int)\",\"pid\":1,\"tid\":" + std::to_string(i % 16) +
                ",\"ts\":" + std::to_string(i) + "." + std::to_string(100 + i % 900) +
                ",\"dur\":3.25,\"args\":{\"correlation\":" + std::to_string(i) +
                ",\"bytes\":4096,\"grid\":[4,1,1],\"block\":[256,1,1],\"registers per thread\":16}}";
    text += "]}";
    Trace trace;
    const std::int64_t start = steadyNowNs();
    const auto report = importChromeJsonText(text, trace);
    const double seconds = secondsSince(start);
    if (!report || report->events != 1000000)
        std::exit(1);
    line("import of Chrome JSON, 1 M events with 5 arguments",
         static_cast<double>(text.size()) / seconds / 1e6, "MB/s", ">= 100, aim 180");
}

void recordHostSpans() {
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<DiscardSink>());
    StreamWriter writer(std::move(sinks));
    HostCollector collector(writer);
    const TrackId track = collector.addTrack("main", TrackKind::Thread);
    constexpr int kRounds = 60, kSpans = 20000;
    std::int64_t recording = 0, stamping = 0, sink = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::int64_t start = steadyNowNs();
        for (int i = 0; i < kSpans; ++i)
            collector.record({track, i, 1, 0, 0, 0, 0});
        recording += steadyNowNs() - start;
        const std::int64_t clocks = steadyNowNs();
        for (int i = 0; i < kSpans; ++i)
            sink += steadyNowNs();
        stamping += steadyNowNs() - clocks;
        collector.flush();
    }
    constexpr double kAll = double{kRounds} * kSpans;
    line("record a host span, without time stamps", static_cast<double>(recording) / kAll, "ns", "<= 25");
    line("one time stamp of the clock", static_cast<double>(stamping) / kAll, "ns", sink ? "" : " ");
    line("dropped meanwhile", static_cast<double>(collector.dropped()), "spans", "0");
}

} // namespace
} // namespace heteroscope::profiling

int main(int argc, char** argv) {
    using namespace heteroscope::profiling;
    const std::size_t spans = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 10) * 1000000;
    const auto tracks = static_cast<TrackId>(argc > 2 ? std::atoi(argv[2]) : 64);
    std::printf("%zu M spans on %u tracks\n", spans / 1000000, tracks);
    const std::string path = temporary(".hscope");
    if (!writeFile(path, spans, tracks))
        return 1;
    if (const auto trace = openFile(path))
        queryRows(*trace);
    std::filesystem::remove(path);
    appendWhileReading(spans, tracks);
    importJson();
    recordHostSpans();
    return 0;
}
