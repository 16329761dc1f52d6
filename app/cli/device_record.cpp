// SPDX-License-Identifier: Apache-2.0
#include "app/cli/device_record.h"

namespace heteroscope::cli {
namespace {

Json implementationRecord(const compute::ImplementationInfo& info) {
    return {{"id", info.id},
            {"available", info.unavailableReason.empty()},
            {"reason", info.unavailableReason},
            {"version", info.version},
            {"options", info.options},
            {"summary", info.summary}};
}

} // namespace

Json deviceRecord(const compute::DeviceInfo& device) {
    Json implementations = Json::array();
    for (const auto& info : device.implementations)
        implementations.push_back(implementationRecord(info));
    return {{"id", device.id},
            {"kind", device.kind},
            {"name", device.name},
            {"available", device.unavailableReason.empty()},
            {"reason", device.unavailableReason},
            {"memory_total_bytes", device.memoryTotalBytes},
            {"memory_free_bytes", device.memoryFreeBytes},
            {"properties", device.properties.is_null() ? Json::object() : device.properties},
            {"implementations", implementations}};
}

} // namespace heteroscope::cli
