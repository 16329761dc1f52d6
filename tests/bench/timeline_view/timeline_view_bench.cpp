// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the whole timeline view while zooming and panning through 10 M spans on 64 tracks, and the
// rates of painting and appending while a trace grows. Run it in release with QT_QPA_PLATFORM=offscreen:
//   bench_timeline_view [spans] [tracks] [live seconds]
#include "ui/common/theme.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_state.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

using namespace heteroscope;
using namespace heteroscope::ui;
using profiling::Span;
using profiling::StringId;
using profiling::Trace;
using profiling::TrackId;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<TrackId> addTracks(Trace& trace, int count) {
    std::vector<TrackId> tracks;
    const TrackId group =
        trace.addTrack({0, profiling::kNoTrack, profiling::TrackKind::Group, trace.intern("process"), 0, 0});
    for (int i = 0; i < count; ++i)
        tracks.push_back(trace.addTrack(
            {0, group, profiling::TrackKind::Thread, trace.intern("Thread " + std::to_string(i)), 0, i}));
    return tracks;
}

std::vector<StringId> addNames(Trace& trace) {
    std::vector<StringId> names;
    for (int i = 0; i < 40; ++i)
        names.push_back(trace.intern("layer_" + std::to_string(i) + "_forward_kernel"));
    return names;
}

/// Spans one after another on each track with irregular lengths and gaps; nested in pairs on one in four.
std::shared_ptr<Trace> makeTrace(std::size_t spans, int tracks) {
    auto trace = std::make_shared<Trace>();
    const std::vector<TrackId> ids = addTracks(*trace, tracks);
    const std::vector<StringId> names = addNames(*trace);
    const StringId category = trace->intern("kernel");
    std::mt19937 random(35);
    std::vector<Span> batch;
    for (std::size_t t = 0; t < ids.size(); ++t) {
        std::int64_t now = static_cast<std::int64_t>(random() % 1000);
        for (std::size_t left = spans / ids.size(); left > 0;) {
            batch.clear();
            for (; left > 0 && batch.size() < 65536; --left) {
                const auto length = static_cast<std::int64_t>(50 + random() % 4000);
                batch.push_back({ids[t], now, length, names[random() % names.size()], category, 0, 0});
                if (t % 4 == 0 && left > 1) {
                    batch.push_back({ids[t], now + length / 4, length / 2, names[random() % names.size()],
                                     category, 0, 1});
                    --left;
                }
                now += length + static_cast<std::int64_t>(random() % 600) +
                       (random() % 5000 == 0 ? 4'000'000 : 0);
            }
            trace->appendBatch(batch.data(), batch.size());
        }
    }
    trace->publish();
    return trace;
}

struct Bench {
    TimelineView view;
    TimelineState* state = nullptr;
    TimelineCanvas* canvas = nullptr;
    std::vector<double> frames;

    explicit Bench(std::shared_ptr<Trace> trace) {
        view.resize(1920, 1080);
        view.show();
        view.setTrace(std::move(trace), QStringLiteral("benchmark"));
        state = view.findChild<TimelineState*>();
        canvas = view.findChild<TimelineCanvas*>();
        QApplication::processEvents();
    }

    /// One change by the user and everything it repaints.
    template <class Change>
    void frame(Change change) {
        const auto start = Clock::now();
        change();
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        frames.push_back(secondsSince(start) * 1e3);
    }

    void script() {
        std::mt19937 random(7);
        const double width = state->axis().width();
        for (int round = 0; round < 12; ++round) {
            const double at = width * (0.1 + 0.8 * (random() % 1000) / 1000.0);
            for (int i = 0; i < 40; ++i)
                frame([&] { state->zoomAt(at, 1.35); });
            for (int i = 0; i < 20; ++i)
                frame([&] { state->panBy(i % 2 ? 37.0 : 61.0); });
            for (int i = 0; i < 10; ++i)
                frame([&] { state->setScrollY(state->scrollY() + 40); });
            for (int i = 0; i < 40; ++i)
                frame([&] { state->zoomAt(at, 1.0 / 1.35); });
            for (int i = 0; i < 10; ++i)
                frame([&] { state->panBy(round % 2 ? 200.0 : -200.0); });
            frame([&] { state->fitAll(); });
            state->setScrollY(0);
        }
    }
};

double quantile(std::vector<double>& sorted, double q) {
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
}

void printFrames(const char* what, std::vector<double> frames) {
    std::sort(frames.begin(), frames.end());
    std::printf(
        "%s: %zu frames, ms: min %.2f, p25 %.2f, median %.2f, p75 %.2f, p90 %.2f, p99 %.2f, max %.2f\n", what,
        frames.size(), frames.front(), quantile(frames, 0.25), quantile(frames, 0.5), quantile(frames, 0.75),
        quantile(frames, 0.9), quantile(frames, 0.99), frames.back());
}

void benchBrowsing(std::size_t spans, int tracks) {
    auto start = Clock::now();
    auto trace = makeTrace(spans, tracks);
    std::printf("%llu spans on %d tracks made in %.2f s, %.1f bytes a span\n",
                static_cast<unsigned long long>(trace->spanCount()), tracks, secondsSince(start),
                static_cast<double>(trace->memoryBytes()) / static_cast<double>(trace->spanCount()));
    start = Clock::now();
    Bench bench(trace);
    std::printf("first picture of the view: %.1f ms\n", secondsSince(start) * 1e3);
    bench.script();
    printFrames("zoom and pan, 1920x1080", bench.frames);
}

/// Appends about `rate` spans a second until told to stop, publishing every 20 ms.
void appendLive(Trace& trace, const std::vector<TrackId>& tracks, const std::vector<StringId>& names,
                double rate, const std::atomic<bool>& stop, std::atomic<std::uint64_t>& appended) {
    constexpr double kPublishS = 0.020;
    std::vector<std::int64_t> now(tracks.size(), 0);
    std::vector<Span> batch;
    const auto start = Clock::now();
    std::uint64_t total = 0;
    for (int step = 1; !stop; ++step) {
        const auto due = static_cast<std::uint64_t>(rate * kPublishS * step);
        batch.clear();
        for (; total < due; ++total) {
            const std::size_t t = total % tracks.size();
            batch.push_back({tracks[t], now[t], 9'000, names[total / tracks.size() % names.size()], 0, 0, 0});
            now[t] += 12'800;
        }
        trace.appendBatch(batch.data(), batch.size());
        trace.publish();
        appended = total;
        std::this_thread::sleep_until(start + std::chrono::duration<double>(kPublishS * step));
    }
}

void benchLive(int tracks, double seconds) {
    auto trace = std::make_shared<Trace>();
    const std::vector<TrackId> ids = addTracks(*trace, tracks);
    const std::vector<StringId> names = addNames(*trace);
    trace->publish();
    Bench bench(trace);
    bench.view.setLive(true);
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> appended{0};
    const auto start = Clock::now();
    std::thread writer([&] { appendLive(*trace, ids, names, 5e6, stop, appended); });
    std::uint64_t painted = 0, revision = 0;
    while (secondsSince(start) < seconds) {
        if (trace->revision() == revision) { // nothing new: give the processor away until there is
            std::this_thread::yield();
            continue;
        }
        revision = trace->revision();
        bench.frame([&] { bench.view.traceGrew(); });
        ++painted;
        if (painted == 20) // follow a window of the newest part as a user would
            bench.state->zoomAt(900.0, 8.0);
    }
    const double took = secondsSince(start);
    stop = true;
    writer.join();
    std::printf(
        "live: %.2f M spans/s appended, %.1f frames/s painted over %.1f s (each frame showed new spans)\n",
        static_cast<double>(appended) / took / 1e6, static_cast<double>(painted) / took, took);
    printFrames("live frames", bench.frames);
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    Theme::instance().apply(ColorScheme::Dark);
    const auto spans = static_cast<std::size_t>(argc > 1 ? std::atoll(argv[1]) : 10'000'000);
    const int tracks = argc > 2 ? std::atoi(argv[2]) : 64;
    const double seconds = argc > 3 ? std::atof(argv[3]) : 6.0;
    benchBrowsing(spans, tracks);
    benchLive(tracks, seconds);
    return 0;
}
