// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gemm/gemm_on_device.h"

#include <algorithm>
#include <cmath>
#include <cuda_runtime_api.h>
#include <limits>
#include <memory>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::size_t kGuard = 64;
constexpr float kPoison = std::numeric_limits<float>::quiet_NaN();

struct Free {
    void operator()(float* memory) const { cudaFree(memory); }
};

/// `elements` floats on the device from `values` (or poison), with poison before and behind.
class GuardedArray {
  public:
    GuardedArray(std::size_t elements, std::size_t offset, std::span<const float> values = {})
        : m_first(kGuard + offset), m_elements(elements) {
        std::vector<float> whole(m_first + elements + kGuard, kPoison);
        std::copy(values.begin(), values.end(), whole.begin() + std::ptrdiff_t(m_first));
        void* memory = nullptr;
        if (cudaMalloc(&memory, whole.size() * sizeof(float)) != cudaSuccess)
            return;
        m_memory.reset(static_cast<float*>(memory));
        cudaMemcpy(memory, whole.data(), whole.size() * sizeof(float), cudaMemcpyHostToDevice);
    }

    float* data() const { return m_memory ? m_memory.get() + m_first : nullptr; }

    std::vector<float> whole() const {
        std::vector<float> values(m_first + m_elements + kGuard);
        cudaMemcpy(values.data(), m_memory.get(), values.size() * sizeof(float), cudaMemcpyDeviceToHost);
        return values;
    }

    static bool guardsIntact(const std::vector<float>& whole, std::size_t first) {
        const auto poisoned = [](float value) { return std::isnan(value); };
        return std::all_of(whole.begin(), whole.begin() + std::ptrdiff_t(first), poisoned) &&
               std::all_of(whole.end() - std::ptrdiff_t(kGuard), whole.end(), poisoned);
    }

    std::size_t first() const { return m_first; }

  private:
    std::size_t m_first, m_elements;
    std::unique_ptr<float, Free> m_memory;
};

} // namespace

std::string whyNoGpu() {
    int devices = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess)
        return std::string("no GPU to test on: ") + cudaGetErrorString(error);
    return devices > 0 ? "" : "no GPU to test on: the driver reports none";
}

DeviceLimits limitsOfDevice() {
    DeviceLimits limits;
    cudaDeviceGetAttribute(&limits.multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    return limits;
}

DeviceProduct productOnDevice(const GemmPlan& plan, const Gemm& size, std::span<const float> a,
                              std::span<const float> b, const Offsets& offsets) {
    const auto elementsC = std::size_t(size.m * size.n);
    const GuardedArray deviceA(a.size(), offsets.a, a), deviceB(b.size(), offsets.b, b);
    const GuardedArray deviceC(elementsC, offsets.c);
    const std::size_t scratch = gemmWorkspaceBytes(plan, size.m, size.n) / sizeof(float);
    const GuardedArray workspace(scratch, 0); // of NaNs until slices are written
    if (!deviceA.data() || !deviceB.data() || !deviceC.data() || !workspace.data())
        return {{}, "no device memory for the operands"};
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
    cudaError_t error =
        launchGemm(plan, size.m, size.n, size.k,
                   {deviceA.data(), deviceB.data(), deviceC.data(), workspace.data()}, stream);
    const cudaError_t executed = cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    error = error == cudaSuccess ? executed : error;
    if (error != cudaSuccess)
        return {{}, cudaGetErrorString(error)};
    const std::vector<float> whole = deviceC.whole();
    if (!GuardedArray::guardsIntact(whole, deviceC.first()))
        return {{}, "the kernel wrote before or behind the result"};
    if (!GuardedArray::guardsIntact(workspace.whole(), workspace.first()))
        return {{}, "the kernel wrote before or behind its workspace"};
    const auto begin = whole.begin() + std::ptrdiff_t(deviceC.first());
    return {{begin, begin + std::ptrdiff_t(elementsC)}, ""};
}

} // namespace heteroscope::compute::nvidia
