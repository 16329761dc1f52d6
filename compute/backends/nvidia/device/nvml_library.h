// SPDX-License-Identifier: Apache-2.0
// The few calls of NVIDIA's management library that describe a device, looked up at run time: the library
// comes with the driver and is not needed to compute. Types and values as in NVIDIA's nvml.h (driver 580).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heteroscope::compute::nvidia {

struct NvmlDeviceFacts {
    std::optional<std::int64_t> memoryFreeBytes;
    std::optional<unsigned> pcieGeneration, pcieWidth; ///< the most the link can do
    std::optional<double> powerLimitW;
};

class NvmlLibrary {
  public:
    NvmlLibrary();
    ~NvmlLibrary();
    NvmlLibrary(const NvmlLibrary&) = delete;
    NvmlLibrary& operator=(const NvmlLibrary&) = delete;

    bool loaded() const { return m_library != nullptr; }
    /// Empty when it cannot be told.
    std::string driverVersion() const;
    /// By PCI bus id, as cudaDeviceGetPCIBusId writes it.
    NvmlDeviceFacts facts(const std::string& pciBusId) const;

  private:
    void* symbol(const char* name) const;

    void* m_library = nullptr;
};

} // namespace heteroscope::compute::nvidia
