// SPDX-License-Identifier: Apache-2.0
// Pooling and matrix multiplication beside the memory's limits and beside oneDNN and OpenBLAS, in turns in
// one process. Prints a table; --json writes it as a file that peers.py joins with PyTorch's times.
#include "compute/core/cpu.h"
#include "tests/bench/compute/op_cases.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace heteroscope::bench {
namespace {

struct Options {
    int threads = compute::usableCores();
    int rounds = 15;
    double sampleMs = 10.0;
    std::string json;
    std::string only;
    std::vector<std::string> parts;
};

compute::PoolParams pool(std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    compute::PoolParams params;
    params.kernel = {kernel, kernel};
    params.stride = {stride, stride};
    params.padding = {padding, padding, padding, padding};
    return params;
}

compute::ConvParams convolution(std::int64_t filters, std::int64_t kernel, std::int64_t stride,
                                std::int64_t groups = 1) {
    compute::ConvParams params;
    const std::int64_t padding = kernel / 2;
    params.filters = filters;
    params.kernel = {kernel, kernel};
    params.stride = {stride, stride};
    params.padding = {padding, padding, padding, padding};
    params.groups = groups;
    params.bias = false;
    return params;
}

/// Layers of ResNet-50 and of MobileNet, eight images.
void addConvolutions(OpCases& cases) {
    cases.addConvolution(convolution(64, 7, 2), {8, 3, 224, 224});
    cases.addConvolution(convolution(64, 3, 1), {8, 64, 56, 56});
    cases.addConvolution(convolution(64, 1, 1), {8, 256, 56, 56});
    cases.addConvolution(convolution(128, 3, 2), {8, 128, 56, 56});
    cases.addConvolution(convolution(256, 3, 1), {8, 256, 14, 14});
    cases.addConvolution(convolution(512, 3, 1), {8, 512, 7, 7});
    cases.addConvolution(convolution(128, 3, 1, 128), {8, 128, 56, 56});
}

void addCases(OpCases& cases, const std::string& only) {
    if (only.empty() || only == "conv")
        addConvolutions(cases);
    if (only.empty() || only == "pool") {
        cases.addPooling(pool(2, 2, 0), {1, 1, 4096, 4096});
        cases.addPooling(pool(3, 2, 1), {1, 1, 4096, 4096});
        cases.addPooling(pool(2, 2, 0), {32, 64, 112, 112});
        cases.addPooling(pool(3, 2, 1), {32, 64, 112, 112});
        cases.addPooling(pool(2, 2, 0), {1, 1, 512, 512});
        cases.addPooling(pool(3, 2, 1), {1, 1, 512, 512});
        cases.addPooling(pool(3, 1, 1), {32, 64, 56, 56});
    }
    if (only.empty() || only == "gemm") {
        for (const std::int64_t n : {512, 1024, 2048})
            cases.addGemm(n);
    }
}

/// Those whose case and name, as the table prints them, contain every one of the parts.
std::vector<Work> chosen(std::vector<Work> works, const std::vector<std::string>& parts) {
    std::erase_if(works, [&](const Work& work) {
        const std::string title = work.group + " " + work.name;
        return !std::all_of(parts.begin(), parts.end(),
                            [&](const std::string& part) { return title.find(part) != std::string::npos; });
    });
    return works;
}

int run(const Options& options) {
    OpCases cases({"cpu/openmp", "cpu/onednn"}, options.threads);
    addCases(cases, options.only);
    const std::vector<Work> works = chosen(cases.works(), options.parts);
    const auto timings = measureInTurns(works, options.rounds, options.sampleMs);
    std::printf("%s, %d threads, %s\n", compute::readCpuName().c_str(), options.threads,
                std::string(compute::simdName(compute::detectSimd())).c_str());
    printTable(works, timings);
    if (options.json.empty())
        return 0;
    std::ofstream file(options.json);
    file << Json{{"threads", options.threads}, {"rows", toJson(works, timings)}}.dump(1) << '\n';
    file.flush();
    if (!file)
        std::fprintf(stderr, "bench_compute: cannot write %s\n", options.json.c_str());
    return file ? 0 : 1;
}

} // namespace
} // namespace heteroscope::bench

int main(int argc, char** argv) {
    heteroscope::bench::Options options;
    CLI::App app{"Times the CPU kernels beside the memory's limits and beside other libraries"};
    app.add_option("--threads", options.threads, "threads of every implementation")
        ->check(CLI::Range(1, 1024));
    app.add_option("--rounds", options.rounds, "samples of each")->check(CLI::Range(1, 1000));
    app.add_option("--sample-ms", options.sampleMs, "least length of a sample")
        ->check(CLI::Range(0.1, 10000.0));
    app.add_option("--only", options.only, "pool, gemm or conv")
        ->check(CLI::IsMember({"pool", "gemm", "conv"}));
    app.add_option("--case", options.parts, "only rows that contain this text; several: all of them");
    app.add_option("--json", options.json, "write the table to this file");
    CLI11_PARSE(app, argc, argv);
    return heteroscope::bench::run(options);
}
