// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpu_pool/spans.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <stdexcept>

namespace heteroscope::bench {
namespace {

class Event {
  public:
    Event() { expectCuda(cudaEventCreate(&m_event), "cudaEventCreate"); }
    ~Event() { cudaEventDestroy(m_event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record() { expectCuda(cudaEventRecord(m_event, nullptr), "cudaEventRecord"); }
    double msSince(const Event& start) const {
        float ms = 0;
        expectCuda(cudaEventSynchronize(m_event), "kernel");
        expectCuda(cudaEventElapsedTime(&ms, start.m_event, m_event), "cudaEventElapsedTime");
        return ms;
    }

  private:
    cudaEvent_t m_event = nullptr;
};

/// Milliseconds of one launch.
double timeSpan(const GpuWork& work, int launches, int& set) {
    Event start, end;
    start.record();
    for (int i = 0; i < launches; ++i)
        work.run(set++);
    end.record();
    return end.msSince(start) / launches;
}

GpuTiming summary(std::vector<double> samples, int launches) {
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    return {(samples[(n - 1) / 2] + samples[n / 2]) / 2, samples[n / 4], samples[3 * n / 4],
            static_cast<int>(n), launches};
}

} // namespace

void expectCuda(int error, const char* what) {
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " +
                                 cudaGetErrorString(static_cast<cudaError_t>(error)));
}

std::vector<GpuTiming> timeInTurns(const std::vector<GpuWork>& works, int spans, double spanMs) {
    std::vector<int> launches(works.size());
    std::vector<std::vector<double>> samples(works.size());
    int set = 0;
    for (std::size_t i = 0; i < works.size(); ++i) {
        timeSpan(works[i], 2, set);
        launches[i] = std::clamp(static_cast<int>(spanMs / timeSpan(works[i], 3, set)), 1, 1000);
    }
    for (int span = 0; span < spans; ++span) {
        for (std::size_t i = 0; i < works.size(); ++i)
            samples[i].push_back(timeSpan(works[i], launches[i], set));
    }
    std::vector<GpuTiming> timings;
    for (std::size_t i = 0; i < works.size(); ++i)
        timings.push_back(summary(samples[i], launches[i]));
    return timings;
}

Json toJson(const std::vector<GpuWork>& works, const std::vector<GpuTiming>& timings) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < works.size(); ++i) {
        const GpuTiming& t = timings[i];
        rows.push_back({{"group", works[i].group},
                        {"name", works[i].name},
                        {"bytes", works[i].bytes},
                        {"median_ms", t.medianMs},
                        {"q1_ms", t.q1Ms},
                        {"q3_ms", t.q3Ms},
                        {"spans", t.spans},
                        {"launches", t.launches},
                        {"gb_s", works[i].bytes / t.medianMs * 1e-6}});
    }
    return rows;
}

} // namespace heteroscope::bench
