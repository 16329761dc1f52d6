// SPDX-License-Identifier: Apache-2.0
// What this machine has.
#include "app/cli/self_test.h"
#include "compute/base/units.h"
#include "compute/onnx/onnx_model.h"

namespace heteroscope::cli {
namespace {

using compute::DeviceInfo;
using compute::ImplementationInfo;

constexpr const char* kMachineGroup = "machine";

CheckResult thereUnless(const std::string& reason) {
    return reason.empty() ? CheckResult::Pass : CheckResult::Missing;
}

std::string deviceDetail(const DeviceInfo& device) {
    std::string text = device.name;
    const Json& properties = device.properties;
    if (properties.is_object() && properties.contains("cores"))
        text += ", " + properties.at("cores").dump() + " cores";
    if (properties.is_object() && properties.contains("simd") && properties.at("simd").is_string())
        text += ", " + properties.at("simd").get<std::string>();
    if (device.memoryTotalBytes > 0)
        text += ", memory " + formatBytes(static_cast<double>(device.memoryTotalBytes)) + ", of which " +
                formatBytes(static_cast<double>(device.memoryFreeBytes)) + " free";
    return text;
}

Check implementationCheck(const DeviceInfo& device, const ImplementationInfo& info) {
    const std::string version = info.version.empty() ? "built in" : info.version;
    return {kMachineGroup, device.id + "/" + info.id, thereUnless(info.unavailableReason),
            info.unavailableReason.empty() ? version : info.unavailableReason};
}

} // namespace

void checkMachine(const std::vector<DeviceInfo>& devices, SelfTest& test) {
    for (const DeviceInfo& device : devices) {
        test.checks.push_back(
            {kMachineGroup, device.id, thereUnless(device.unavailableReason),
             device.unavailableReason.empty() ? deviceDetail(device) : device.unavailableReason});
        for (const ImplementationInfo& info : device.implementations)
            test.checks.push_back(implementationCheck(device, info));
    }
    const std::string noOnnx = compute::onnxUnavailableReason();
    test.checks.push_back({kMachineGroup, "ONNX files", thereUnless(noOnnx),
                           noOnnx.empty() ? "operator sets " + std::to_string(compute::kOldestOnnxOpset) +
                                                " to " + std::to_string(compute::kNewestOnnxOpset)
                                          : noOnnx});
}

} // namespace heteroscope::cli
