// SPDX-License-Identifier: Apache-2.0
#include "app/cli/gpu_tracing.h"

#include "app/cli/module_loader.h"

#include <algorithm>
#include <utility>

namespace heteroscope::cli {

Result<std::unique_ptr<GpuTracing>> GpuTracing::start() {
    const auto entry = loadEntry<profiling::GpuTracerEntry>("cupti", profiling::kGpuTracerEntryName);
    if (!entry)
        return entry.error();
    std::unique_ptr<GpuTracing> tracing(
        new GpuTracing(std::unique_ptr<profiling::GpuTracer>((*entry)->create())));
    if (const Status status = tracing->m_tracer->start(*tracing); !status)
        return status.error();
    tracing->m_running = true;
    return tracing;
}

GpuTracing::~GpuTracing() {
    finish();
}

void GpuTracing::attach(profiling::HostCollector& collector, profiling::TrackId parent) {
    const std::lock_guard lock(m_mutex);
    m_collector = &collector;
    m_timeline.emplace(collector, parent);
    m_timeline->gpuRecords(m_early);
    m_early = {};
}

void GpuTracing::watch(const std::string& deviceId, const std::string& pciBusId) {
    auto reader = profiling::openNvmlDevice(pciBusId);
    if (!reader || !compute::namesGpu(deviceId))
        return; // its work is recorded all the same
    const std::lock_guard lock(m_mutex);
    if (!m_timeline)
        return;
    const auto index = static_cast<std::uint32_t>(std::stoul(deviceId.substr(5))); // ours: "cuda:N"
    m_samplers.push_back(std::make_unique<profiling::DeviceSampler>(
        *m_collector, m_timeline->deviceGroup(index), std::move(*reader)));
    m_samplers.back()->start();
}

void GpuTracing::gpuRecords(std::span<const profiling::GpuRecord> records) {
    const std::lock_guard lock(m_mutex);
    if (m_timeline)
        m_timeline->gpuRecords(records);
    else
        m_early.insert(m_early.end(), records.begin(), records.end());
}

void GpuTracing::workBegin(const NamedWork& work) {
    if (!m_running)
        return;
    const std::size_t number = m_works.numberOf(work);
    m_workIds.resize(std::max(m_workIds.size(), number + 1));
    std::uint64_t& id = m_workIds[number];
    if (id == 0) {
        const std::lock_guard lock(m_mutex);
        if (m_timeline)
            id = m_timeline->defineWork(std::string(work.op), std::string(work.detail),
                                        std::string(work.phase));
    }
    m_tracer->push(id);
}

void GpuTracing::workEnd() {
    if (m_running)
        m_tracer->pop();
}

profiling::GpuTraceQuality GpuTracing::finish() {
    if (!m_running)
        return {};
    m_running = false;
    m_samplers.clear();
    profiling::GpuTraceQuality quality = m_tracer->stop();
    const std::lock_guard lock(m_mutex);
    if (m_timeline) {
        m_timeline->finish();
        m_causal = m_timeline->causalCounts();
    }
    if (m_timeline && m_timeline->withoutCall() > 0)
        quality.notes.push_back(std::to_string(m_timeline->withoutCall()) +
                                " pieces of device work came without the call that launched them");
    m_timeline.reset(); // its collector may go now
    return quality;
}

} // namespace heteroscope::cli
