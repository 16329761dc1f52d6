// SPDX-License-Identifier: Apache-2.0
// Times of single kernels on the present GPU, and the problems that drawn.py draws. Failures throw. One
// thread.
#pragma once

#include "compute/core/shape.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cuda_runtime_api.h>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace heteroscope::bench {

inline void expectCuda(cudaError_t error, const char* what) {
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(error));
}

/// Memory of the device that grows; new memory holds random values.
class DeviceFloats {
  public:
    float* atLeast(std::size_t floats) {
        if (floats <= m_floats)
            return m_memory.get();
        m_memory.reset();
        void* memory = nullptr;
        expectCuda(cudaMalloc(&memory, floats * sizeof(float)), "cudaMalloc");
        m_memory.reset(static_cast<float*>(memory)), m_floats = floats;
        std::vector<float> values(floats);
        std::minstd_rand random(1);
        std::generate(values.begin(), values.end(), [&] {
            return static_cast<float>(random()) / static_cast<float>(std::minstd_rand::max()) - 0.5F;
        });
        expectCuda(cudaMemcpy(memory, values.data(), floats * sizeof(float), cudaMemcpyHostToDevice),
                   "upload");
        return m_memory.get();
    }

  private:
    struct Free {
        void operator()(float* memory) const { cudaFree(memory); }
    };
    std::unique_ptr<float, Free> m_memory;
    std::size_t m_floats = 0;
};

/// A stream and what its work is timed with.
struct Handles {
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr, end = nullptr;

    Handles() {
        expectCuda(cudaStreamCreate(&stream), "stream");
        expectCuda(cudaEventCreate(&start), "event");
        expectCuda(cudaEventCreate(&end), "event");
    }
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        cudaEventDestroy(start);
        cudaEventDestroy(end);
        cudaStreamDestroy(stream);
    }

    /// ms of one time.
    double timed(int times, const auto& work) const {
        expectCuda(cudaEventRecord(start, stream), "event");
        for (int i = 0; i < times; ++i)
            work();
        expectCuda(cudaEventRecord(end, stream), "event");
        expectCuda(cudaEventSynchronize(end), "kernel");
        float ms = 0;
        expectCuda(cudaEventElapsedTime(&ms, start, end), "time");
        return double(ms) / times;
    }
};

/// Median ms of one launch on the stream of `handles`, of several in a row in a CUDA graph.
inline double timeOf(const Handles& handles, const std::function<cudaError_t()>& launch) {
    constexpr int kSamples = 5, kMostInARow = 50;
    constexpr double kRecordingMs = 0.5, kSampleMs = 1.5; // what a recording and a sample take at least
    const auto once = [&] { expectCuda(launch(), "launch"); };
    handles.timed(1, once);
    const int inARow = std::clamp(static_cast<int>(kRecordingMs / handles.timed(2, once)), 1, kMostInARow);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t recorded = nullptr;
    expectCuda(cudaStreamBeginCapture(handles.stream, cudaStreamCaptureModeRelaxed), "recording");
    for (int i = 0; i < inARow; ++i)
        once();
    expectCuda(cudaStreamEndCapture(handles.stream, &graph), "recording");
    expectCuda(cudaGraphInstantiate(&recorded, graph, 0), "recording");
    const auto run = [&] { expectCuda(cudaGraphLaunch(recorded, handles.stream), "graph"); };
    const int times = std::clamp(static_cast<int>(kSampleMs / handles.timed(1, run)), 1, 100);
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i)
        samples.push_back(handles.timed(times, run) / inARow);
    cudaGraphExecDestroy(recorded);
    cudaGraphDestroy(graph);
    std::nth_element(samples.begin(), samples.begin() + kSamples / 2, samples.end());
    return samples[kSamples / 2];
}

inline compute::Extent2d extentOf(const nlohmann::json& value) {
    return {value.at(0).get<std::int64_t>(), value.at(1).get<std::int64_t>()};
}

inline compute::Shape4 sourceOf(const nlohmann::json& problem) {
    const nlohmann::json& src = problem.at("src");
    return {src.at(0), src.at(1), src.at(2), src.at(3)};
}

/// What convolutions and poolings have in common: kernel, stride and the padding of each side.
template <class Params>
void readWindow(const nlohmann::json& problem, Params& params) {
    const compute::Extent2d padding = extentOf(problem.at("padding"));
    params.kernel = extentOf(problem.at("kernel"));
    params.stride = extentOf(problem.at("stride"));
    params.padding = {padding.h, padding.h, padding.w, padding.w};
}

} // namespace heteroscope::bench
