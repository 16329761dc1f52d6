// SPDX-License-Identifier: Apache-2.0
// NVIDIA's range profiler: counts every kernel by itself, replaying it until all counters were read. It needs
// libnvperf_host.so of the toolkit, which CUPTI loads itself, and the right to read counters.
#pragma once

#include "profiling/collectors/cupti/launch_names.h"
#include "profiling/collectors/gpu/gpu_counters.h"

#include <cstdint>
#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <memory>
#include <vector>

namespace heteroscope::profiling {

class CuptiCounters final : public GpuCounters {
  public:
    CuptiCounters() = default;
    ~CuptiCounters() override;
    CuptiCounters(const CuptiCounters&) = delete;
    CuptiCounters& operator=(const CuptiCounters&) = delete;

    Result<std::vector<RawKernelCounters>> count(const std::function<Status()>& work) override;

    /// Kernels of one count() at most: those of an op are a few.
    static constexpr std::size_t kMostKernels = 64;

  private:
    Status prepare();  ///< once: profiler, chip, list of counters
    Status openHost(); ///< the library that knows the chip's counters
    Status chooseCounters();
    Status enable();          ///< on the current context
    Status makeCounterData(); ///< an empty image for the values
    Status runPasses(const std::function<Status()>& work);
    Result<std::vector<RawKernelCounters>> evaluate(std::vector<std::string> names);
    void disable();

    bool m_prepared = false;
    LaunchNames m_launches;
    CUpti_Profiler_Host_Object* m_host = nullptr;
    CUpti_RangeProfiler_Object* m_profiler = nullptr;
    std::vector<std::uint8_t> m_config, m_counterData;
};

} // namespace heteroscope::profiling
