// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/pool/device_tensor.h"

#include "compute/backends/nvidia/device/read_limits.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <stdexcept>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::uint32_t kPoison = 0x7fc0dead; ///< a NaN that no arithmetic makes

} // namespace

std::string whyNoGpu() {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess)
        return std::string("no GPU: ") + cudaGetErrorString(error);
    return count > 0 ? "" : "no GPU: the driver lists none";
}

DeviceLimits deviceLimits() {
    int device = 0;
    DeviceLimits limits;
    expectCuda(cudaGetDevice(&device), "cudaGetDevice");
    expectCuda(readDeviceLimits(device, limits), "reading the device's limits");
    return limits;
}

void expectCuda(int error, const char* what) {
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " +
                                 cudaGetErrorName(static_cast<cudaError_t>(error)));
}

void DeviceTensor::Free::operator()(float* memory) const {
    cudaFree(memory);
}

DeviceTensor::DeviceTensor(std::size_t elements, std::size_t offset)
    : m_elements(elements), m_offset(offset) {
    const std::size_t all = elements + offset + 2 * kGuard;
    void* memory = nullptr;
    expectCuda(cudaMalloc(&memory, all * sizeof(float)), "cudaMalloc");
    m_memory.reset(static_cast<float*>(memory));
    const std::vector<std::uint32_t> poison(all, kPoison);
    expectCuda(cudaMemcpy(memory, poison.data(), all * sizeof(float), cudaMemcpyHostToDevice), "poison");
}

DeviceTensor::DeviceTensor(std::span<const float> values, std::size_t offset)
    : DeviceTensor(values.size(), offset) {
    expectCuda(cudaMemcpy(data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice), "upload");
}

std::vector<float> DeviceTensor::download() const {
    std::vector<float> values(m_elements);
    expectCuda(cudaMemcpy(values.data(), data(), m_elements * sizeof(float), cudaMemcpyDeviceToHost),
               "download");
    return values;
}

std::vector<std::uint32_t> DeviceTensor::bits() const {
    std::vector<std::uint32_t> all(m_elements + m_offset + 2 * kGuard);
    expectCuda(cudaMemcpy(all.data(), m_memory.get(), all.size() * sizeof(float), cudaMemcpyDeviceToHost),
               "download");
    return all;
}

std::size_t DeviceTensor::untouched() const {
    const auto all = bits();
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(kGuard + m_offset);
    return static_cast<std::size_t>(
        std::count(first, first + static_cast<std::ptrdiff_t>(m_elements), kPoison));
}

bool DeviceTensor::guardsIntact() const {
    const auto all = bits();
    const auto before = static_cast<std::ptrdiff_t>(kGuard + m_offset);
    const auto after = before + static_cast<std::ptrdiff_t>(m_elements);
    return std::count(all.begin(), all.begin() + before, kPoison) == before &&
           std::count(all.begin() + after, all.end(), kPoison) == all.end() - all.begin() - after;
}

} // namespace heteroscope::compute::nvidia
