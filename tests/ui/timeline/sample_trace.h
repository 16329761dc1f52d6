// SPDX-License-Identifier: GPL-3.0-or-later
// Traces for tests: a study like those the command line writes, and small exact ones.
#pragma once

#include "profiling/trace/trace.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace heteroscope::ui::test {

using namespace heteroscope::profiling;

class StudyTrace {
  public:
    StudyTrace() : trace(std::make_shared<Trace>()) {
        const TrackId host = track("heteroscope-cli (pid 4711)", kNoTrack, TrackKind::Group);
        main = track("Main thread", host, TrackKind::Thread);
        const TrackId team = track("OpenMP team", host, TrackKind::Group);
        for (int i = 0; i < 4; ++i)
            threads.push_back(track("Thread " + std::to_string(i), team, TrackKind::Thread));
        memory = track("Resident memory", host, TrackKind::Counter, "B");
        bandwidth = track("Memory bandwidth", host, TrackKind::Counter, "B/s");
        overhead = track("Profiler overhead", kNoTrack, TrackKind::Overhead);
        fill();
        trace->publish();
    }

    TrackId track(const std::string& name, TrackId parent, TrackKind kind, const std::string& unit = {}) {
        Track t;
        t.parent = parent;
        t.kind = kind;
        t.name = trace->intern(name);
        t.unit = trace->intern(unit);
        return trace->addTrack(t);
    }

    SpanRef span(TrackId on, std::int64_t start, std::int64_t duration, const std::string& name,
                 const std::string& category, int depth = -1, std::uint32_t args = 0) {
        return trace->append({on, start, duration, trace->intern(name), trace->intern(category), args,
                              static_cast<std::int16_t>(depth)});
    }

    std::shared_ptr<Trace> trace;
    TrackId main = 0, memory = 0, bandwidth = 0, overhead = 0;
    std::vector<TrackId> threads;
    SpanRef launch, work; ///< joined by a flow
    std::int64_t endNs = 0;

  private:
    void fill() {
        std::int64_t now = 1'000'000;
        const char* const targets[] = {"cpu/sequential", "cpu/openmp?threads=4", "cpu/onednn"};
        for (int size : {256, 512, 1024})
            for (const char* target : targets)
                now = run(now, size, target);
        endNs = now;
        span(main, 500'000, now, "Max pooling, size sweep", "study", 0);
        for (int i = 0; i < 400; ++i) {
            const std::int64_t at = 500'000 + i * (now / 400);
            trace->appendCounter(memory, at, 180e6 + 60e6 * (i / 130) + 4e6 * std::sin(i * 0.3));
            trace->appendCounter(bandwidth, at, 12e9 + 9e9 * std::sin(i * 0.11) + 2e9 * std::cos(i * 1.7));
        }
    }

    std::int64_t run(std::int64_t start, int size, const std::string& target) {
        const bool parallel = target.find("sequential") == std::string::npos;
        const std::int64_t duration = (parallel ? 700'000LL : 2'400'000LL) * size / 256;
        std::int64_t now = start + 200'000;
        span(overhead, start, 40'000, "flush records", "overhead", 0);
        for (int sample = 0; sample < 5; ++sample) {
            const std::int64_t op = now + 30'000;
            const std::uint32_t args = trace->addArgs({{trace->intern("size"), std::to_string(size)},
                                                       {trace->intern("target"), target},
                                                       {trace->intern("kernel"), "2x2, stride 2"}});
            span(main, now, duration + 60'000, "sample " + std::to_string(sample + 1), "sample", 2);
            const SpanRef call = span(main, op, duration, "maxpool2d forward", "op", 3, args);
            if (parallel)
                share(op, duration, target, call);
            now += duration + 60'000 + 25'000;
        }
        span(main, start, now - start, "N = " + std::to_string(size) + ", " + target, "run", 1, 0);
        return now + 120'000;
    }

    void share(std::int64_t op, std::int64_t duration, const std::string& target, SpanRef call) {
        for (std::size_t i = 0; i < threads.size(); ++i) {
            const auto late = static_cast<std::int64_t>(i) * 9'000;
            const auto part = duration * static_cast<std::int64_t>(92 - 6 * i) / 100;
            const SpanRef ref = span(
                threads[i], op + late, part - late,
                target.find("onednn") != std::string::npos ? "jit_avx512_pool" : "maxpool rows", "openmp");
            span(threads[i], op + part, duration - part, "barrier wait", "wait");
            if (i == 0 && !launch.valid()) {
                launch = call;
                work = ref;
                trace->appendFlow({call, ref});
            }
        }
    }
};

} // namespace heteroscope::ui::test
