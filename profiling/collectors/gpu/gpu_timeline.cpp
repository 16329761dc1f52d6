// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/gpu/gpu_timeline.h"

#include "compute/base/units.h"

#include <algorithm>
#include <limits>

namespace heteroscope::profiling {
namespace {

constexpr std::int32_t kDeviceRow = -1; // before the host's threads
constexpr std::int32_t kWorkRow = -1;   // before the device's counters

/// What a row is for: the first part of its key.
enum RowOf { kContextRow, kStreamRow, kCopyRow, kMemsetRow, kCallRow, kWaitRow, kOverheadRow };

std::string dimensions(const std::array<std::int32_t, 3>& size) {
    return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

bool isDeviceWork(const GpuRecord& record) {
    return std::holds_alternative<GpuKernel>(record.what) || std::holds_alternative<GpuCopy>(record.what) ||
           std::holds_alternative<GpuMemset>(record.what);
}

using Args = std::vector<std::pair<std::string, std::string>>;

Args kernelArgs(const GpuKernel& kernel) {
    Args args{{"kernel", kernel.name},
              {"grid", dimensions(kernel.grid)},
              {"block", dimensions(kernel.block)},
              {"registers per thread", std::to_string(kernel.registersPerThread)},
              {"static shared bytes", std::to_string(kernel.staticSharedBytes)},
              {"dynamic shared bytes", std::to_string(kernel.dynamicSharedBytes)},
              {"local bytes per thread", std::to_string(kernel.localBytesPerThread)}};
    if (kernel.graph != 0)
        args.emplace_back("graph", std::to_string(kernel.graph));
    return args;
}

Args copyArgs(const GpuCopy& copy) {
    return {{"bytes", std::to_string(copy.bytes)},
            {"memory", std::string(memoryKindText(copy.from)) + " to " + memoryKindText(copy.to)},
            {"stream", std::to_string(copy.place.stream)},
            {"asynchronous", copy.async ? "yes" : "no"}};
}

/// Appends the bytes of plain values: a key that is made for every record, unlike the texts it stands for.
template <class... Values>
void pack(std::string& key, const Values&... values) {
    (key.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
}

std::string bytesText(std::uint64_t bytes) {
    return formatBytes(static_cast<double>(bytes));
}

} // namespace

const char* copyKindText(CopyKind kind) {
    switch (kind) {
    case CopyKind::HostToDevice:
        return "host to device";
    case CopyKind::DeviceToHost:
        return "device to host";
    case CopyKind::DeviceToDevice:
        return "on the device";
    case CopyKind::HostToHost:
        return "host to host";
    case CopyKind::PeerToPeer:
        return "between devices";
    case CopyKind::Other:
        break;
    }
    return "other";
}

const char* memoryKindText(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::Pageable:
        return "pageable";
    case MemoryKind::Pinned:
        return "pinned";
    case MemoryKind::Device:
        return "device";
    case MemoryKind::Array:
        return "array";
    case MemoryKind::Managed:
        return "managed";
    case MemoryKind::Unknown:
        break;
    }
    return "unknown";
}

std::string shortKernelName(const std::string& name) {
    std::string flat; // what stands outside of <...> and (...), but for "(anonymous namespace)"
    int depth = 0;
    for (const char c : name) {
        if (c == '<' || c == '(')
            ++depth;
        else if (c == '>' || c == ')')
            depth = std::max(0, depth - 1);
        else if (depth == 0)
            flat += c;
    }
    const auto colons = flat.rfind("::");
    if (colons != std::string::npos)
        flat.erase(0, colons + 2);
    const auto blank = flat.find_last_not_of(' ') == std::string::npos
                           ? std::string::npos
                           : flat.rfind(' ', flat.find_last_not_of(' '));
    if (blank != std::string::npos)
        flat.erase(0, blank + 1);
    while (!flat.empty() && flat.back() == ' ')
        flat.pop_back();
    return flat.empty() ? name : flat;
}

GpuTimeline::GpuTimeline(HostCollector& collector, TrackId parent)
    : m_collector(collector), m_parent(parent) {}

std::uint64_t GpuTimeline::defineWork(const std::string& op, const std::string& detail,
                                      const std::string& phase) {
    const std::lock_guard lock(m_mutex);
    m_works.push_back({op, detail, phase});
    return m_works.size(); // 0 is "none"
}

std::uint64_t GpuTimeline::withoutCall() const {
    const std::lock_guard lock(m_mutex);
    return m_withoutCall;
}

void GpuTimeline::gpuRecords(std::span<const GpuRecord> records) {
    Batch batch;
    for (const GpuRecord& record : records) {
        m_latestNs = std::max(m_latestNs, record.endNs);
        if (!isDeviceWork(record))
            addRecord(record, batch);
    }
    addWaiting(m_latestNs - kLongestWaitNs, batch);
    for (const GpuRecord& record : records) {
        if (!isDeviceWork(record))
            continue;
        if (callKnown(record.correlation))
            addRecord(record, batch);
        else
            m_waiting.push_back(record);
    }
    m_collector.recordBatch(batch.spans, batch.flows);
    forgetOldCalls();
}

void GpuTimeline::finish() {
    Batch batch;
    addWaiting(std::numeric_limits<std::int64_t>::max(), batch);
    m_collector.recordBatch(batch.spans, batch.flows);
}

void GpuTimeline::addRecord(const GpuRecord& record, Batch& batch) {
    std::visit([&](const auto& what) { add(record, what, batch); }, record.what);
}

bool GpuTimeline::callKnown(std::uint32_t correlation) const {
    const auto call = m_calls.find(correlation);
    return call != m_calls.end() && call->second.span.valid();
}

void GpuTimeline::addWaiting(std::int64_t beforeNs, Batch& batch) {
    const auto kept = std::remove_if(m_waiting.begin(), m_waiting.end(), [&](const GpuRecord& record) {
        if (!callKnown(record.correlation) && record.endNs >= beforeNs)
            return false;
        addRecord(record, batch);
        return true;
    });
    m_waiting.erase(kept, m_waiting.end());
}

GpuTimeline::DeviceRows& GpuTimeline::rowsOf(std::uint32_t device) {
    DeviceRows& rows = m_devices[device];
    if (rows.group == kNoTrack) {
        const std::string name = "cuda:" + std::to_string(device);
        rows.group = m_collector.addTrack(name, TrackKind::Group, m_parent, {}, kDeviceRow);
        rows.memory = m_collector.addTrack("memory taken", TrackKind::Counter, rows.group, "bytes");
    }
    return rows;
}

TrackId GpuTimeline::row(int what, std::uint32_t a, std::uint32_t b, std::uint32_t c, const std::string& name,
                         TrackKind kind, TrackId parent) {
    const auto [entry, isNew] = m_rows.try_emplace({static_cast<std::uint32_t>(what), a, b, c}, kNoTrack);
    if (isNew)
        entry->second = m_collector.addTrack(name, kind, parent, {}, what == kContextRow ? kWorkRow : 0);
    return entry->second;
}

TrackId GpuTimeline::contextGroup(const GpuPlace& place) {
    return row(kContextRow, place.device, place.context, 0, "context " + std::to_string(place.context),
               TrackKind::Group, rowsOf(place.device).group);
}

TrackId GpuTimeline::copyRow(const GpuPlace& place, CopyKind kind) {
    return row(kCopyRow, place.device, place.context, static_cast<std::uint32_t>(kind),
               std::string("copies ") + copyKindText(kind), TrackKind::Copy, contextGroup(place));
}

SpanRef GpuTimeline::push(const GpuRecord& record, TrackId track, StringId name, StringId category,
                          std::uint32_t args, Batch& batch) {
    Span span;
    span.track = track;
    span.startNs = record.startNs;
    span.durationNs = std::max<std::int64_t>(0, record.endNs - record.startNs);
    span.name = name;
    span.category = category;
    span.args = args;
    batch.spans.push_back(span);
    return {track, 0, m_spansOfTrack[track]++};
}

void GpuTimeline::link(const GpuRecord& record, const GpuPlace& place, SpanRef to, Batch& batch) {
    const auto call = m_calls.find(record.correlation);
    if (call != m_calls.end() && call->second.span.valid()) {
        batch.flows.push_back({call->second.span, to});
        m_order.work(place, call->second.startNs, call->second.endNs, record.startNs, record.endNs);
        return;
    }
    const std::lock_guard lock(m_mutex);
    ++m_withoutCall;
}

/// Adds what the work was submitted for; equal sets are written once.
std::uint32_t GpuTimeline::argsOf(std::string key, std::uint32_t correlation,
                                  const std::function<Args()>& make) {
    const auto call = m_calls.find(correlation);
    const std::uint64_t work = call == m_calls.end() ? 0 : call->second.work;
    pack(key, work);
    const auto [entry, isNew] = m_args.try_emplace(std::move(key), 0);
    if (!isNew)
        return entry->second;
    Args all = make();
    {
        const std::lock_guard lock(m_mutex);
        if (work > 0 && work <= m_works.size()) {
            all.emplace_back("op", m_works[work - 1].op);
            all.emplace_back("shape", m_works[work - 1].detail);
            if (!m_works[work - 1].phase.empty())
                all.emplace_back("phase", m_works[work - 1].phase);
        }
    }
    return entry->second = m_collector.addArgs(all);
}

StringId GpuTimeline::kernelName(const std::string& name) {
    const auto [entry, isNew] = m_kernelNames.try_emplace(name, 0);
    if (isNew)
        entry->second = m_collector.intern(shortKernelName(name));
    return entry->second;
}

void GpuTimeline::add(const GpuRecord& record, const GpuExternalId& id, Batch&) {
    const auto [entry, isNew] = m_calls.try_emplace(record.correlation);
    entry->second.work = id.id;
    if (isNew)
        m_callOrder.push_back(record.correlation);
}

void GpuTimeline::add(const GpuRecord& record, const GpuApiCall& call, Batch& batch) {
    const TrackId track =
        row(kCallRow, call.thread, call.driver, 0,
            (call.driver ? "driver calls, thread " : "CUDA calls, thread ") + std::to_string(call.thread),
            TrackKind::Thread, m_parent);
    std::uint32_t args = 0;
    if (call.returnValue != 0)
        args = argsOf("call " + std::to_string(call.returnValue), record.correlation, [&] {
            return Args{{"returned", std::to_string(call.returnValue)}};
        });
    const SpanRef span =
        push(record, track, m_collector.intern(call.name), m_collector.intern("call"), args, batch);
    const auto [entry, isNew] = m_calls.try_emplace(record.correlation);
    entry->second.span = span;
    entry->second.startNs = record.startNs;
    entry->second.endNs = record.endNs;
    if (isNew)
        m_callOrder.push_back(record.correlation);
}

void GpuTimeline::add(const GpuRecord& record, const GpuKernel& kernel, Batch& batch) {
    const TrackId track =
        row(kStreamRow, kernel.place.device, kernel.place.context, kernel.place.stream,
            "stream " + std::to_string(kernel.place.stream), TrackKind::Stream, contextGroup(kernel.place));
    std::string key = "kernel " + kernel.name;
    pack(key, kernel.grid, kernel.block, kernel.registersPerThread, kernel.staticSharedBytes,
         kernel.dynamicSharedBytes, kernel.localBytesPerThread, kernel.graph);
    const std::uint32_t args = argsOf(std::move(key), record.correlation, [&] { return kernelArgs(kernel); });
    const SpanRef span =
        push(record, track, kernelName(kernel.name), m_collector.intern("kernel"), args, batch);
    link(record, kernel.place, span, batch);
}

void GpuTimeline::add(const GpuRecord& record, const GpuCopy& copy, Batch& batch) {
    const MemoryKind host = copy.kind == CopyKind::HostToDevice ? copy.from : copy.to;
    std::string key = "copy";
    pack(key, copy.bytes, copy.from, copy.to, copy.place.stream, copy.async);
    const std::uint32_t args = argsOf(std::move(key), record.correlation, [&] { return copyArgs(copy); });
    const bool host2device = copy.kind == CopyKind::HostToDevice || copy.kind == CopyKind::DeviceToHost;
    const std::string category = "copy " + std::string(copyKindText(copy.kind)) +
                                 (host2device ? std::string(", ") + memoryKindText(host) : std::string());
    const SpanRef span =
        push(record, copyRow(copy.place, copy.kind), m_collector.intern(bytesText(copy.bytes)),
             m_collector.intern(category), args, batch);
    link(record, copy.place, span, batch);
}

void GpuTimeline::add(const GpuRecord& record, const GpuMemset& memset, Batch& batch) {
    const TrackId track = row(kMemsetRow, memset.place.device, memset.place.context, 0, "memory set",
                              TrackKind::Copy, contextGroup(memset.place));
    std::string key = "memset";
    pack(key, memset.bytes, memset.value, memset.memory);
    const std::uint32_t args = argsOf(std::move(key), record.correlation, [&] {
        return Args{{"bytes", std::to_string(memset.bytes)},
                    {"value", std::to_string(memset.value)},
                    {"memory", memoryKindText(memset.memory)}};
    });
    const SpanRef span = push(record, track, m_collector.intern(bytesText(memset.bytes)),
                              m_collector.intern("memory set"), args, batch);
    link(record, memset.place, span, batch);
}

void GpuTimeline::add(const GpuRecord& record, const GpuSynchronization& wait, Batch& batch) {
    const TrackId track =
        row(kWaitRow, wait.context, 0, 0, "waits for the device", TrackKind::Thread, m_parent);
    push(record, track, m_collector.intern(wait.name), m_collector.intern("wait"), 0, batch);
    m_order.wait(wait, record.startNs, record.endNs);
}

void GpuTimeline::add(const GpuRecord& record, const GpuOverhead& overhead, Batch& batch) {
    const TrackId track = row(kOverheadRow, 0, 0, 0, "profiler overhead", TrackKind::Overhead, m_parent);
    push(record, track, m_collector.intern(overhead.name), m_collector.intern("overhead"), 0, batch);
}

void GpuTimeline::add(const GpuRecord& record, const GpuAllocation& allocation, Batch&) {
    if (allocation.memory != MemoryKind::Device && allocation.memory != MemoryKind::Managed)
        return; // the counter is the device's memory
    DeviceRows& rows = rowsOf(allocation.device);
    rows.allocatedBytes += (allocation.release ? -1.0 : 1.0) * static_cast<double>(allocation.bytes);
    m_collector.counter(rows.memory, record.startNs, std::max(0.0, rows.allocatedBytes));
}

void GpuTimeline::forgetOldCalls() {
    while (m_callOrder.size() > kCallsKept) {
        m_calls.erase(m_callOrder.front());
        m_callOrder.pop_front();
    }
}

} // namespace heteroscope::profiling
