// SPDX-License-Identifier: Apache-2.0
// gemm_bench [--json FILE] [--samples N]: every matrix product of our ladder beside cuBLAS (fp32 and TF32) on
// one GPU, in turns within one run. Prints a table of TFLOP/s with the ratio to cuBLAS fp32 and writes all
// samples as JSON.
#include "compute/backends/nvidia/kernels/gemm/gemm_kernels.h"
#include "tests/bench/gpu_gemm/gemm_device.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace heteroscope::bench {
namespace {

using compute::nvidia::GemmKernel;

/// The kernels that give a thread one element take seconds where the fast ones take milliseconds.
constexpr int kLargestForSlow = 2048;
/// The first ones for the kernels of a single block, which has a thread for each element of the result: 32 x
/// 32 at most.
constexpr int kSizes[] = {16, 32, 64, 128, 256, 512, 1001, 1024, 1536, 2048, 4096, 4097, 8192};
constexpr const char* kCublas = "cublas";

struct Contender {
    std::string name;
    int largest;
    std::function<void(int size)> run;
    std::function<bool(int size)> takes = [](int) { return true; };
    std::vector<double> samplesMs = {};
    double difference = 0;
};

int largestFor(GemmKernel kernel) {
    const int largest = kernel >= GemmKernel::Register ? kSizes[std::size(kSizes) - 1] : kLargestForSlow;
    int allowed = 0;
    for (const int size : kSizes)
        if (size <= largest && compute::nvidia::gemmRefusal(kernel, size, size, size).empty())
            allowed = size;
    return allowed;
}

std::vector<Contender> contenders(GemmDevice& device) {
    std::vector<Contender> all;
    all.push_back({kCublas, kSizes[std::size(kSizes) - 1], [&](int size) {
                       device.runCublas({size, size, size}, false);
                   }});
    all.push_back({"cublas tf32", all[0].largest, [&](int size) {
                       device.runCublas({size, size, size}, true);
                   }});
    all.push_back(
        {"chosen", all[0].largest, [&device](int size) {
             device.runOwn(compute::nvidia::planGemm(size, size, size, device.limits()), {size, size, size});
         }});
    for (const GemmKernel kernel : {GemmKernel::Register, GemmKernel::Tiled, GemmKernel::Guarded,
                                    GemmKernel::Loops, GemmKernel::Block, GemmKernel::BlockShared})
        all.push_back(
            {std::string(compute::nvidia::gemmKernelName(kernel)),
             largestFor(kernel),
             [&device, kernel](int size) {
                 const auto plan = compute::nvidia::planGemm(kernel, size, size, size, device.limits());
                 device.runOwn(plan, {size, size, size});
             },
             [kernel](int size) { return compute::nvidia::gemmRefusal(kernel, size, size, size).empty(); },
             {},
             0});
    return all;
}

/// Samples in turns: a clock that changes during the run meets everyone.
void measure(GemmDevice& device, std::vector<Contender>& all, int size, int samples) {
    std::vector<int> repetitions;
    for (Contender& one : all) {
        one.samplesMs.clear();
        if (size > one.largest || !one.takes(size)) {
            repetitions.push_back(0);
            continue;
        }
        device.poisonResult();
        one.run(size);
        one.difference = device.differenceTo({size, size, size}, one.name == kCublas);
        repetitions.push_back(device.repetitionsFor(10.0, [&] { one.run(size); }));
    }
    for (int sample = 0; sample < samples; ++sample)
        for (std::size_t i = 0; i < all.size(); ++i)
            if (repetitions[i] > 0)
                all[i].samplesMs.push_back(device.timeMs(repetitions[i], [&] { all[i].run(size); }));
}

nlohmann::json report(std::vector<Contender>& all, int size) {
    const double flops = 2.0 * size * size * size;
    const Spread reference = spreadOf(all[0].samplesMs);
    nlohmann::json rows = nlohmann::json::array();
    for (const Contender& one : all) {
        if (one.samplesMs.empty())
            continue;
        const Spread spread = spreadOf(one.samplesMs);
        std::printf("%6d  %-12s %10.4f ms  [%.4f, %.4f]  %8.4f TFLOP/s  %7.3f of cuBLAS  difference %.1e\n",
                    size, one.name.c_str(), spread.median, spread.lowest, spread.highest,
                    flops / spread.median / 1e9, reference.median / spread.median, one.difference);
        rows.push_back({{"size", size},
                        {"name", one.name},
                        {"samples_ms", one.samplesMs},
                        {"median_ms", spread.median},
                        {"tflops", flops / spread.median / 1e9},
                        {"ratio_to_cublas", reference.median / spread.median},
                        {"relative_difference", one.difference}});
    }
    return rows;
}

int run(const char* jsonPath, int samples) {
    constexpr std::size_t kLargest = kSizes[std::size(kSizes) - 1];
    GemmDevice device(kLargest * kLargest);
    if (!device.error().empty()) {
        std::fprintf(stderr, "gemm_bench: %s\n", device.error().c_str());
        return 1;
    }
    std::vector<Contender> all = contenders(device);
    nlohmann::json rows = nlohmann::json::array();
    for (const int size : kSizes) {
        measure(device, all, size, samples);
        for (const auto& row : report(all, size))
            rows.push_back(row);
        if (!device.error().empty()) {
            std::fprintf(stderr, "gemm_bench: size %d: %s\n", size, device.error().c_str());
            return 1;
        }
    }
    if (jsonPath)
        std::ofstream(jsonPath) << nlohmann::json{{"device", device.name()}, {"rows", rows}}.dump(1) << "\n";
    return 0;
}

} // namespace
} // namespace heteroscope::bench

int main(int argc, char** argv) {
    const char* jsonPath = nullptr;
    int samples = 11;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--json") == 0)
            jsonPath = argv[i + 1];
        else if (std::strcmp(argv[i], "--samples") == 0)
            samples = std::max(1, std::atoi(argv[i + 1]));
    }
    return heteroscope::bench::run(jsonPath, samples);
}
