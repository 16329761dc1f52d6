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
#include "tests/bench/gpu_drawn/kernel_timing.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace heteroscope::bench {
namespace {

using namespace compute;
using namespace compute::nvidia;
using nlohmann::json;

struct Problem {
    PoolParams params;
    Shape4 src;
    std::string text;
};

Problem problemOf(const json& given) {
    Problem problem;
    problem.src = sourceOf(given);
    problem.params.mode = given.at("mode") == "average" ? PoolMode::Average : PoolMode::Max;
    readWindow(given, problem.params);
    problem.text = opDetail(PoolForward{problem.params, problem.src});
    return problem;
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

void measure(const json& given, const DeviceLimits& device, const Handles& handles) {
    const Problem problem = problemOf(given);
    const std::int64_t elements = *problem.src.elements();
    const std::int64_t outputs = *poolOutputShape(problem.params, problem.src)->elements();
    DeviceFloats memory[3];
    const float* const src = memory[0].atLeast(std::size_t(elements));
    const float* const gradient = memory[1].atLeast(std::size_t(outputs));
    float* const result = memory[2].atLeast(std::size_t(std::max(elements, outputs)));
    for (const bool backward : {false, true}) {
        std::printf("%-8s %-70s", backward ? "backward" : "forward", problem.text.c_str());
        for (const Contender& one : contenders(problem, device, backward, src, gradient, result))
            if (one.can)
                std::printf(" %s %.2f us", one.name,
                            1e3 * timeOf(handles, [&] { return one.launch(handles.stream); }));
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
        const Handles handles;
        for (const auto& problem : nlohmann::json::parse(file))
            if (problem.at("op") == "pool")
                measure(problem, device, handles);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pool_kernel_times: %s: %s\n", argv[1], error.what());
        return 1;
    }
    return 0;
}
