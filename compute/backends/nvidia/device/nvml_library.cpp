// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/nvml_library.h"

#include <array>
#include <dlfcn.h>

namespace heteroscope::compute::nvidia {
namespace {

using Device = struct nvmlDevice_st*;
constexpr int kSuccess = 0;

struct Memory {
    unsigned long long total = 0, free = 0, used = 0;
};

template <class Function>
Function* as(void* symbol) {
    return reinterpret_cast<Function*>(symbol);
}

} // namespace

NvmlLibrary::NvmlLibrary() : m_library(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (m_library == nullptr)
        return;
    auto* init = as<int()>(symbol("nvmlInit_v2"));
    if (init != nullptr && init() == kSuccess)
        return;
    ::dlclose(m_library);
    m_library = nullptr;
}

NvmlLibrary::~NvmlLibrary() {
    if (m_library == nullptr)
        return;
    if (auto* shutdown = as<int()>(symbol("nvmlShutdown")))
        shutdown();
    ::dlclose(m_library);
}

void* NvmlLibrary::symbol(const char* name) const {
    return ::dlsym(m_library, name);
}

std::string NvmlLibrary::driverVersion() const {
    if (m_library == nullptr)
        return {};
    std::array<char, 96> text{};
    auto* version = as<int(char*, unsigned)>(symbol("nvmlSystemGetDriverVersion"));
    if (version == nullptr || version(text.data(), text.size()) != kSuccess)
        return {};
    return text.data();
}

NvmlDeviceFacts NvmlLibrary::facts(const std::string& pciBusId) const {
    NvmlDeviceFacts facts;
    if (m_library == nullptr)
        return facts;
    Device device = nullptr;
    auto* find = as<int(const char*, Device*)>(symbol("nvmlDeviceGetHandleByPciBusId_v2"));
    if (find == nullptr || find(pciBusId.c_str(), &device) != kSuccess)
        return facts;
    Memory memory;
    if (auto* get = as<int(Device, Memory*)>(symbol("nvmlDeviceGetMemoryInfo"));
        get && get(device, &memory) == kSuccess)
        facts.memoryFreeBytes = static_cast<std::int64_t>(memory.free);
    unsigned value = 0;
    if (auto* get = as<int(Device, unsigned*)>(symbol("nvmlDeviceGetMaxPcieLinkGeneration"));
        get && get(device, &value) == kSuccess)
        facts.pcieGeneration = value;
    if (auto* get = as<int(Device, unsigned*)>(symbol("nvmlDeviceGetMaxPcieLinkWidth"));
        get && get(device, &value) == kSuccess)
        facts.pcieWidth = value;
    if (auto* get = as<int(Device, unsigned*)>(symbol("nvmlDeviceGetPowerManagementLimit"));
        get && get(device, &value) == kSuccess)
        facts.powerLimitW = value * 1e-3; // milliwatts
    return facts;
}

} // namespace heteroscope::compute::nvidia
