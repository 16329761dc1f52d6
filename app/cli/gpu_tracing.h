// SPDX-License-Identifier: Apache-2.0
// The device's side of a recorded study: loads the tracer module, starts it before anything touches the
// device, and joins its records to the operations under way. Made and used on the runner's thread; records
// come on the tracer's.
#pragma once

#include "app/cli/known_works.h"
#include "profiling/collectors/gpu/gpu_timeline.h"
#include "profiling/collectors/gpu/gpu_tracer.h"
#include "profiling/collectors/host_collector.h"
#include "profiling/collectors/nvml/device_sampler.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::cli {

class GpuTracing final : public profiling::GpuRecordSink {
  public:
    /// Call before the first look at the devices. Errors say why there will be no device timeline.
    static Result<std::unique_ptr<GpuTracing>> start();
    ~GpuTracing() override;

    /// From here on records become rows below `parent`; earlier ones were kept.
    void attach(profiling::HostCollector& collector, profiling::TrackId parent);
    /// Draws clocks, power, memory and load of a device ("cuda:N") while the study runs; a device that cannot
    /// be watched is left out. After attach().
    void watch(const std::string& deviceId, const std::string& pciBusId);
    /// What this thread submits until workEnd() is for this op (phase empty) or phase of an op. They nest.
    void workBegin(const NamedWork& work);
    void workEnd();
    /// Ends the recording; every record is in the collector then. The device must be idle.
    profiling::GpuTraceQuality finish();
    /// After finish(): how the clocks of host and device agree.
    const profiling::CausalCounts& causalCounts() const { return m_causal; }

    void gpuRecords(std::span<const profiling::GpuRecord> records) override;

  private:
    explicit GpuTracing(std::unique_ptr<profiling::GpuTracer> tracer) : m_tracer(std::move(tracer)) {}

    std::unique_ptr<profiling::GpuTracer> m_tracer;
    bool m_running = false;
    KnownWorks m_works;
    std::vector<std::uint64_t> m_workIds; ///< the timeline's, by number; 0: not defined yet

    std::mutex m_mutex; ///< guards what follows
    std::optional<profiling::GpuTimeline> m_timeline;
    profiling::CausalCounts m_causal;
    std::vector<profiling::GpuRecord> m_early;
    profiling::HostCollector* m_collector = nullptr;

    std::vector<std::unique_ptr<profiling::DeviceSampler>> m_samplers;
};

} // namespace heteroscope::cli
