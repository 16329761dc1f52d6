// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sample_clocks.h"

#include "compute/core/target.h"

#include <utility>

namespace heteroscope::cli {

SampleClocks::SampleClocks(const std::vector<compute::DeviceInfo>& devices, Open open)
    : m_open(std::move(open)) {
    for (const compute::DeviceInfo& device : devices)
        if (device.kind == "gpu" && device.unavailableReason.empty() &&
            device.properties.contains("pci_bus_id"))
            m_busIds[device.id] = device.properties.at("pci_bus_id").get<std::string>();
}

std::optional<DeviceClocks> SampleClocks::read(const std::string& target) {
    const std::string device = target.substr(0, target.find('/'));
    const auto busId = m_busIds.find(device);
    if (busId == m_busIds.end())
        return std::nullopt;
    const auto [reader, isNew] = m_readers.try_emplace(device);
    if (isNew)
        if (auto opened = m_open(busId->second))
            reader->second = std::move(*opened);
    if (!reader->second)
        return std::nullopt;
    const profiling::DeviceReading now = reader->second->clocks();
    if (!now.clockMhz && !now.memoryClockMhz)
        return std::nullopt;
    DeviceClocks clocks{now.clockMhz, now.memoryClockMhz, {}, now.clocksIdle};
    for (const std::string& reason : now.heldBackBy)
        clocks.heldBackBy += (clocks.heldBackBy.empty() ? "" : ", ") + reason;
    return clocks;
}

} // namespace heteroscope::cli
