// SPDX-License-Identifier: Apache-2.0
// Small traces of device work made by hand, with the rows, categories and args of a recording.
#pragma once

#include "profiling/trace/trace.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::profiling::test {

class GpuTraceMaker {
  public:
    using Args = std::vector<std::pair<std::string, std::string>>;

    GpuTraceMaker() {
        m_kernels = track("stream 7", TrackKind::Stream);
        m_copies = track("copies", TrackKind::Copy);
        m_sets = track("memory set", TrackKind::Copy);
        m_calls = track("CUDA calls, thread 1", TrackKind::Thread);
        m_waits = track("waits for the device", TrackKind::Thread);
        m_overhead = track("profiler overhead", TrackKind::Overhead);
        m_study = track("study", TrackKind::Thread);
        m_device = track("cuda:0", TrackKind::Group);
        m_clocks = track("clocks held back", TrackKind::Overhead, m_device);
    }

    SpanRef kernel(std::int64_t start, std::int64_t end, const Args& args = {},
                   const std::string& name = "kernel") {
        return add(m_kernels, start, end, name, "kernel", args);
    }
    SpanRef copy(std::int64_t start, std::int64_t end, std::int64_t bytes,
                 const std::string& category = "copy host to device, pageable", const std::string& op = "",
                 const std::string& phase = "") {
        Args args{{"bytes", std::to_string(bytes)}};
        if (!op.empty())
            args.emplace_back("op", op);
        if (!phase.empty())
            args.emplace_back("phase", phase);
        return add(m_copies, start, end, "copy", category, args);
    }
    SpanRef memorySet(std::int64_t start, std::int64_t end) {
        return add(m_sets, start, end, "set", "memory set", {});
    }
    SpanRef call(std::int64_t start, std::int64_t end, const std::string& name) {
        return add(m_calls, start, end, name, "call", {});
    }
    SpanRef wait(std::int64_t start, std::int64_t end) {
        return add(m_waits, start, end, "host waits for a stream", "wait", {});
    }
    SpanRef overhead(std::int64_t start, std::int64_t end) {
        return add(m_overhead, start, end, "profiler asks for a buffer", "overhead", {});
    }
    /// Clocks of cuda:0 lower than they could be.
    SpanRef clocks(std::int64_t start, std::int64_t end, const std::string& reason, bool idle = false) {
        return add(m_clocks, start, end, reason, idle ? "idle clocks" : "throttling", {});
    }
    /// A span of an op on the host's row.
    SpanRef op(std::int64_t start, std::int64_t end, const std::string& name, const Args& args) {
        return add(m_study, start, end, name, "op", args);
    }
    /// A span of a reorder between layouts on the host's row.
    SpanRef reorder(std::int64_t start, std::int64_t end, const std::string& name) {
        return add(m_study, start, end, name, "reorder", {});
    }
    /// A span of a layer of a network on the host's row.
    SpanRef layer(std::int64_t start, std::int64_t end, const std::string& name, const std::string& phase) {
        return add(m_study, start, end, name, "layer " + phase, {});
    }
    void flow(SpanRef call, SpanRef work) { m_trace.appendFlow({call, work}); }

    const Trace& trace() {
        m_trace.publish();
        return m_trace;
    }

    static Args shape(const std::string& grid, const std::string& block, int registers, int shared = 0) {
        return {{"grid", grid},
                {"block", block},
                {"registers per thread", std::to_string(registers)},
                {"static shared bytes", std::to_string(shared)},
                {"dynamic shared bytes", "0"}};
    }

  private:
    TrackId track(const std::string& name, TrackKind kind, TrackId parent = kNoTrack) {
        return m_trace.addTrack({0, parent, kind, m_trace.intern(name), 0, 0});
    }
    SpanRef add(TrackId track, std::int64_t start, std::int64_t end, const std::string& name,
                const std::string& category, const Args& args) {
        Span span{track, start, end - start, m_trace.intern(name), m_trace.intern(category), 0, -1};
        std::vector<std::pair<StringId, std::string>> set;
        for (const auto& [key, value] : args)
            set.emplace_back(m_trace.intern(key), value);
        if (!set.empty())
            span.args = m_trace.addArgs(set);
        return m_trace.append(span);
    }

    Trace m_trace;
    TrackId m_kernels, m_copies, m_sets, m_calls, m_waits, m_overhead, m_study, m_device, m_clocks;
};

} // namespace heteroscope::profiling::test
