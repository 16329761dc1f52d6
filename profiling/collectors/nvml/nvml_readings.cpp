// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/nvml/nvml_readings.h"

#include "compute/base/run_words.h"

#include <array>
#include <dlfcn.h>
#include <utility>

namespace heteroscope::profiling {
namespace {

using Device = struct nvmlDevice_st*;
constexpr int kSuccess = 0;
constexpr int kTemperatureGpu = 0; // NVML_TEMPERATURE_GPU
constexpr int kClockSm = 1, kClockMemory = 2;

struct Utilization {
    unsigned gpu = 0, memory = 0;
};

struct Memory {
    unsigned long long total = 0, free = 0, used = 0;
};

/// The library as long as a reader lives.
class Library {
  public:
    Library() : m_handle(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {}
    ~Library() {
        if (m_started)
            if (auto* shutdown = find<int()>("nvmlShutdown"))
                shutdown();
        if (m_handle != nullptr)
            ::dlclose(m_handle);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    bool start() {
        auto* init = m_handle == nullptr ? nullptr : find<int()>("nvmlInit_v2");
        m_started = init != nullptr && init() == kSuccess;
        return m_started;
    }
    template <class Function>
    Function* find(const char* name) const {
        return reinterpret_cast<Function*>(::dlsym(m_handle, name));
    }

  private:
    void* m_handle;
    bool m_started = false;
};

class NvmlReader final : public DeviceReader {
  public:
    NvmlReader(std::unique_ptr<Library> library, Device device)
        : m_library(std::move(library)), m_device(device) {
        m_reasons =
            m_library->find<int(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksEventReasons");
        if (m_reasons == nullptr) // its name before driver 535
            m_reasons = m_library->find<int(Device, unsigned long long*)>(
                "nvmlDeviceGetCurrentClocksThrottleReasons");
    }

    DeviceReading clocks() override {
        DeviceReading reading;
        unsigned value = 0;
        if (m_clock != nullptr && m_clock(m_device, kClockSm, &value) == kSuccess)
            reading.clockMhz = value;
        if (m_clock != nullptr && m_clock(m_device, kClockMemory, &value) == kSuccess)
            reading.memoryClockMhz = value;
        unsigned long long mask = 0;
        if (m_reasons != nullptr && m_reasons(m_device, &mask) == kSuccess) {
            reading.heldBackBy = clockReasons(mask);
            reading.clocksIdle = clocksAreIdle(mask);
        }
        return reading;
    }

    DeviceReading read() override {
        DeviceReading reading = clocks();
        Utilization utilization;
        if (m_utilization != nullptr && m_utilization(m_device, &utilization) == kSuccess)
            reading.gpuBusyPercent = utilization.gpu;
        Memory memory;
        if (m_memory != nullptr && m_memory(m_device, &memory) == kSuccess)
            reading.memoryUsedBytes = static_cast<double>(memory.used);
        unsigned value = 0;
        if (m_power != nullptr && m_power(m_device, &value) == kSuccess)
            reading.powerW = value * 1e-3; // milliwatts
        if (m_temperature != nullptr && m_temperature(m_device, kTemperatureGpu, &value) == kSuccess)
            reading.temperatureC = value;
        return reading;
    }

  private:
    template <class... Arguments>
    using Call = int (*)(Device, Arguments...);

    std::unique_ptr<Library> m_library;
    Device m_device;
    Call<Utilization*> m_utilization =
        m_library->find<int(Device, Utilization*)>("nvmlDeviceGetUtilizationRates");
    Call<Memory*> m_memory = m_library->find<int(Device, Memory*)>("nvmlDeviceGetMemoryInfo");
    Call<unsigned*> m_power = m_library->find<int(Device, unsigned*)>("nvmlDeviceGetPowerUsage");
    Call<int, unsigned*> m_temperature =
        m_library->find<int(Device, int, unsigned*)>("nvmlDeviceGetTemperature");
    Call<int, unsigned*> m_clock = m_library->find<int(Device, int, unsigned*)>("nvmlDeviceGetClockInfo");
    Call<unsigned long long*> m_reasons = nullptr;
};

Error unreadable(std::string message) {
    return Error{ErrorCode::TargetUnavailable, std::move(message), "NVML", {}, {}};
}

} // namespace

std::vector<std::string> clockReasons(std::uint64_t mask) {
    struct Reason {
        std::uint64_t bit;
        const char* text;
    };
    static constexpr std::array kReasons{
        Reason{0x4, run_words::kPowerLimit},    Reason{0x8, run_words::kHardwareSlowdown},
        Reason{0x10, run_words::kOtherClocks},  Reason{0x20, run_words::kHeat},
        Reason{0x40, run_words::kHardwareHeat}, Reason{0x80, run_words::kPowerBrake}};
    std::vector<std::string> texts;
    for (const Reason& reason : kReasons)
        if ((mask & reason.bit) != 0)
            texts.emplace_back(reason.text);
    return texts;
}

bool clocksAreIdle(std::uint64_t mask) {
    constexpr std::uint64_t kGpuIdle = 0x1;
    return (mask & kGpuIdle) != 0;
}

Result<std::unique_ptr<DeviceReader>> openNvmlDevice(const std::string& pciBusId) {
    auto library = std::make_unique<Library>();
    if (!library->start())
        return unreadable("NVIDIA's management library (libnvidia-ml.so.1) is not there or does not start");
    Device device = nullptr;
    auto* find = library->find<int(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (find == nullptr || find(pciBusId.c_str(), &device) != kSuccess)
        return unreadable("NVIDIA's management library does not know a device at " + pciBusId);
    return std::unique_ptr<DeviceReader>(std::make_unique<NvmlReader>(std::move(library), device));
}

} // namespace heteroscope::profiling
