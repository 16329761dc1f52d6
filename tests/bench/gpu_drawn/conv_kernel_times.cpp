// SPDX-License-Identifier: Apache-2.0
// conv_kernel_times PROBLEMS RESULTS [--device NAME]: times every one of our kernels that takes a convolution
// or one of its gradients, several in a row in a CUDA graph, beside what it is expected to take, so that it
// shows whether the choice or the kernels are at fault.
//
// PROBLEMS is what drawn.py reads and draws; of it only convolutions count. RESULTS becomes an array of
// {"problem": index, "direction", "kernel", "cycles": expected, "ms": median}, those of a problem as they are
// preferred. Kernels that are expected to take more than eight times as long as the chosen one are left out.
// With a device's name (as tests/gpu/product/devices.h has it) nothing is timed and no GPU is needed.
#include "compute/backends/nvidia/device/read_limits.h"
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "tests/bench/gpu_drawn/kernel_timing.h"
#include "tests/gpu/product/devices.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace heteroscope::bench {
namespace {

using namespace compute;
using namespace compute::nvidia;
using nlohmann::json;

constexpr double kHopeless = 8; ///< times the cycles of the chosen kernel, from which on nothing is timed
constexpr std::size_t kAlignedFloats = 64;

cudaError_t start(const ConvForward& op, ConvKernel kernel, const KernelOperands& o) {
    Epilogue epilogue;
    epilogue.bias = o.src[2];
    return convForward(op, kernel, epilogue, nullptr, o);
}
cudaError_t start(const ConvBackwardData& op, ConvKernel kernel, const KernelOperands& o) {
    return convBackwardData(op, kernel, {}, o);
}
cudaError_t start(const ConvBackwardWeights& op, ConvKernel kernel, const KernelOperands& o) {
    return convBackwardWeights(op, kernel, o);
}

class Bench {
  public:
    /// handles: nullptr where nothing is to be timed.
    Bench(const DeviceLimits& device, const Handles* handles) : m_device(device), m_handles(handles) {}

    template <class Conv>
    void measure(const Conv& op, std::size_t problem, const char* direction) {
        if (!networkRefusal(op).empty())
            return;
        const std::vector<ConvCandidate> candidates = convCandidates(op, m_device);
        for (const ConvCandidate& one : candidates) {
            if (!one.refusal.empty() || one.cycles > kHopeless * candidates.front().cycles)
                continue;
            json row{{"problem", problem},
                     {"direction", direction},
                     {"kernel", convKernelName(one.kernel)},
                     {"cycles", one.cycles}};
            if (m_handles != nullptr)
                row["ms"] = timed(op, one.kernel);
            rows.push_back(std::move(row));
        }
    }

    json rows = json::array();

  private:
    template <class Conv>
    double timed(const Conv& op, ConvKernel kernel) {
        const auto sizes = operandElements(op);
        if (!sizes)
            throw std::runtime_error(sizes.error().message);
        std::size_t floats = 0;
        const auto take = [&](std::int64_t elements) {
            const std::size_t first = floats;
            floats += (std::size_t(elements) + kAlignedFloats - 1) / kAlignedFloats * kAlignedFloats;
            return first;
        };
        std::vector<std::size_t> src, dst;
        std::transform(sizes->src.begin(), sizes->src.end(), std::back_inserter(src), take);
        float* const inputs = m_inputs.atLeast(floats);
        floats = 0;
        std::transform(sizes->dst.begin(), sizes->dst.end(), std::back_inserter(dst), take);
        float* const results = m_results.atLeast(floats);
        KernelOperands o;
        for (std::size_t i = 0; i < src.size(); ++i)
            o.src[i] = inputs + src[i];
        for (std::size_t i = 0; i < dst.size(); ++i)
            o.dst[i] = results + dst[i];
        const std::size_t bytes = convWorkspace(op, kernel, m_device);
        o.workspace = bytes == 0 ? nullptr : m_workspace.atLeast(bytes / sizeof(float) + 1);
        o.device = m_device;
        o.stream = m_handles->stream;
        return timeOf(*m_handles, [&] { return start(op, kernel, o); });
    }

    DeviceLimits m_device;
    const Handles* m_handles;
    DeviceFloats m_inputs, m_results, m_workspace;
};

void measureAll(Bench& bench, const json& problems) {
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const json& given = problems[i];
        if (given.at("op") != "conv")
            continue;
        const Shape4 shape = sourceOf(given);
        ConvParams params;
        readWindow(given, params);
        params.filters = given.at("filters"), params.groups = given.at("groups");
        params.dilation = extentOf(given.at("dilation"));
        bench.measure(ConvForward{params, shape}, i, "forward");
        bench.measure(ConvBackwardData{params, shape}, i, "data");
        bench.measure(ConvBackwardWeights{params, shape}, i, "weights");
    }
}

int run(const std::string& problems, const std::string& results, const std::string& device) {
    std::ifstream file(problems);
    const json given = json::parse(file);
    DeviceLimits limits;
    std::unique_ptr<Handles> handles;
    if (device.empty()) {
        expectCuda(readDeviceLimits(0, limits), "reading the device's limits");
        handles = std::make_unique<Handles>();
    } else {
        const auto* const known = std::find_if(kKnownDevices.begin(), kKnownDevices.end(),
                                               [&](const KnownDevice& one) { return one.name == device; });
        if (known == kKnownDevices.end()) {
            std::fprintf(stderr, "conv_kernel_times: no device '%s' in tests/gpu/product/devices.h\n",
                         device.c_str());
            return 2;
        }
        limits = known->limits;
    }
    Bench bench(limits, handles.get());
    measureAll(bench, given);
    std::ofstream(results) << bench.rows.dump(1) << "\n";
    return 0;
}

} // namespace
} // namespace heteroscope::bench

int main(int argc, char** argv) {
    const bool named = argc == 5 && std::string(argv[3]) == "--device";
    if (argc != 3 && !named) {
        std::fprintf(stderr, "usage: conv_kernel_times PROBLEMS RESULTS [--device NAME]\n");
        return 2;
    }
    try {
        return heteroscope::bench::run(argv[1], argv[2], named ? argv[4] : "");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "conv_kernel_times: %s: %s\n", argv[1], error.what());
        return 1;
    }
}
