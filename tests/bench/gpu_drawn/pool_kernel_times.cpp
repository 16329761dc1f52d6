// SPDX-License-Identifier: Apache-2.0
// pool_kernel_times PROBLEMS: times every one of our pooling kernels that takes a problem, several in a row
// in a CUDA graph, beside the one that is chosen, to see whether the choice is right.
//
// PROBLEMS is what drawn.py reads and draws; of it only poolings count.
#include "compute/backends/nvidia/device/read_limits.h"
#include "compute/backends/nvidia/kernels/pool/pool_any.h"
#include "compute/backends/nvidia/kernels/pool/pool_kernels.h"
#include "compute/backends/nvidia/kernels/pool/pool_patch.h"
#include "compute/backends/nvidia/kernels/pool/pool_separable.h"
#include "compute/backends/nvidia/kernels/pool/pool_strip.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile.h"
#include "compute/backends/nvidia/kernels/pool/pool_wide.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace heteroscope::bench {
namespace {

using namespace compute;
using namespace compute::nvidia;
using nlohmann::json;

constexpr int kSamples = 5;
constexpr double kSampleMs = 1.5; ///< at least

void expectCuda(cudaError_t error, const char* what) {
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(error));
}

struct FreeDevice {
    void operator()(float* memory) const { cudaFree(memory); }
};
using Floats = std::unique_ptr<float, FreeDevice>;

Floats randomFloats(std::int64_t elements) {
    std::vector<float> values(static_cast<std::size_t>(elements));
    std::minstd_rand random(1);
    std::generate(values.begin(), values.end(), [&] {
        return static_cast<float>(random()) / static_cast<float>(std::minstd_rand::max()) - 0.5F;
    });
    void* memory = nullptr;
    expectCuda(cudaMalloc(&memory, values.size() * sizeof(float)), "cudaMalloc");
    Floats floats(static_cast<float*>(memory));
    expectCuda(cudaMemcpy(memory, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice),
               "upload");
    return floats;
}

struct Problem {
    PoolParams params;
    Shape4 src;
    std::string text;
};

Problem problemOf(const json& given) {
    Problem problem;
    const auto pair = [&](const char* name) {
        return Extent2d{given.at(name).at(0).get<std::int64_t>(), given.at(name).at(1).get<std::int64_t>()};
    };
    const json& src = given.at("src");
    const Extent2d padding = pair("padding");
    problem.src = {src.at(0), src.at(1), src.at(2), src.at(3)};
    problem.params.mode = given.at("mode") == "average" ? PoolMode::Average : PoolMode::Max;
    problem.params.kernel = pair("kernel");
    problem.params.stride = pair("stride");
    problem.params.padding = {padding.h, padding.h, padding.w, padding.w};
    problem.text = opDetail(PoolForward{problem.params, problem.src});
    return problem;
}

/// Median ms of one launch.
double timeOf(const std::function<cudaError_t(cudaStream_t)>& launch) {
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr, end = nullptr;
    expectCuda(cudaStreamCreate(&stream), "stream");
    expectCuda(cudaEventCreate(&start), "event");
    expectCuda(cudaEventCreate(&end), "event");
    const auto timed = [&](int times, const auto& work) {
        expectCuda(cudaEventRecord(start, stream), "event");
        for (int i = 0; i < times; ++i)
            work();
        expectCuda(cudaEventRecord(end, stream), "event");
        expectCuda(cudaEventSynchronize(end), "kernel");
        float ms = 0;
        expectCuda(cudaEventElapsedTime(&ms, start, end), "time");
        return double(ms) / times;
    };
    const auto once = [&] { expectCuda(launch(stream), "launch"); };
    timed(1, once);
    const int inARow = std::clamp(static_cast<int>(0.3 / timed(2, once)), 1, 50);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t recorded = nullptr;
    expectCuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "recording");
    for (int i = 0; i < inARow; ++i)
        once();
    expectCuda(cudaStreamEndCapture(stream, &graph), "recording");
    expectCuda(cudaGraphInstantiate(&recorded, graph, 0), "recording");
    const auto run = [&] { expectCuda(cudaGraphLaunch(recorded, stream), "graph"); };
    const int times = std::clamp(static_cast<int>(kSampleMs / timed(2, run)), 1, 100);
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i)
        samples.push_back(timed(times, run) / inARow);
    cudaGraphExecDestroy(recorded);
    cudaGraphDestroy(graph);
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
    std::nth_element(samples.begin(), samples.begin() + kSamples / 2, samples.end());
    return samples[kSamples / 2];
}

struct Contender {
    const char* name;
    bool can;
    std::function<cudaError_t(cudaStream_t)> launch;
};

std::vector<Contender> contenders(const Problem& p, const DeviceLimits& device, bool backward,
                                  const float* src, const float* gradient, float* result) {
    const auto either = [&](auto forward, auto back) {
        return [=](cudaStream_t stream) { return backward ? back(stream) : forward(stream); };
    };
    const PoolParams& params = p.params;
    const Shape4& shape = p.src;
    const auto patches = planPatches(params, shape, backward, device);
    return {
        {"strips", hasStripKernel(params, shape),
         either(
             [=](cudaStream_t s) { return launchStripForward(params, shape, src, result, s); },
             [=](cudaStream_t s) { return launchStripBackward(params, shape, src, gradient, result, s); })},
        {"tiles", hasTileKernel(params, shape, backward),
         either([=](cudaStream_t s) { return launchTileForward(params, shape, src, result, s); },
                [=](cudaStream_t s) { return launchTileBackward(params, shape, src, gradient, result, s); })},
        {"wide", hasWideKernel(params, shape),
         either([=](cudaStream_t s) { return launchWideForward(params, shape, src, result, s); },
                [=](cudaStream_t s) { return launchWideBackward(params, shape, src, gradient, result, s); })},
        {"separable", backward && hasSeparableKernel(params, shape),
         [=](cudaStream_t s) { return launchSeparableBackward(params, shape, src, gradient, result, s); }},
        {"patches", patches.has_value(),
         either([=](cudaStream_t s) { return launchPatchForward(*patches, src, result, s); },
                [=](cudaStream_t s) { return launchPatchBackward(*patches, src, gradient, result, s); })}};
}

void printPlan(const Problem& problem, const DeviceLimits& device, bool backward) {
    if (const auto plan = planPatches(problem.params, problem.src, backward, device))
        std::printf("  [%dx%dx%d of %lld, %d bands of %d, %d bytes, expected %.2f us]", plan->planes,
                    plan->rows, plan->columns, static_cast<long long>(plan->patches), plan->bands,
                    plan->bandRows, plan->sharedBytes, plan->cycles / 1.7e3);
}

void measure(const json& given, const DeviceLimits& device) {
    const Problem problem = problemOf(given);
    const std::int64_t elements = *problem.src.elements();
    const std::int64_t outputs = *poolOutputShape(problem.params, problem.src)->elements();
    const Floats src = randomFloats(elements), gradient = randomFloats(outputs);
    const Floats result = randomFloats(std::max(elements, outputs));
    for (const bool backward : {false, true}) {
        std::printf("%-8s %-70s", backward ? "backward" : "forward", problem.text.c_str());
        for (const Contender& one :
             contenders(problem, device, backward, src.get(), gradient.get(), result.get()))
            if (one.can)
                std::printf(" %s %.2f us", one.name, 1e3 * timeOf(one.launch));
        printPlan(problem, device, backward);
        std::printf("  chosen %s\n", poolKernelName(problem.params, problem.src, backward, device).c_str());
    }
}

} // namespace
} // namespace heteroscope::bench

int main(int argc, char** argv) {
    using namespace heteroscope::bench;
    if (argc != 2) {
        std::fprintf(stderr, "usage: pool_kernel_times PROBLEMS\n");
        return 2;
    }
    try {
        std::ifstream file(argv[1]);
        heteroscope::compute::nvidia::DeviceLimits device;
        expectCuda(heteroscope::compute::nvidia::readDeviceLimits(0, device), "reading the device's limits");
        for (const auto& problem : nlohmann::json::parse(file))
            if (problem.at("op") == "pool")
                measure(problem, device);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pool_kernel_times: %s: %s\n", argv[1], error.what());
        return 1;
    }
    return 0;
}
