// SPDX-License-Identifier: Apache-2.0
// Our pooling kernels and cuDNN's beside the device's own copy, in one run. The copy moves as many bytes as
// the pooling must: half of them read, half written.
#include "compute/backends/nvidia/device/read_limits.h"
#include "compute/backends/nvidia/kernels/pool/pool_kernels.h"
#include "tests/bench/gpu_pool/cudnn_pool.h"
#include "tests/bench/gpu_pool/spans.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <exception>
#include <fstream>

namespace heteroscope::bench {
namespace {

using compute::PoolMode;
using compute::PoolParams;
using compute::Shape4;

struct Case {
    Shape4 src;
    int kernel, stride, padding;
    PoolMode mode = PoolMode::Max;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {{256, 64, 112, 112}, 2, 2, 0},
        {{256, 64, 112, 112}, 3, 2, 1},
        {{1, 1, 16384, 16384}, 2, 2, 0},
        {{1, 1, 16384, 16384}, 3, 2, 1},
        {{128, 192, 56, 56}, 3, 1, 1},
        {{256, 64, 112, 112}, 2, 2, 0, PoolMode::Average},
        {{256, 64, 112, 112}, 3, 2, 1, PoolMode::Average},
        {{256, 64, 111, 113}, 2, 2, 0},
        {{256, 64, 111, 113}, 3, 2, 1},
        {{256, 256, 28, 28}, 5, 1, 2},
        {{256, 512, 14, 14}, 2, 2, 0},
        {{256, 64, 112, 112}, 3, 3, 0},
        {{256, 64, 112, 112}, 4, 4, 0},
        {{256, 64, 112, 112}, 7, 2, 3},
        {{64, 64, 112, 112}, 13, 1, 6},
        {{256, 64, 112, 112}, 28, 28, 0},
        {{256, 2048, 7, 7}, 7, 7, 0, PoolMode::Average},
        {{256, 64, 112, 112}, 112, 112, 0, PoolMode::Average},
        {{256, 64, 111, 113}, 2, 2, 0, PoolMode::Average},
        {{256, 512, 14, 14}, 3, 1, 1},
        {{8, 64, 28, 28}, 2, 2, 0},
    };
    return all;
}

PoolParams paramsOf(const Case& one) {
    PoolParams params;
    params.mode = one.mode;
    params.kernel = {one.kernel, one.kernel};
    params.stride = {one.stride, one.stride};
    params.padding = {one.padding, one.padding, one.padding, one.padding};
    return params;
}

GpuWork copyWork(const std::string& group, double bytes, const DeviceFloats& from, const DeviceFloats& to) {
    return {group, "device copy", bytes, [&from, &to, bytes](int) {
                expectCuda(cudaMemcpyAsync(to.get(), from.get(), static_cast<std::size_t>(bytes / 2),
                                           cudaMemcpyDeviceToDevice, nullptr),
                           "cudaMemcpyAsync");
            }};
}

compute::nvidia::DeviceLimits deviceLimits() {
    compute::nvidia::DeviceLimits limits;
    expectCuda(compute::nvidia::readDeviceLimits(0, limits), "reading the device's limits");
    return limits;
}

GpuWork ourWork(const PoolProblem& problem, bool backward) {
    const compute::nvidia::DeviceLimits device = deviceLimits();
    const std::string name =
        "ours (" + compute::nvidia::poolKernelName(problem.params, problem.src, backward, device) + ")";
    const auto forward = [&problem, device](int set) {
        const PoolSet& s = problem.set(set);
        expectCuda(compute::nvidia::launchPoolForward(problem.params, problem.src, s.src.get(), s.dst.get(),
                                                      device, nullptr),
                   "launchPoolForward");
    };
    const auto gradient = [&problem, device](int set) {
        const PoolSet& s = problem.set(set);
        expectCuda(compute::nvidia::launchPoolBackward(problem.params, problem.src, s.src.get(),
                                                       s.dstGrad.get(), s.srcGrad.get(), device, nullptr),
                   "launchPoolBackward");
    };
    if (backward)
        return {problem.text(true), name, problem.backwardBytes(), gradient};
    return {problem.text(false), name, problem.forwardBytes(), forward};
}

GpuWork cudnnWork(const PoolProblem& problem, const CudnnPool& cudnn, bool backward) {
    const double bytes = backward ? problem.backwardBytes() : problem.forwardBytes();
    return {problem.text(backward), "cuDNN " + CudnnPool::version(), bytes,
            [&problem, &cudnn, backward](int set) {
                backward ? cudnn.backward(problem.set(set)) : cudnn.forward(problem.set(set));
            }};
}

/// The rows of one problem: forward first, so that cuDNN's backward finds its output.
void measure(const Case& one, int spans, double spanMs, Json& rows) {
    const PoolProblem problem = makeProblem(paramsOf(one), one.src);
    const CudnnPool cudnn(problem);
    const auto half = static_cast<std::int64_t>(problem.backwardBytes() / 8);
    const DeviceFloats from = randomFloats(half, 1), to = allocateFloats(half);
    for (std::size_t i = 0; i < problem.sets.size(); ++i)
        cudnn.forward(problem.sets[i]);
    for (const bool backward : {false, true}) {
        const GpuWork ours = ourWork(problem, backward);
        const std::vector<GpuWork> works{
            copyWork(ours.group, std::min(ours.bytes, 8.0 * static_cast<double>(half)), from, to), ours,
            cudnnWork(problem, cudnn, backward)};
        const auto timings = timeInTurns(works, spans, spanMs);
        std::printf("%-58s", ours.group.c_str());
        const double copy = works[0].bytes / timings[0].medianMs;
        for (std::size_t i = 0; i < works.size(); ++i)
            std::printf(" %7.0f GB/s %.3f", works[i].bytes / timings[i].medianMs * 1e-6,
                        works[i].bytes / timings[i].medianMs / copy);
        std::printf("\n");
        for (const Json& row : toJson(works, timings))
            rows.push_back(row);
    }
}

int run(int argc, char** argv) {
    if (argc > 4) {
        std::fprintf(stderr, "usage: %s [JSON] [SPANS] [SPAN_MS]\n", argv[0]);
        return 64;
    }
    const int spans = argc > 2 ? std::atoi(argv[2]) : 21;
    const double spanMs = argc > 3 ? std::atof(argv[3]) : 5.0;
    if (spans < 1 || !(spanMs > 0)) {
        std::fprintf(stderr, "SPANS and SPAN_MS must be above 0\n");
        return 64;
    }
    cudaDeviceProp device{};
    expectCuda(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    Json rows = Json::array();
    std::printf("%s\n%-58s %18s %18s %18s\n", device.name, "", "device copy", "ours", "cuDNN");
    for (const Case& one : cases())
        measure(one, spans, spanMs, rows);
    if (argc > 1)
        std::ofstream(argv[1]) << Json{{"device", device.name}, {"rows", rows}}.dump(1) << '\n';
    return 0;
}

} // namespace
} // namespace heteroscope::bench

int main(int argc, char** argv) {
    try {
        return heteroscope::bench::run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_gpu_pool: %s\n", error.what());
        return 1;
    }
}
