// SPDX-License-Identifier: Apache-2.0
// Turns a tracer's records into rows of the timeline: a group for each device and context with a row for each
// stream's kernels, rows for copies by direction, memsets, the calls of each host thread, waits, the
// profiler's own overhead, a counter of device memory, and a flow from each launching call to the work it
// caused.
//
// Rows use the spans' args for what a kernel or copy is (equal ones share an argument set). gpuRecords()
// comes on the tracer's thread; everything else on the thread that runs the study.
#pragma once

#include "profiling/collectors/gpu/causal_order.h"
#include "profiling/collectors/gpu/gpu_tracer.h"
#include "profiling/collectors/host_collector.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace heteroscope::profiling {

class GpuTimeline final : public GpuRecordSink {
  public:
    /// The collector outlives the timeline. `parent`: the group that the rows of devices and host threads go
    /// under.
    GpuTimeline(HostCollector& collector, TrackId parent);

    /// A new id for GpuTracer::push(); device work that carries it shows `op`, `detail` and, unless it is
    /// empty, `phase` among its details.
    std::uint64_t defineWork(const std::string& op, const std::string& detail, const std::string& phase = {});

    /// Device work waits for the record of the call that launched it, which comes in another buffer, for at
    /// most kLongestWaitNs of the records' own time.
    void gpuRecords(std::span<const GpuRecord> records) override;
    /// No more records will come: what still waits goes into its row without a flow.
    void finish();

    static constexpr std::int64_t kLongestWaitNs = 500'000'000;

    /// The group of a device's rows; made when it is new. Not while gpuRecords() runs.
    TrackId deviceGroup(std::uint32_t device) { return rowsOf(device).group; }

    /// Work whose launching call was not seen, as far as known now.
    std::uint64_t withoutCall() const;

    /// How the times of calls, work and waits agree. Once no more records come.
    const CausalCounts& causalCounts() const { return m_order.counts(); }

  private:
    struct DeviceRows {
        TrackId group = kNoTrack, memory = kNoTrack;
        double allocatedBytes = 0;
    };
    using RowKey = std::array<std::uint32_t, 4>;
    struct Work {
        std::string op, detail, phase;
    };
    /// What is kept of a call until its device work arrives.
    struct Call {
        SpanRef span;
        std::uint64_t work = 0;
        std::int64_t startNs = 0, endNs = 0;
    };
    struct Batch {
        std::vector<Span> spans;
        std::vector<Flow> flows;
    };

    void add(const GpuRecord& record, const GpuKernel& kernel, Batch& batch);
    void add(const GpuRecord& record, const GpuCopy& copy, Batch& batch);
    void add(const GpuRecord& record, const GpuMemset& memset, Batch& batch);
    void add(const GpuRecord& record, const GpuApiCall& call, Batch& batch);
    void add(const GpuRecord& record, const GpuSynchronization& wait, Batch& batch);
    void add(const GpuRecord& record, const GpuOverhead& overhead, Batch& batch);
    void add(const GpuRecord& record, const GpuAllocation& allocation, Batch& batch);
    void add(const GpuRecord& record, const GpuExternalId& id, Batch& batch);

    DeviceRows& rowsOf(std::uint32_t device);
    /// The group of a context on its device.
    TrackId contextGroup(const GpuPlace& place);
    /// The row for a kind of thing (see gpu_timeline.cpp) at a place; made with `name` when it is new.
    TrackId row(int what, std::uint32_t a, std::uint32_t b, std::uint32_t c, const std::string& name,
                TrackKind kind, TrackId parent);
    TrackId copyRow(const GpuPlace& place, CopyKind kind);
    SpanRef push(const GpuRecord& record, TrackId track, StringId name, StringId category, std::uint32_t args,
                 Batch& batch);
    void link(const GpuRecord& record, const GpuPlace& place, SpanRef to, Batch& batch);
    using Args = std::vector<std::pair<std::string, std::string>>;
    /// The argument set of work that differs from other work by `key`; `make` is called for a new key only.
    std::uint32_t argsOf(std::string key, std::uint32_t correlation, const std::function<Args()>& make);
    StringId kernelName(const std::string& name);
    bool callKnown(std::uint32_t correlation) const;
    void addRecord(const GpuRecord& record, Batch& batch);
    /// Adds what waits and may go: its call has come, or it is older than `beforeNs`.
    void addWaiting(std::int64_t beforeNs, Batch& batch);
    void forgetOldCalls();

    /// Calls are forgotten in order of arrival beyond this many: far more than can be in flight on a device.
    static constexpr std::size_t kCallsKept = 1u << 20;

    HostCollector& m_collector;
    const TrackId m_parent;
    mutable std::mutex m_mutex; ///< guards m_works and m_withoutCall
    std::vector<Work> m_works;
    std::uint64_t m_withoutCall = 0;

    // The tracer's thread only:
    std::map<std::uint32_t, DeviceRows> m_devices;
    std::map<RowKey, TrackId> m_rows;
    std::unordered_map<TrackId, std::uint32_t> m_spansOfTrack;
    std::unordered_map<std::uint32_t, Call> m_calls;
    std::deque<std::uint32_t> m_callOrder;
    std::vector<GpuRecord> m_waiting;
    CausalOrder m_order;
    std::int64_t m_latestNs = 0;
    std::unordered_map<std::string, std::uint32_t> m_args;
    std::unordered_map<std::string, StringId> m_kernelNames; ///< full name -> short one
};

} // namespace heteroscope::profiling
