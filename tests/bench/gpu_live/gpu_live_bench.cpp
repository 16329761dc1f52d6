// SPDX-License-Identifier: Apache-2.0
// How long device work takes from its end to the trace store of a reader: reads a live stream on standard
// input as the window does, and prints the delays.
//   heteroscope-cli run EXPERIMENT.json --stream | bench_gpu_live
#include "compute/base/clock.h"
#include "compute/base/statistics.h"
#include "profiling/stream/stream_reader.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <unistd.h>
#include <vector>

using namespace heteroscope;

namespace {

bool isDeviceRow(profiling::TrackKind kind) {
    return kind == profiling::TrackKind::Stream || kind == profiling::TrackKind::Copy;
}

/// Delays in ms of the spans that are new since the last look.
class Delays {
  public:
    void look(const profiling::Trace& trace) {
        const std::int64_t now = steadyNowNs();
        for (profiling::TrackId id = 0; id < trace.trackCount(); ++id) {
            if (!isDeviceRow(trace.track(id).kind))
                continue;
            std::uint64_t& seen = m_seen[id];
            for (const std::uint64_t count = trace.spanCount(id); seen < count; ++seen) {
                const auto span = trace.span({id, 0, static_cast<std::uint32_t>(seen)});
                if (span)
                    m_ms.push_back(static_cast<double>(now - span->startNs - span->durationNs) * 1e-6);
            }
        }
    }
    void print() {
        if (m_ms.empty()) {
            std::puts("no device work in the stream");
            return;
        }
        std::sort(m_ms.begin(), m_ms.end());
        std::printf("%zu spans, ms from their end to the store: median %.1f, p90 %.1f, p99 %.1f, max %.1f\n",
                    m_ms.size(), quantileSorted(m_ms, 0.5), quantileSorted(m_ms, 0.9),
                    quantileSorted(m_ms, 0.99), m_ms.back());
    }

  private:
    std::map<profiling::TrackId, std::uint64_t> m_seen;
    std::vector<double> m_ms;
};

} // namespace

int main() {
    profiling::StreamReader reader("standard input");
    profiling::Trace trace;
    profiling::TraceBuilder builder(trace);
    Delays delays;
    std::array<std::uint8_t, 1 << 16> block{};
    for (ssize_t count = 0; (count = ::read(STDIN_FILENO, block.data(), block.size())) > 0;) {
        reader.feed({block.data(), static_cast<std::size_t>(count)});
        while (true) {
            auto frame = reader.next();
            if (!frame) {
                std::fprintf(stderr, "%s\n", frame.error().sentence().c_str());
                return 1;
            }
            if (!*frame)
                break;
            if (profiling::isTraceFrame((*frame)->kind) && !builder.apply(**frame))
                return 1;
        }
        trace.publish();
        delays.look(trace);
    }
    delays.print();
    return 0;
}
