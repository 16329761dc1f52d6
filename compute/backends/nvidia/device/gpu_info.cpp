// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/gpu_info.h"

#include "compute/backends/nvidia/device/nvml_library.h"

#include <array>
#include <charconv>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

namespace heteroscope::compute::nvidia {
namespace {

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

bool driverLibraryPresent() {
    void* library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library != nullptr)
        ::dlclose(library);
    return library != nullptr;
}

/// CUDA says "driver version is insufficient" for a missing driver too: tell the two apart.
std::string whyNone(cudaError_t code) {
    if (!driverLibraryPresent())
        return "no NVIDIA driver found (libcuda.so.1 is not there)";
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (code == cudaErrorInsufficientDriver || (driver > 0 && driver < CUDART_VERSION / 1000 * 1000))
        return "the NVIDIA driver supports CUDA " + versionText(driver) + ", this program needs " +
               versionText(CUDART_VERSION / 1000 * 1000) + " or newer: update the driver";
    if (code == cudaErrorNoDevice || code == cudaSuccess)
        return "the NVIDIA driver finds no device (look at nvidia-smi and CUDA_VISIBLE_DEVICES)";
    return std::string("CUDA cannot start: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) +
           ")";
}

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

Json properties(const cudaDeviceProp& prop, int index, const NvmlLibrary& nvml,
                const NvmlDeviceFacts& facts) {
    Json json = Json::object();
    json["compute_capability"] = std::to_string(prop.major) + "." + std::to_string(prop.minor);
    json["multiprocessors"] = prop.multiProcessorCount;
    json["clock_mhz"] = attribute(cudaDevAttrClockRate, index) / 1000; // the attributes are in kHz
    const int memoryKhz = attribute(cudaDevAttrMemoryClockRate, index);
    json["memory_clock_mhz"] = memoryKhz / 1000;
    json["memory_bus_bits"] = prop.memoryBusWidth;
    if (memoryKhz > 0) // two transfers a clock, from NVIDIA's programming guide (peak memory bandwidth)
        json["memory_peak_gb_s"] = 2.0 * memoryKhz * 1e3 * (prop.memoryBusWidth / 8.0) * 1e-9;
    json["l2_bytes"] = prop.l2CacheSize;
    json["shared_memory_per_block_bytes"] = prop.sharedMemPerBlock;
    json["shared_memory_per_multiprocessor_bytes"] = prop.sharedMemPerMultiprocessor;
    json["registers_per_multiprocessor"] = prop.regsPerMultiprocessor;
    json["max_threads_per_block"] = prop.maxThreadsPerBlock;
    json["max_threads_per_multiprocessor"] = prop.maxThreadsPerMultiProcessor;
    json["max_blocks_per_multiprocessor"] = prop.maxBlocksPerMultiProcessor;
    json["copy_engines"] = prop.asyncEngineCount;
    json["ecc"] = attribute(cudaDevAttrEccEnabled, index) != 0;
    if (facts.pcieGeneration)
        json["pcie_generation"] = *facts.pcieGeneration;
    if (facts.pcieWidth)
        json["pcie_width"] = *facts.pcieWidth;
    if (facts.powerLimitW)
        json["power_limit_w"] = *facts.powerLimitW;
    if (const std::string driver = nvml.driverVersion(); !driver.empty())
        json["driver_version"] = driver;
    int version = 0;
    if (cudaDriverGetVersion(&version) == cudaSuccess)
        json["driver_cuda_version"] = versionText(version);
    if (cudaRuntimeGetVersion(&version) == cudaSuccess)
        json["cuda_version"] = versionText(version);
    return json;
}

DeviceInfo describe(int index, const NvmlLibrary& nvml) {
    DeviceInfo device;
    device.id = "cuda:" + std::to_string(index);
    device.kind = "gpu";
    cudaDeviceProp prop{};
    if (const cudaError_t code = cudaGetDeviceProperties(&prop, index); code != cudaSuccess) {
        device.unavailableReason = std::string("its properties cannot be read: ") + cudaGetErrorString(code);
        return device;
    }
    device.name = prop.name;
    device.memoryTotalBytes = static_cast<std::int64_t>(prop.totalGlobalMem);
    std::array<char, 32> bus{};
    NvmlDeviceFacts facts;
    if (cudaDeviceGetPCIBusId(bus.data(), bus.size(), index) == cudaSuccess)
        facts = nvml.facts(bus.data());
    device.memoryFreeBytes = facts.memoryFreeBytes.value_or(device.memoryTotalBytes);
    device.properties = properties(prop, index, nvml, facts);
    device.properties["pci_bus_id"] = bus.data();
    if (attribute(cudaDevAttrComputeMode, index) == cudaComputeModeProhibited)
        device.unavailableReason = "its compute mode is 'prohibited' (set by the administrator)";
    return device;
}

} // namespace

std::vector<DeviceInfo> queryDevices() {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        DeviceInfo none;
        none.id = "cuda:0";
        none.kind = "gpu";
        none.name = "NVIDIA GPU";
        none.unavailableReason = whyNone(code);
        return {none};
    }
    const NvmlLibrary nvml;
    std::vector<DeviceInfo> devices;
    for (int index = 0; index < count; ++index)
        devices.push_back(describe(index, nvml));
    return devices;
}

int deviceIndex(const std::string& deviceId) {
    constexpr std::string_view kPrefix = "cuda:";
    if (deviceId.rfind(kPrefix, 0) != 0)
        return -1;
    int index = -1;
    const char* begin = deviceId.data() + kPrefix.size();
    const char* end = deviceId.data() + deviceId.size();
    const auto [stop, code] = std::from_chars(begin, end, index);
    return code == std::errc() && stop == end && index >= 0 ? index : -1;
}

std::int64_t currentFreeBytes() {
    std::size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? static_cast<std::int64_t>(free) : 0;
}

} // namespace heteroscope::compute::nvidia
